#include "fitting/response/play_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

TEST(PlayFit, MatchesTheOraclesTraceAndFindsItsWeights) {
  const auto oracle = oracle::json("05_response.json")["hysteresis"];
  const auto columns = oracle::csv("05_play.csv");
  const auto& force_N = columns.at("F_N");
  const auto& counts = columns.at("count");
  const auto thresholds_N = oracle["thresholds_N"].get<std::vector<double>>();
  const auto weights = oracle["weights_count_per_N"].get<std::vector<double>>();
  // The oracle's states are counted from the middle of their width: x_k - r_k, once a first loading
  // has passed every threshold.
  const double widest_N = *std::max_element(thresholds_N.begin(), thresholds_N.end());
  const auto passed =
      std::find_if(force_N.begin(), force_N.end(), [&](double force) { return force >= widest_N; });
  const auto first = static_cast<Eigen::Index>(passed - force_N.begin());
  const auto states = play_states(force_N, thresholds_N);
  const Eigen::Map<const Eigen::VectorXd> w(weights.data(), 4), r(thresholds_N.data(), 4);
  const Eigen::VectorXd trace = (states * w).array() - r.dot(w);
  std::vector<double> from_loading;
  for (Eigen::Index i = first; i < trace.size(); ++i) {
    EXPECT_NEAR(trace(i), counts[static_cast<std::size_t>(i)], 1e-8);
    from_loading.push_back(counts[static_cast<std::size_t>(i)] + r.dot(w));
  }
  const auto fit = fit_play(
      thresholds_N, std::array{play_sums(states.bottomRows(trace.size() - first), from_loading)});
  ASSERT_TRUE(fit) << fit.error().message;
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(fit->weights[k], weights[k], 1e-5 * weights[k]);
}

TEST(PlayFit, KeepsAnInnerLoopInside) {
  // One operator of 0.1 N, 0.2 N wide: up to 1, back to 0.5, up again to 0.8, each state by hand.
  const std::vector<double> course{0, 1, 0.5, 0.8, 0};
  const auto states = play_states(course, std::array{0.1});
  const double by_hand[] = {0, 1, 0.7, 0.8, 0.2};
  for (Eigen::Index i = 0; i < 5; ++i) EXPECT_NEAR(states(i, 0), by_hand[i], 1e-12);
}

TEST(PlayFit, RefusesReadingsThatFollowTheForceBothWays) {
  std::vector<double> force_N, apparent_N;
  for (int i = 0; i <= 40; ++i) force_N.push_back(0.1 * (i <= 20 ? i : 40 - i));
  apparent_N = force_N;
  const auto grid = play_grid(2);
  EXPECT_FALSE(fit_play(grid, std::array{play_sums(play_states(force_N, grid), apparent_N)}));
}

SensorModel fitted_with(double hysteresis) {
  auto bench = synthetic::Bench::uniform(2, 2, 2);
  bench.hysteresis = hysteresis;
  return synthetic::Recording(bench).fit({"response"}).value();
}

TEST(PlayInTheModel, ReproducesTheWayOut) {
  // While unloading the bench reads 8 % of its range more at half the force: 1.5 N * 0.08 = 0.12 N.
  const auto model = fitted_with(0.08);
  const auto& play = model.response.hysteresis_model;
  ASSERT_GE(play.weights.size(), 2u);
  ASSERT_EQ(play.weights.size(), play.thresholds.size());
  std::vector<double> thresholds_N;
  for (const auto& threshold : play.thresholds) thresholds_N.push_back(*threshold.value);
  std::vector<double> course{0, 0.75, 1.5, 0.75};
  const auto states = play_states(course, thresholds_N);
  double in_N = 0, out_N = 0;
  for (std::size_t k = 0; k < thresholds_N.size(); ++k) {
    EXPECT_TRUE(play.weights[k].identified() && play.weights[k].std);
    in_N += *play.weights[k].value * states(1, static_cast<Eigen::Index>(k));
    out_N += *play.weights[k].value * states(3, static_cast<Eigen::Index>(k));
  }
  EXPECT_NEAR(out_N - in_N, 0.12, 0.03);
  EXPECT_NEAR(in_N, 0.75, 0.04);
}

TEST(PlayInTheModel, IsAbsentWhereBothWaysReadAlike) {
  EXPECT_TRUE(fitted_with(0).response.hysteresis_model.weights.empty());
}

}  // namespace
}  // namespace tactelier
