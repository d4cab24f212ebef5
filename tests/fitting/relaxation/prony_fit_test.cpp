// Holds against oracle 7 and the refusal table of oracle 13.

#include "fitting/relaxation/prony_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "libcalib/models/prony.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

HoldTrace oracle_hold() {
  const auto oracle = oracle::json("07_damping.json")["relaxation"];
  auto rows = oracle::csv("07_relax.csv");
  const double depth_m = oracle["depth_m"], ramp_s = oracle["ramp_s"];
  HoldTrace trace;
  trace.time_s = rows["t_s"];
  trace.force_N = rows["F_N"];
  for (const double t : trace.time_s) trace.depth_m.push_back(depth_m * std::min(1.0, t / ramp_s));
  trace.sigma_N.assign(trace.time_s.size(), oracle["sigma_N"]);
  return trace;
}

TEST(PronyFit, OfTheOraclesHoldGivesItsTwoBranchesAndErrors) {
  const auto expected = oracle::json("07_damping.json")["relaxation"]["two_terms"];
  const auto found = fit_prony(std::array{oracle_hold()}, 2, {0.02, 15});
  ASSERT_TRUE(found) << found.error().message;
  const auto& fit = *found;
  ASSERT_EQ(fit.tau_s.size(), 2U);
  ASSERT_GT(fit.covariance.size(), 0) << "nothing separates the two branches";
  const auto near = [](double value, const nlohmann::json& truth, double relative) {
    EXPECT_NEAR(value, truth.get<double>(), oracle::within(truth, relative));
  };
  near(fit.k_inf, expected["kinf"], 1e-5);
  near(fit.chi2, expected["chi2"], 1e-6);
  near(prony_aicc(fit), expected["aicc"], 1e-6);
  for (std::size_t b = 0; b < 2; ++b) {
    near(fit.k[b], expected["k"][b], 1e-5);
    near(fit.tau_s[b], expected["tau"][b], 1e-5);
    near(fit.tau_s[b] * fit.u_log_tau(b), expected["u"][3 + b], 1e-4);
  }
  near(std::sqrt(fit.covariance(0, 0)), expected["u"][0], 1e-4);
  near(std::sqrt(fit.covariance(1, 1)), expected["u"][1], 1e-4);
}

TEST(PronyFit, OfOneBranchIsTheOraclesAndMuchWorse) {
  const auto expected = oracle::json("07_damping.json")["relaxation"]["one_term_SLS"];
  const auto found = fit_prony(std::array{oracle_hold()}, 1, {0.02, 15});
  ASSERT_TRUE(found) << found.error().message;
  const auto& fit = *found;
  ASSERT_EQ(fit.tau_s.size(), 1U);
  EXPECT_NEAR(fit.tau_s[0], expected["tau"], 1e-5);
  EXPECT_NEAR(fit.k[0], expected["k"], 1e-3);
  EXPECT_NEAR(fit.chi2, expected["chi2"], 1e-3);
  EXPECT_EQ(count_branches(std::array{oracle_hold()}, {0.02, 15}), 2U);
}

TEST(PronyModel, RecurrenceIsTheOraclesTriangle) {
  const auto oracle = oracle::json("07_damping.json")["recurrence"];
  PronyBranchState branch(oracle["tau1"]);
  std::vector<double> force_N{0};
  for (int i = 0; i < 100; ++i) {
    branch.step(oracle["dt"], i < 50 ? 2e-5 : -2e-5);
    const double depth_m = 2e-5 * (i < 50 ? i + 1 : 99 - i);
    force_N.push_back(oracle["kinf"].get<double>() * depth_m +
                      oracle["k1"].get<double>() * branch.value_m());
  }
  for (std::size_t i = 0; i < oracle["F_N"].size(); ++i) {
    const double expected = oracle["F_N"][i];
    EXPECT_NEAR(force_N[oracle["F_at_index"][i].get<std::size_t>()], expected,
                1e-10 * std::abs(expected));
  }
}

TEST(PronyModel, SlopeByLogTauIsThatOfADifference) {
  const double h = 1e-6;
  PronyBranchState middle(0.3), above(0.3 * std::exp(h)), below(0.3 * std::exp(-h));
  for (int i = 0; i < 40; ++i)
    for (auto* branch : {&middle, &above, &below}) branch->step(0.02, i < 20 ? 1e-5 : -3e-6);
  EXPECT_NEAR(middle.slope_m(), (above.value_m() - below.value_m()) / (2 * h), 1e-11);
}

/// A hold of `length_s` on one branch of 3 s, as in the oracle's refusal table.
HoldTrace slow_hold(double length_s, std::uint64_t seed) {
  RandomSource random(seed);
  HoldTrace trace;
  PronyBranchState branch(3);
  double before_m = 0;
  for (int i = 1; i <= 200; ++i) {
    const double t = i * length_s / 200, depth_m = 0.8e-3;
    branch.step(i == 1 ? 0 : length_s / 200, depth_m - before_m);
    before_m = depth_m;
    trace.time_s.push_back(t);
    trace.depth_m.push_back(depth_m);
    trace.force_N.push_back(1500 * depth_m + 300 * branch.value_m() + 0.002 * random.normal());
    trace.sigma_N.push_back(0.002);
  }
  trace.begin_s = trace.time_s.front();
  return trace;
}

TEST(PronyFit, OfAHoldMuchShorterThanTheTimeEndsAtTheWindow) {
  const auto brief = fit_prony(std::array{slow_hold(0.5, 4)}, 1, {0.01, 0.25});
  const auto enough = fit_prony(std::array{slow_hold(9, 4)}, 1, {0.1, 4.5});
  ASSERT_TRUE(brief && enough);
  EXPECT_TRUE(brief->at_bound || brief->u_log_tau(0) > 0.5);
  EXPECT_FALSE(enough->at_bound);
  ASSERT_EQ(enough->tau_s.size(), 1U);
  EXPECT_NEAR(enough->tau_s[0], 3, 0.1);
}

TEST(PronyFit, OfHoldsWithScalesOfTheirOwnFindsTheCommonFractions) {
  auto stiffer = slow_hold(9, 6);
  for (auto& force : stiffer.force_N) force *= 1.3;
  const auto found = fit_scaled_prony({slow_hold(9, 5), stiffer}, 1, {0.1, 4.5});
  ASSERT_TRUE(found) << found.error().message;
  const auto& fit = *found;
  ASSERT_EQ(fit.tau_s.size(), 1U);
  EXPECT_NEAR(fit.tau_s[0], 3, 0.1);
  EXPECT_NEAR(fit.k[0] / fit.k_inf, 0.2, 0.005);
  EXPECT_LT(fit.chi2, 1.3 * 400);
}

TEST(PronyFit, CountsNoBranchWhereTheForceStays) {
  auto trace = slow_hold(9, 5);
  RandomSource random(7);
  for (auto& force : trace.force_N) force = 1.2 + 0.002 * random.normal();
  EXPECT_EQ(count_branches(std::array{trace}, {0.1, 4.5}), 0U);
}

}  // namespace
}  // namespace tactelier
