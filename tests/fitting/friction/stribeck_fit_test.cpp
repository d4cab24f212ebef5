// Steady sliding against oracle 9 and curves made here.

#include "fitting/friction/stribeck_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(StribeckFit, OfTheOraclesCurveGivesItsNumbersAndErrors) {
  const auto expected = oracle::json("09_lugre.json")["stage1_stribeck"]["expected"];
  auto rows = oracle::csv("09_stribeck.csv");
  std::vector<SlidePoint> points;
  for (std::size_t i = 0; i < rows["F_N"].size(); ++i)
    points.push_back({rows["v_m_per_s"][i], rows["F_N"][i], 2.0, 0.008});
  const auto fit = fit_sliding(points, SlidingModel::kStribeck).value();
  const auto near = [&](double value, const char* name, double relative) {
    const double truth = expected[name];
    EXPECT_NEAR(value, truth, oracle::within(truth, relative)) << name;
  };
  near(fit.mu_s, "mus", 1e-5);
  near(fit.mu_d(), "mud", 1e-5);
  near(fit.v_s_m_per_s, "vs", 1e-5);
  near(fit.c_t, "ct", 1e-5);
  near(fit.chi2, "chi2", 1e-5);
  ASSERT_EQ(fit.covariance.rows(), 4);
  near(std::sqrt(fit.covariance(0, 0)), "u_mus", 1e-4);
  near(std::sqrt(fit.covariance(1, 1)), "u_dmu", 1e-4);
  near(std::sqrt(fit.covariance(2, 2)), "u_log_vs", 1e-4);
  near(std::sqrt(fit.covariance(3, 3)), "u_ct", 1e-4);
  EXPECT_EQ(choose_sliding(points), SlidingModel::kStribeck);
}

/// S0's foam (v_s 0.3 m/s) at 25 speeds up to `most`, without noise: what can be known of it.
StribeckFit seed_curve(double most_m_per_s) {
  const double fs = 0.0348;
  std::vector<SlidePoint> points;
  for (int i = 0; i < 25; ++i) {
    const double v = 1e-3 * std::pow(most_m_per_s / 1e-3, i / 24.0);
    const double force = 0.08 * (0.23 + 0.205 * std::exp(-(v / 0.3) * (v / 0.3))) + 0.01 * v;
    points.push_back({v, force, 0.08, 0.01 * fs});
  }
  return fit_sliding(points, SlidingModel::kStribeck).value();
}

TEST(StribeckFit, OfACurveThatNeverReachesItsStribeckSpeedEndsAtABound) {
  EXPECT_TRUE(seed_curve(0.05).at_bound);
  const auto whole = seed_curve(1.5);
  EXPECT_FALSE(whole.at_bound);
  EXPECT_LT(whole.condition.number, 20);
  EXPECT_NEAR(whole.v_s_m_per_s, 0.3, 1e-6);
}

std::vector<SlidePoint> both_ways(double drop, double c_t, double noise_N, std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<SlidePoint> points;
  for (const double speed : {0.5e-3, 1e-3, 2e-3, 4e-3, 6e-3, 9e-3, 12e-3, 16e-3})
    for (const double v : {speed, -speed}) {
      const double mu = 0.5 - drop + drop * std::exp(-(v / 4e-3) * (v / 4e-3));
      points.push_back(
          {v, std::copysign(mu, v) + c_t * v + 0.03 + noise_N * random.normal(), 1.0, noise_N, 0});
    }
  return points;
}

TEST(StribeckFit, TakesASideForceOutOfBothDirections) {
  const auto fit = fit_sliding(both_ways(0.2, 0.8, 1e-4, 1), SlidingModel::kStribeck).value();
  EXPECT_NEAR(fit.mu_s, 0.5, 1e-3);
  EXPECT_NEAR(fit.mu_d(), 0.3, 1e-3);
  EXPECT_NEAR(fit.offsets_N.at(0), 0.03, 1e-3);
}

TEST(StribeckFit, PrefersTheSimplerModelWhereThereIsNoDrop) {
  EXPECT_EQ(choose_sliding(both_ways(0.2, 0.8, 2e-3, 2)), SlidingModel::kStribeck);
  int stribeck = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    stribeck += choose_sliding(both_ways(0, 3, 2e-3, seed)) == SlidingModel::kStribeck ? 1 : 0;
  EXPECT_LE(stribeck, 5);
}

}  // namespace
}  // namespace tactelier
