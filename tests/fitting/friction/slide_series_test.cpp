// Bristles in series with a rig's spring against oracle 18 (SciPy's Radau, gen_18_series.py).

#include "fitting/friction/slide_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

constexpr double kRig_m_per_N = 5e-5;
constexpr LugreValues kLaw{4000, 6, 0.8, 0.35, 0.35, 1};
constexpr double kPer_m = 4000 / 0.35;  // under 1 N

/// Farthest from the oracle in ticks of `tick_s`, N.
double worst_N(double tick_s) {
  const auto rows = oracle::csv("18_series.csv");
  constexpr double kTurn_rad_per_s = 2 * std::numbers::pi * 2.5;
  const auto place_m = [&](double t_s) {
    return 8e-3 / kTurn_rad_per_s * (1 - std::cos(kTurn_rad_per_s * t_s));
  };
  SeriesTick tick;
  double worst = 0, t_s = 0;
  for (std::size_t i = 1; i < rows.at("t_s").size(); ++i) {
    for (; t_s < rows.at("t_s")[i] - tick_s / 2; t_s += tick_s)
      tick = series_tick(tick, (place_m(t_s + tick_s) - place_m(t_s)) / tick_s, kPer_m, tick_s,
                         kRig_m_per_N, kLaw);
    worst = std::max(worst, std::abs(tick.force_N - rows.at("F_N")[i]));
  }
  return worst;
}

TEST(SlideSeries, TurnRoundAsAnImplicitIntegratorSays) {
  const double coarse = worst_N(1e-3), fine = worst_N(0.25e-3);
  EXPECT_LT(coarse, 0.5e-3);
  EXPECT_LT(fine, coarse / 3);
}

// The spring and F agree at the end of each tick, and F's slope by u is that of its differences.
TEST(SlideSeries, KeepTheSpringsBalance) {
  SeriesTick before;
  for (const double v : {3e-3, 8e-3, -2e-3, 0.0, -8e-3, 1e-4}) {
    const auto now = series_tick(before, v, kPer_m, 1e-3, kRig_m_per_N, kLaw);
    EXPECT_NEAR(kRig_m_per_N * (now.force_N - before.force_N), (v - now.u_m_per_s) * 1e-3, 1e-12);
    const auto faster = series_tick(before, v + 1e-6, kPer_m, 1e-3, kRig_m_per_N, kLaw);
    EXPECT_NEAR((faster.force_N - now.force_N) / (faster.u_m_per_s - now.u_m_per_s), now.force_by_u,
                1e-2 * now.force_by_u);
    before = now;
  }
}

}  // namespace
}  // namespace tactelier
