// The joint fit against oracle 9 and against traces made here.

#include "fitting/friction/lugre_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

FrictionTrace oracle_trace() {
  auto rows = oracle::csv("09_dynamic.csv");
  FrictionTrace trace;
  trace.period_s = 1e-3;
  trace.velocity_m_per_s = rows["v_m_per_s"];
  trace.force_N = rows["F_N"];
  trace.normal_N.assign(trace.force_N.size(), 2.0);
  trace.sigma_N = 0.004;
  return trace;
}

constexpr LugreValues kOracleStart{2500, 3, 0.5, 0.6, 0.4, 0.006};

TEST(LugreFit, OfTheOraclesTraceGivesItsSixParametersAndErrors) {
  const auto oracle = oracle::json("09_lugre.json")["joint_dynamic"];
  const auto fit = fit_lugre({{oracle_trace()}, 0, false}, kOracleStart).value();
  EXPECT_TRUE(fit.converged);
  const std::array names{"s0", "s1", "ct", "mus", "mud", "vs"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double expected = oracle["expected"][names[i]];
    EXPECT_NEAR(fit.values[i], expected, oracle::within(expected, 1e-6)) << names[i];
    const auto j = static_cast<Eigen::Index>(i);
    const double u = oracle["u"][i];  // for unit variance and independent residuals
    EXPECT_NEAR(std::sqrt(fit.covariance(j, j)), u, 0.1 * u) << names[i];
  }
  const double chi2 = oracle["chi2"];
  EXPECT_NEAR(fit.chi2, chi2, 1e-8 * chi2);
  EXPECT_NEAR(fit.covariance(4, 2) / std::sqrt(fit.covariance(4, 4) * fit.covariance(2, 2)),
              oracle["correlation_mud_ct"], 1e-4);
}

TEST(LugreFit, FindsTheSameFromBristlesThatStartFarOff) {
  const auto trace = oracle_trace();
  const auto best = fit_lugre({{trace}, 0, false}, kOracleStart).value();
  for (const double factor : {0.6, 4.0}) {
    LugreValues start = kOracleStart;
    for (const auto i : {kLugreSigma0, kLugreSigma1}) start[i] *= factor;
    const auto fit = fit_lugre({{trace}, 0, false}, start).value();
    EXPECT_NEAR(fit.chi2, best.chi2, 1e-6 * best.chi2) << factor;
  }
}

/// To and fro under two loads, with a side force that both loads have in a size of their own.
LugreProblem strokes(const LugreValues& truth, bool proportional, std::uint64_t seed) {
  RandomSource random(seed);
  LugreProblem problem{{}, 2, proportional};
  for (int load = 0; load < 2; ++load)
    for (const double speed : {1e-3, -1e-3, 3e-3, -3e-3, 8e-3, -8e-3, 15e-3, -15e-3}) {
      FrictionTrace trace;
      trace.period_s = 1e-3;
      trace.sigma_N = 5e-3;
      trace.unknown = TraceUnknown::kStart;
      trace.offset = load;
      const double normal_N = load == 0 ? 1 : 2;
      trace.load_ratio = normal_N;
      LugreValues here = truth;
      if (proportional)
        for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous}) here[i] *= normal_N;
      LugreBristle bristle(-std::copysign(0.4 * normal_N / here[kLugreSigma0], speed));
      for (int i = 0; i < 600; ++i) {
        const double v = speed * std::min(1.0, i / 50.0);
        trace.velocity_m_per_s.push_back(v);
        trace.normal_N.push_back(normal_N);
        trace.force_N.push_back(bristle.step_N(here, 1e-3, v, normal_N) +
                                (load == 0 ? 0.02 : -0.05) + trace.sigma_N * random.normal());
      }
      problem.traces.push_back(trace);
    }
  return problem;
}

TEST(LugreFit, FindsStartsOfTracesAndSideForcesBesideTheSix) {
  const LugreValues truth{4000, 6, 0.8, 0.62, 0.45, 0.004};
  const auto fit = fit_lugre(strokes(truth, false, 3), {2000, 3, 0.2, 0.5, 0.4, 0.006}).value();
  ASSERT_EQ(fit.covariance.rows(), 6);
  const LugreValues scale{truth[0], truth[1], 1, 1, 1, truth[5]};
  for (std::size_t i = 0; i < kLugreSize; ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    const double u = scale[i] * std::sqrt(fit.covariance(j, j));
    EXPECT_NEAR(fit.values[i], truth[i], 3.5 * u) << i;
  }
  EXPECT_NEAR(fit.offsets_N[0], 0.02, 2e-3);
  EXPECT_NEAR(fit.offsets_N[1], -0.05, 2e-3);
  EXPECT_NEAR(fit.unknowns[0], -1e-4, 5e-6);
}

TEST(LugreFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const LugreValues truth{4000, 6, 0.8, 0.62, 0.45, 0.004};
  const LugreValues scale{truth[0], truth[1], 1, 1, 1, truth[5]};
  std::array<int, kLugreSize> inside{};
  constexpr int kRepeats = 60;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    const auto fit = fit_lugre(strokes(truth, false, seed), truth).value();
    for (std::size_t i = 0; i < kLugreSize; ++i) {
      const auto j = static_cast<Eigen::Index>(i);
      const double u = scale[i] * std::sqrt(fit.covariance(j, j));
      inside[i] += std::abs(fit.values[i] - truth[i]) < 1.96 * u ? 1 : 0;
    }
  }
  for (const int hits : inside) EXPECT_GE(hits, 0.88 * kRepeats);
}

TEST(LugreFit, TellsBristlesThatGoWithTheLoadFromThoseThatDoNot) {
  const LugreValues truth{3000, 5, 0.8, 0.6, 0.4, 0.004};
  auto problem = strokes(truth, true, 5);
  const auto right = fit_lugre(problem, truth).value();
  problem.proportional = false;
  const auto wrong = fit_lugre(problem, truth).value();
  EXPECT_LT(right.chi2, 1.05 * right.samples);
  EXPECT_GT(wrong.chi2, right.chi2 + 1000);
}

TEST(LugreFit, OfSteadySlidingAloneLeavesTheBristlesUndetermined) {
  const LugreValues truth{4000, 6, 0.8, 0.62, 0.45, 0.004};
  auto problem = strokes(truth, false, 9);
  for (auto& trace : problem.traces) trace.compared = 400;
  const auto fit = fit_lugre(problem, truth).value();
  const bool open = fit.covariance.rows() == 0 || std::sqrt(fit.covariance(1, 1)) > 0.5;
  EXPECT_TRUE(open) << fit.condition.number;
}

}  // namespace
}  // namespace tactelier
