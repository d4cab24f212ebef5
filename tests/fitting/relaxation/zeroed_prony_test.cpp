// Truth: one branch and a straight ramp in closed form, the depth told wrong by a known zero.
#include "fitting/relaxation/zeroed_prony.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kInf = 2000, kBranch = 400, kTau_s = 0.15, kRamp_s = 0.2, kNoise_N = 1e-4;

/// Told from its touch on, `zero_m` of it done before at one go, all of it `late_s` after it was
/// told.
HoldTrace hold(double depth_m, double zero_m, double stiffer, std::uint64_t seed,
               double late_s = 0) {
  RandomSource random(seed);
  HoldTrace trace;
  trace.time_s = {0, kRamp_s};
  trace.depth_m = {0, depth_m};
  trace.force_N = {0, 0};
  trace.sigma_N = {0, 0};
  trace.u_zero_m = 20e-6;
  for (double t = 0.02; t < 20; t *= 1.05) {
    const double ramp_m = depth_m * kTau_s / kRamp_s * std::expm1(kRamp_s / kTau_s);
    const double branch_m = (ramp_m + zero_m) * std::exp(-(kRamp_s + t - late_s) / kTau_s);
    trace.time_s.push_back(kRamp_s + t);
    trace.depth_m.push_back(depth_m);
    trace.force_N.push_back(stiffer * (kInf * (depth_m + zero_m) + kBranch * branch_m) +
                            kNoise_N * random.normal());
    trace.sigma_N.push_back(kNoise_N);
  }
  return trace;
}

/// Depths over a factor 10, or a zero would look like a stiffness.
std::vector<HoldTrace> holds_with(double zero_m) {
  return {hold(0.1e-3, zero_m, 1, 1), hold(0.3e-3, -zero_m, 1, 2), hold(1e-3, zero_m, 1, 3)};
}

TEST(ZeroedProny, FindsTheBranchBehindZerosThatNobodyTold) {
  const auto fit = fit_scaled_prony(holds_with(15e-6), 1, {0.04, 10});
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(std::log(fit->tau_s[0] / kTau_s), 0, 4 * fit->u_log_tau(0));
  EXPECT_LT(fit->u_log_tau(0), 0.01);
  const double g = fit->k[0] / (fit->k_inf + fit->k[0]);
  EXPECT_NEAR(g, kBranch / (kInf + kBranch), 0.01);
  EXPECT_LT(fit->chi2 / static_cast<double>(fit->rows), 1.3);
}

TEST(ZeroedProny, LeavesKnownZerosAsTheyAre) {
  auto open = holds_with(0);
  auto known = open;
  for (auto& trace : known) trace.u_zero_m = 0;
  const auto with = fit_scaled_prony(open, 1, {0.04, 10});
  const auto without = fit_scaled_prony(known, 1, {0.04, 10});
  ASSERT_TRUE(with && without);
  EXPECT_NEAR(with->tau_s[0] / without->tau_s[0], 1, 2e-3);
  EXPECT_GT(with->covariance(1, 1), without->covariance(1, 1));
}

/// Two of four begin 12 ms late and two as early: a twelfth of the branch either way.
std::vector<HoldTrace> late_holds(double u_late_s) {
  std::vector<HoldTrace> holds;
  for (std::uint64_t i = 0; i < 4; ++i) {
    holds.push_back(hold(i % 2 ? 1e-3 : 0.3e-3, 0, 1, 10 + i, i < 2 ? 0.012 : -0.012));
    holds.back().u_zero_m = 1e-6;
    holds.back().u_late_s = u_late_s;
  }
  return holds;
}

TEST(ZeroedProny, FindsTheBranchBehindLinesThatBeganLate) {
  const auto fit = fit_scaled_prony(late_holds(0.01), 1, {0.04, 10});
  const auto on_time = fit_scaled_prony(late_holds(0), 1, {0.04, 10});
  ASSERT_TRUE(fit && on_time);
  const auto rows = static_cast<double>(fit->rows);
  EXPECT_LT(fit->chi2 / rows, 1.3);
  EXPECT_GT(on_time->chi2 / rows, 10);
  const double g = fit->k[0] / (fit->k_inf + fit->k[0]);
  EXPECT_NEAR(g, kBranch / (kInf + kBranch), 0.003);
  // 10 ms of 0.15 s over the root of four holds: 3.3 % of the branch.
  EXPECT_NEAR(std::sqrt(fit->covariance(1, 1)) / fit->k[0], 0.033, 0.005);
}

/// A surface that rises by 30 um an hour under holds of 300 s: 2.5 um, 0.3 % of a depth of 0.9 mm.
std::vector<HoldTrace> drifting_holds(double u_drift_m_per_s) {
  std::vector<HoldTrace> holds;
  for (std::uint64_t i = 0; i < 3; ++i) {
    holds.push_back(hold(i % 2 ? 1e-3 : 0.5e-3, 0, 1, 20 + i));
    auto& trace = holds.back();
    trace.u_zero_m = 1e-6;
    trace.u_drift_m_per_s = u_drift_m_per_s;
    for (double t = trace.time_s.back() * 1.05; t < 300; t *= 1.05) {
      trace.time_s.push_back(t);
      trace.depth_m.push_back(trace.depth_m.back());
      trace.force_N.push_back(kInf * trace.depth_m.back());
      trace.sigma_N.push_back(kNoise_N);
    }
    for (std::size_t row = 2; row < trace.time_s.size(); ++row)
      trace.force_N[row] += kInf * 30e-6 / 3600 * trace.time_s[row];
  }
  return holds;
}

TEST(ZeroedProny, TakesADriftOfTheSurfaceForNoBranch) {
  const TauWindow window{0.04, 150};
  EXPECT_EQ(count_branches(drifting_holds(20e-6 / 3600), window), 1u);
  const auto fit = fit_scaled_prony(drifting_holds(20e-6 / 3600), 1, window);
  const auto fixed = fit_scaled_prony(drifting_holds(0), 1, window);
  ASSERT_TRUE(fit && fixed);
  const auto rows = static_cast<double>(fit->rows);
  EXPECT_LT(fit->chi2 / rows, 1.3);
  EXPECT_GT(fixed->chi2 / rows, 3);
  EXPECT_NEAR(fit->tau_s[0] / kTau_s, 1, 0.02);
}

}  // namespace
}  // namespace tactelier
