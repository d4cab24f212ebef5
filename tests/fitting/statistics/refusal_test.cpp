#include "fitting/statistics/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// k(t) = k_inf + k_1 exp(-t/tau) seen at 100 times from hold/20 to hold; 1500, 400 N/m.
Eigen::MatrixXd relaxation(double hold_s) {
  constexpr double kTau_s = 3.0;
  Eigen::MatrixXd jacobian(100, 3);
  for (int i = 0; i < 100; ++i) {
    const double t = hold_s / 20 + (hold_s - hold_s / 20) * i / 99;
    const double decay = std::exp(-t / kTau_s);
    jacobian.row(i) << 1.0, decay, 400 * t / kTau_s * decay;  // d/dk_inf, d/dk_1, d/dlog tau
  }
  return jacobian / 2.0;  // noise 2 N/m
}

Candidate candidate(const char* name, double value, double std) {
  Candidate c;
  c.name = name;
  c.unit = "N/m";
  c.estimate = {value, std, kManyDegrees};
  return c;
}

std::vector<Candidate> relaxation_candidates(const Eigen::MatrixXd& covariance) {
  std::vector<Candidate> all{candidate("k_inf", 1500, std::sqrt(covariance(0, 0))),
                             candidate("k_1", 400, std::sqrt(covariance(1, 1))),
                             candidate("tau", std::log(3.0), std::sqrt(covariance(2, 2)))};
  all[2].logarithmic = true;
  all[2].unit = "s";
  return all;
}

TEST(Condition, ShortHoldsMatchTheOracle) {
  const auto o = oracle::json("13_stats.json")["refusal_relaxation"]["hold_s"];
  for (const auto& [hold, expected] : o.items()) {
    const auto jacobian = relaxation(std::stod(hold));
    const auto covariance = covariance_from(jacobian);
    const auto near = [&](double actual, const char* key) {
      EXPECT_NEAR(actual, expected[key].get<double>(), 1e-8 * expected[key].get<double>()) << hold;
    };
    near(condition(jacobian).number, "cond");
    near(std::sqrt(covariance(0, 0)) / 1500, "u_kinf_rel");
    near(std::sqrt(covariance(1, 1)) / 400, "u_k1_rel");
    near(std::sqrt(covariance(2, 2)), "u_log_tau");
  }
}

TEST(Refusal, AShortHoldLosesAmplitudeAndTimeButKeepsTheLongTimeValue) {
  const auto jacobian = relaxation(0.5);
  FitEvidence evidence;
  evidence.condition = condition(jacobian);
  evidence.covariance = covariance_from(jacobian);
  const auto verdict = judge(relaxation_candidates(evidence.covariance), evidence, "press 4");
  EXPECT_TRUE(verdict.verdicts[0].reported);  // 14 % standard, 27 % expanded
  EXPECT_THAT(verdict.verdicts[1].reason, StartsWith("ID-02 k_1 = 400 ± "));  // 52 % standard
  EXPECT_THAT(verdict.verdicts[2].reason, StartsWith("ID-02 tau = 3 ± "));    // 0.57 > 0.5
  EXPECT_THAT(verdict.verdicts[2].reason, HasSubstr("s: interval wider than the value."));
  ASSERT_FALSE(verdict.warnings.empty());  // condition 2408 is beyond 1e3
  EXPECT_EQ(verdict.warnings[0].code, "ID-01");
  EXPECT_THAT(verdict.warnings[0].text, StartsWith("Data do not separate "));
  EXPECT_EQ(verdict.warnings[0].where, "press 4");
}

TEST(Refusal, ALongHoldReportsAllThreeWithoutWarning) {
  const auto jacobian = relaxation(9);
  FitEvidence evidence;
  evidence.condition = condition(jacobian);
  evidence.covariance = covariance_from(jacobian);
  const auto judged = judge(relaxation_candidates(evidence.covariance), evidence);
  for (const auto& v : judged.verdicts) EXPECT_TRUE(v.reported) << v.reason;
  EXPECT_TRUE(judged.warnings.empty());
}

TEST(Refusal, OnlyTheInseparablePairIsRefused) {
  Eigen::MatrixXd jacobian(4, 3);
  jacobian << 1, 0, 0, 0, 1, 1, 0, 2, 2, 0, 3, 3.000000001;
  FitEvidence evidence;
  evidence.condition = condition(jacobian);
  const std::vector all{candidate("a", 10, 1), candidate("b", 10, 1), candidate("c", 10, 1)};
  const auto verdicts = judge(all, evidence).verdicts;
  EXPECT_TRUE(verdicts[0].reported);
  EXPECT_THAT(verdicts[1].reason, StartsWith("ID-01 Data do not separate "));
  EXPECT_THAT(verdicts[1].reason, HasSubstr("b"));
  EXPECT_THAT(verdicts[2].reason, HasSubstr("c"));
}

TEST(Refusal, AParameterWithoutInfluenceIsNamed) {
  Eigen::MatrixXd jacobian(3, 2);
  jacobian << 1, 0, 2, 0, 3, 0;
  FitEvidence evidence;
  evidence.condition = condition(jacobian);
  const std::vector all{candidate("a", 10, 1), candidate("b", 10, 1)};
  const auto verdicts = judge(all, evidence).verdicts;
  EXPECT_TRUE(verdicts[0].reported);
  EXPECT_THAT(verdicts[1].reason, StartsWith("ID-01 Data do not separate b from a"));
}

TEST(Refusal, BoundsOpenProfilesAndManySolutionsHaveTheirWords) {
  auto bound = candidate("k", 0.5, 0.01);
  bound.at_bound = 0.5;
  auto open = candidate("sigma0", 8e4, 100);
  open.rise_below = 7.0;
  open.rise_above = 0.3;
  const std::vector all{bound, open};
  const auto verdicts = judge(all, {}).verdicts;
  EXPECT_EQ(verdicts[0].reason, "ID-06 k ended at its limit 0.5 N/m.");
  EXPECT_EQ(verdicts[1].reason, "ID-04 sigma0 has only a lower limit: 8e+04 N/m.");

  FitEvidence starts;
  starts.solutions = {{1, 2}, {1, 2.0001}, {5, 9}};
  starts.costs = {10, 10.001, 10.5};
  const auto several = judge(std::vector{candidate("k", 1, 0.1)}, starts).verdicts[0];
  EXPECT_THAT(several.reason, StartsWith("ID-05 Several solutions fit: (1, 2) at cost 10"));
  starts.solutions.back() = {1, 2};
  starts.costs.back() = 10;
  EXPECT_TRUE(judge(std::vector{candidate("k", 1, 0.1)}, starts).verdicts[0].reported);
}

TEST(Refusal, AnOffsetNearZeroIsNoReasonToRefuse) {
  auto offset = candidate("intercept", 0.001, 0.01);
  EXPECT_FALSE(judge(std::vector{offset}, {}).verdicts[0].reported);
  offset.location = true;
  EXPECT_TRUE(judge(std::vector{offset}, {}).verdicts[0].reported);
}

TEST(Refusal, StronglyCorrelatedPairsComeWithTheCombinationThatIsKnown) {
  FitEvidence evidence;
  evidence.covariance = Eigen::MatrixXd(2, 2);
  evidence.covariance << 4, -1.99, -1.99, 1;  // rho = -0.995
  const std::vector all{candidate("a", 100, 2), candidate("b", 50, 1)};
  const auto judged = judge(all, evidence);
  ASSERT_EQ(judged.warnings.size(), 1U);
  // a + 2 b = 200, variance 4 + 4 - 4 * 1.99 = 0.04
  EXPECT_EQ(judged.warnings[0].text, "a and b are known only together: a + 2 * b = 200 ± 0.2 N/m.");
}

TEST(Refusal, APatternInTheResidualsMakesNumbersDescriptive) {
  FitEvidence evidence;
  evidence.chi2_per_dof = 3.2;
  evidence.dof = 50;
  auto judged = judge(std::vector{candidate("k", 1, 0.1)}, evidence);
  ASSERT_EQ(judged.warnings.size(), 1U);
  EXPECT_EQ(judged.warnings[0].text,
            "Model does not describe the data (χ²/ν = 3.2); numbers are descriptive only.");
  evidence.chi2_per_dof = 1.1;
  EXPECT_TRUE(judge(std::vector{candidate("k", 1, 0.1)}, evidence).warnings.empty());
  evidence.runs_p = 1e-4;
  EXPECT_EQ(judge(std::vector{candidate("k", 1, 0.1)}, evidence).warnings[0].code, "ID-07");
}

}  // namespace
}  // namespace tactelier
