// Truth: oracles/05_response.json (NumPy, SciPy).
#include "fitting/response/response_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/response/monotone_fit.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/models/ispline.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using oracle::within;
using Vector = std::vector<double>;

void expect_all(const Vector& actual, const nlohmann::json& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i].get<double>(), tolerance) << i;
}

TEST(BranchGap, MatchesTheOraclesPlayOperatorTrace) {
  const auto expected = oracle::json("05_response.json")["hysteresis"];
  const auto columns = oracle::csv("05_play.csv");
  const auto& force = columns.at("F_N");
  const auto& counts = columns.at("count");
  const Branch load{Vector(force.begin(), force.begin() + 41),
                    Vector(counts.begin(), counts.begin() + 41)};
  Branch unload{Vector(force.begin() + 40, force.begin() + 71),
                Vector(counts.begin() + 40, counts.begin() + 71)};
  std::reverse(unload.force_N.begin(), unload.force_N.end());
  std::reverse(unload.counts.begin(), unload.counts.end());
  const auto gap = branch_gap(load, unload, expected["grid_N"].get<Vector>());
  expect_all(gap.load, expected["load"], 1e-8);
  expect_all(gap.unload, expected["unload"], 1e-8);
  EXPECT_NEAR(gap.largest_counts, expected["max_hysteresis_count"].get<double>(), 1e-8);
  const double largest = *std::max_element(counts.begin(), counts.end());
  EXPECT_NEAR(100 * gap.largest_counts / largest,
              expected["max_hysteresis_percent_of_max"].get<double>(), 1e-9);
}

TEST(LoopArea, MatchesTheOraclesSecondCycle) {
  const auto expected = oracle::json("05_response.json")["hysteresis"];
  const auto thresholds = expected["thresholds_N"].get<Vector>();
  const auto weights = expected["weights_count_per_N"].get<Vector>();
  Vector state(thresholds.size(), 0.0), force, counts;
  for (int cycle = 0; cycle < 2; ++cycle) {
    force.clear();
    counts.clear();
    for (int i = 0; i <= 80; ++i) {
      const double f = i <= 40 ? 0.05 * i : 0.05 * (80 - i);
      double c = 0;
      for (std::size_t k = 0; k < state.size(); ++k) {
        state[k] = std::max(f - thresholds[k], std::min(f + thresholds[k], state[k]));
        c += weights[k] * state[k];
      }
      force.push_back(f);
      counts.push_back(c);
    }
  }
  EXPECT_NEAR(loop_area_counts_N(force, counts),
              expected["second_cycle_0_2_0"]["signed_area_count_N"].get<double>(), 1e-9);
}

TEST(Nonlinearity, FromTheBestLineIsTheOracles) {
  const auto expected = oracle::json("05_response.json")["iso376_like"];
  const auto first = expected["X1"].get<Vector>(), third = expected["X3"].get<Vector>(),
             fifth = expected["X5"].get<Vector>();
  Vector mean;
  for (std::size_t i = 0; i < first.size(); ++i)
    mean.push_back((first[i] + third[i] + fifth[i]) / 3);
  const auto best =
      nonlinearity_best_line_percent(expected["F_N"].get<Vector>(), mean, mean.back());
  ASSERT_TRUE(best);
  EXPECT_NEAR(*best, expected["nonlinearity_best_fit_percent_FS"].get<double>(), 1e-10);
}

TEST(BinnedBranch, AveragesWithinIntervalsAndLeavesEmptyOnesOut) {
  const Vector force{0.1, 0.2, 1.1, 3.5}, counts{10, 20, 110, 350};
  const auto branch = binned_branch(force, counts, 0, 4, 4);
  ASSERT_EQ(branch.force_N.size(), 3u);
  EXPECT_NEAR(branch.force_N[0], 0.15, 1e-15);
  EXPECT_NEAR(branch.counts[0], 15, 1e-15);
  EXPECT_NEAR(branch.at(2.3), 110 + 240 * (2.3 - 1.1) / 2.4, 1e-12);
}

TEST(Quantisation, IsTheOraclesShareOfAStep) {
  const auto expected = oracle::json("05_response.json")["quantisation"];
  EXPECT_NEAR(u_resolution(1), expected["u_lsb"].get<double>(), 1e-15);
  EXPECT_NEAR(u_resolution(1) * 1.6 / 3840, expected["u_force_N_with_kappa"].get<double>(), 1e-18);
}

TEST(MonotoneFit, MatchesTheOraclesBoundedLeastSquares) {
  const auto expected = oracle::json("05_response.json")["ispline"];
  const auto columns = oracle::csv("05_ispline.csv");
  const auto& force = columns.at("F_N");
  const auto& counts = columns.at("count");
  const ISpline basis(3, expected["inner_knots"].get<Vector>(), 0, 2);
  const auto rows = static_cast<Eigen::Index>(force.size());
  Eigen::MatrixXd design(rows, static_cast<Eigen::Index>(basis.size()) + 1);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto values = basis(force[static_cast<std::size_t>(i)]);
    design(i, 0) = 1;
    for (std::size_t j = 0; j < values.size(); ++j)
      design(i, static_cast<Eigen::Index>(j) + 1) = values[j];
  }
  const Eigen::VectorXd measured = Eigen::Map<const Eigen::VectorXd>(counts.data(), rows);
  const auto found = solve_nonnegative(design, measured, 1);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NEAR((*found)(0), expected["fit"]["c0"].get<double>(), 1e-6);
  for (Eigen::Index i = 1; i < found->size(); ++i) {
    const double b = expected["fit"]["coef"][i - 1];
    EXPECT_NEAR((*found)(i), b, within(b, 1e-8) + 1e-9) << i;
  }
  const double cost = expected["fit"]["half_sum_sq"];
  EXPECT_NEAR(0.5 * (design * *found - measured).squaredNorm(), cost, within(cost, 1e-9));
}

}  // namespace
}  // namespace tactelier
