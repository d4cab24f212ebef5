#include "libcalib/pad/friction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

FrictionTruth truth_of(const nlohmann::json& set) {
  return {set["mus"], set["mud"], set["vs"], set["s0"], set["s1"], set["ct"], 1, false};
}

TEST(Bristles, FollowTheOraclesPreslidingTraceThroughReversal) {
  const auto set = oracle("09_lugre.json")["rig_scale"];
  Bristles bristles(truth_of(set), {}, 0);
  const auto rows = oracle_rows("09_presliding.csv");
  ASSERT_EQ(rows.size(), 1050U);
  for (const auto& row : rows) {
    const auto force = bristles.step_N(1e-3, {row[1], 0}, set["N"]);
    ASSERT_NEAR(bristles.deflection_m().x_m, row[2], 1e-9 * 3e-4) << row[0];
    ASSERT_NEAR(force.x_m, row[3], 1e-9) << row[0];
  }
}

TEST(Bristles, FollowTheOraclesTurningVelocity) {
  const auto lugre = oracle("09_lugre.json");
  const auto turning = lugre["vector_turning"];
  Bristles bristles(truth_of(lugre["rig_scale"]), {}, 0);
  std::size_t next = 0;
  for (int i = 0; i < 400; ++i) {
    const double angle = 2 * std::numbers::pi * i / 400;
    const double v = turning["speed"];
    const auto force =
        bristles.step_N(1e-3, {v * std::cos(angle), v * std::sin(angle)}, lugre["rig_scale"]["N"]);
    if (i != turning["index"][next]) continue;
    EXPECT_NEAR(force.x_m, turning["F"][next][0], 1e-9);
    EXPECT_NEAR(force.y_m, turning["F"][next][1], 1e-9);
    ++next;
  }
  EXPECT_EQ(next, 3U);
}

TEST(Bristles, SettleOnTheStribeckCurve) {
  const auto lugre = oracle("09_lugre.json");
  const auto steady = lugre["steady_state"]["rig_scale"];
  for (std::size_t i = 1; i < steady["v"].size(); ++i) {
    Bristles bristles(truth_of(lugre["rig_scale"]), {}, 0);
    const double v = steady["v"][i];
    Point force;
    for (int k = 0; k < 1000; ++k) force = bristles.step_N(1e-5 / v, {v, 0}, 2);
    EXPECT_NEAR(force.x_m, steady["F"][i], 1e-9);
  }
}

TEST(Bristles, AreSofterInSeriesWithTheRig) {
  const auto series = oracle("09_lugre.json")["series_compliance"];
  FrictionTruth truth{0.6, 0.4, 1, series["s0_true"], 0, 0, 1, false};
  Bristles bristles(truth, {}, 1 / series["k_lateral_rig"].get<double>());
  const auto force = bristles.step_N(1e-3, {1e-6, 0}, 1e3);
  EXPECT_NEAR(force.x_m / 1e-9, series["apparent_presliding_stiffness"], 1e-2);
}

/// Farthest from oracle 18 (SciPy's Radau, gen_18_series.py), N, in `steps` steps a row.
double worst_in_series_N(int steps) {
  const auto rows = oracle_rows("18_series.csv");
  Bristles bristles({0.35, 0.35, 1, 4000, 6, 0.8, 1, false}, {}, 5e-5);
  constexpr double kTurn_rad_per_s = 2 * std::numbers::pi * 2.5;
  const auto place_m = [&](double t_s) {
    return 8e-3 / kTurn_rad_per_s * (1 - std::cos(kTurn_rad_per_s * t_s));
  };
  double worst_N = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double dt_s = (rows[i][0] - rows[i - 1][0]) / steps;
    Point force;
    for (int k = 0; k < steps; ++k) {
      const double t_s = rows[i - 1][0] + k * dt_s;
      force = bristles.step_N(dt_s,
                              {0.6 * (place_m(t_s + dt_s) - place_m(t_s)) / dt_s,
                               0.8 * (place_m(t_s + dt_s) - place_m(t_s)) / dt_s},
                              1);
    }
    EXPECT_NEAR(force.x_m * 0.8, force.y_m * 0.6, 1e-12);
    worst_N = std::max(worst_N, std::abs(0.6 * force.x_m + 0.8 * force.y_m - rows[i][2]));
  }
  return worst_N;
}

TEST(Bristles, TurnRoundInSeriesWithTheRigAsAnImplicitIntegratorSays) {
  const double at_1ms = worst_in_series_N(2), finer = worst_in_series_N(8);
  EXPECT_LT(at_1ms, 0.5e-3);
  EXPECT_LT(finer, at_1ms / 3);
}

TEST(Bristles, FrictionCoefficientFallsWithLoad) {
  FrictionTruth truth{0.6, 0.6, 1, 1e5, 0, 0, 1, false};
  const auto sliding = [&](double normal_N) {
    Bristles bristles(truth, {-1.0 / 3, 0, 0.05}, 0);
    Point force;
    for (int i = 0; i < 1000; ++i) force = bristles.step_N(1e-3, {0, 5e-3}, normal_N);
    return force.y_m / normal_N;
  };
  EXPECT_NEAR(sliding(1), 0.6, 1e-9);
  EXPECT_NEAR(sliding(8), 0.3, 1e-9);  // 8^(-1/3) = 1/2
}

TEST(Bristles, RunInOverTheFirstSlides) {
  FrictionTruth truth{0.5, 0.5, 1, 1e6, 0, 0, 1, false};
  Bristles bristles(truth, {0, 0.2, 0.05}, 0);
  Point force;
  for (int i = 0; i < 10; ++i) force = bristles.step_N(1e-4, {10e-3, 0}, 1);
  EXPECT_NEAR(force.x_m, 0.5 * 1.2, 1e-3);
  while (bristles.slid_m() < 0.05) force = bristles.step_N(1e-3, {10e-3, 0}, 1);
  EXPECT_NEAR(force.x_m, 0.5 * (1 + 0.2 * std::exp(-1)), 1e-3);
}

TEST(Bristles, ProportionalOnesBreakAwayAtTheSameDistance) {
  FrictionTruth truth{0.5, 0.5, 1, 4000, 0, 0, 1, true};
  Bristles bristles(truth, {}, 0);
  EXPECT_NEAR(bristles.step_N(1e-3, {1e-6, 0}, 3).x_m, 3 * 4000 * 1e-9, 1e-10);
}

TEST(Bristles, LetGoWithoutLoad) {
  Bristles bristles({0.5, 0.5, 1, 4000, 0, 0, 1, false}, {}, 0);
  bristles.step_N(1e-3, {1e-3, 0}, 1);
  EXPECT_EQ(bristles.step_N(1e-3, {1e-3, 0}, 0).x_m, 0);
  EXPECT_EQ(bristles.deflection_m().x_m, 0);
}

}  // namespace
}  // namespace tactelier::pad
