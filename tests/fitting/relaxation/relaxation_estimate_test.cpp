// Whole sets of holds made here: what they give and what they refuse.

#include "fitting/relaxation/relaxation_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using testing::StartsWith;

constexpr double kInf = 1500, kFast = 400, kSlow = 250, kFastTau_s = 0.15, kSlowTau_s = 3;

/// After a straight ramp of 0.2 s, in closed form: k_inf + sum k rho exp(-t/tau).
HoldPress hold(double depth_m, double length_s, std::uint64_t seed, double slow_tau_s = kSlowTau_s,
               double stiffer = 1) {
  RandomSource random(seed);
  const double ramp_s = 0.2, noise_N = 1e-3;
  HoldPress press;
  press.depth_m = depth_m;
  press.length_s = length_s;
  press.window = {ramp_s / 3, length_s / 2};
  auto& trace = press.trace;
  trace.time_s = {ramp_s};
  trace.depth_m = {depth_m};
  trace.force_N = {0};
  trace.sigma_N = {0};
  for (double t = 0.03; t < length_s; t *= 1.05) {
    const auto part = [&](double k, double tau) {
      return k * tau / ramp_s * std::expm1(ramp_s / tau) * std::exp(-(ramp_s + t) / tau);
    };
    trace.time_s.push_back(ramp_s + t);
    trace.depth_m.push_back(depth_m);
    trace.force_N.push_back(stiffer * depth_m *
                                (kInf + part(kFast, kFastTau_s) + part(kSlow, slow_tau_s)) +
                            noise_N * random.normal());
    trace.sigma_N.push_back(noise_N);
  }
  return press;
}

TEST(RelaxationEstimate, FindsFractionsAndTimesOfTwoBranchesWithinTheirIntervals) {
  std::vector<HoldPress> holds;
  for (std::uint64_t i = 1; i <= 6; ++i) holds.push_back(hold(i % 2 ? 0.5e-3 : 1e-3, 60, i));
  const auto found = estimate_relaxation(holds);
  ASSERT_EQ(found.refusal, "");
  ASSERT_EQ(found.branches, 2U);
  const double k0 = kInf + kFast + kSlow;
  EXPECT_NEAR(found.g_inf.value, kInf / k0, 4 * found.g_inf.std);
  EXPECT_NEAR(found.g[0].value, kFast / k0, 4 * found.g[0].std);
  EXPECT_NEAR(found.g[1].value, kSlow / k0, 4 * found.g[1].std);
  EXPECT_NEAR(found.log_tau[0].value, std::log(kFastTau_s), 4 * found.log_tau[0].std);
  EXPECT_NEAR(found.log_tau[1].value, std::log(kSlowTau_s), 4 * found.log_tau[1].std);
  EXPECT_LT(found.log_tau[0].std, 0.05);
}

TEST(RelaxationEstimate, TakesHoldsOfAPadThatHardens) {
  std::vector<HoldPress> holds;
  for (std::uint64_t i = 1; i <= 4; ++i)
    holds.push_back(hold(i % 2 ? 0.5e-3 : 1e-3, 60, i, kSlowTau_s, i % 2 ? 1 : 1.2));
  const auto found = estimate_relaxation(holds);
  ASSERT_EQ(found.refusal, "");
  ASSERT_EQ(found.branches, 2U);
  EXPECT_NEAR(found.g_inf.value, kInf / (kInf + kFast + kSlow), 0.005);
  EXPECT_LT(found.chi2_per_dof, 1.3);
}

TEST(RelaxationEstimate, IntervalsHoldTheTruthAsOftenAsTheySay) {
  int held = 0;
  constexpr int kRepeats = 40;
  for (int r = 0; r < kRepeats; ++r) {
    std::vector<HoldPress> holds;
    for (std::uint64_t i = 0; i < 3; ++i)
      holds.push_back(hold(1e-3, 30, 100 + 3 * static_cast<std::uint64_t>(r) + i));
    const auto found = estimate_relaxation(holds);
    if (!found.refusal.empty() || found.log_tau.size() != 2) continue;
    const auto& slow = found.log_tau[1];
    held += std::abs(slow.value - std::log(kSlowTau_s)) < coverage_95(slow.dof) * slow.std ? 1 : 0;
  }
  EXPECT_GE(held, 0.88 * kRepeats);
}

TEST(RelaxationEstimate, RefusesTimesAtTheLimitOfShortHolds) {
  std::vector<HoldPress> holds;
  for (std::uint64_t i = 1; i <= 3; ++i) holds.push_back(hold(1e-3, 3, i, 30));
  EXPECT_THAT(estimate_relaxation(holds).refusal, StartsWith("DP-03 Relaxation time at the limit"));
}

TEST(RelaxationEstimate, TellsCreepFromRelaxation) {
  auto press = hold(1e-3, 30, 1);
  press.at_force = true;
  EXPECT_THAT(estimate_relaxation(std::vector{press}).refusal, testing::HasSubstr("creep"));
  EXPECT_THAT(estimate_relaxation({}).refusal, StartsWith("DP-03 No hold"));
}

TEST(RelaxationEstimate, OfAForceThatStaysSaysThatThereIsNone) {
  std::vector<HoldPress> holds;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    holds.push_back(hold(1e-3, 30, i));
    RandomSource random(i);
    for (auto& force : holds.back().trace.force_N) force = 1.5 + 1e-3 * random.normal();
  }
  EXPECT_THAT(estimate_relaxation(holds).refusal, StartsWith("DP-02 "));
}

}  // namespace
}  // namespace tactelier
