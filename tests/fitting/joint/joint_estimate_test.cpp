// When the joint fit may take the place of what the stages found.

#include "fitting/joint/joint_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/joint/made_presses.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;

MadePad kelvin_voigt() {
  MadePad pad;
  pad.c_n = 9;
  return pad;
}

/// What stages would have found: the truth, to a few percent.
JointStart start_of(const MadePad& pad) {
  JointStart start;
  start.values = start_near(pad, 8);
  start.model = RateModel::kKelvinVoigt;
  double sum = 1;
  for (const double ratio : pad.ratio) sum += ratio;
  start.g.push_back({1 / sum, 0.01});
  for (std::size_t j = 0; j < pad.ratio.size(); ++j) {
    start.g.push_back({pad.ratio[j] / sum, 0.01});
    start.log_tau.push_back({std::log(pad.tau_s[j]), 0.05});
  }
  start.damping = {8, 1};
  return start;
}

TEST(JointEstimate, ReplacesWhatAgreesAndNamesItsCorrelations) {
  const auto pad = kelvin_voigt();
  const auto found = estimate_joint(record(pad, 1).traces, start_of(pad), {}).value();
  ASSERT_EQ(found.refusal, "");
  const auto near = [](const Estimate& estimate, double truth) {
    EXPECT_NEAR(estimate.value, truth, 4 * estimate.std);
  };
  near(found.k, 1800);
  near(found.damping, 9);
  near(found.g[0], 1 / 1.32);
  near(found.g[1], 0.2 / 1.32);
  near(found.g[2], 0.12 / 1.32);
  near(found.log_tau[0], std::log(0.15));
  near(found.log_tau[1], std::log(3.0));
  EXPECT_GT(found.delta_chi2, 100);
  EXPECT_EQ(found.names,
            (std::vector<std::string>{"k", "c_n", "g_inf", "g[0]", "g[1]", "tau[0]", "tau[1]"}));
  // Both are forces that fade within a quarter of a second of motion: more of one is less of the
  // other.
  const auto& c = found.covariance;
  EXPECT_LT(c(1, 3) / std::sqrt(c(1, 1) * c(3, 3)), -0.5);
}

TEST(JointEstimate, IntervalsHoldTheTruthAsOftenAsTheySay) {
  auto pad = kelvin_voigt();
  pad.scatter = 2e-3;
  constexpr int kRepeats = 8;
  int held = 0;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    const auto found = estimate_joint(record(pad, 100 + seed, 6).traces, start_of(pad), {}).value();
    ASSERT_EQ(found.refusal, "") << seed;
    const auto& d = found.damping;
    held += std::abs(d.value - 9) < coverage_95(d.dof) * d.std ? 1 : 0;
    const auto& tau = found.log_tau[1];
    held += std::abs(tau.value - std::log(3.0)) < coverage_95(tau.dof) * tau.std ? 1 : 0;
  }
  EXPECT_GE(held, 12);  // of 16 honest intervals fewer hold in one of a thousand runs
}

TEST(JointEstimate, KeepsTheStagesNumbersWhereThePressesTellAnotherStory) {
  const auto pad = kelvin_voigt();
  auto start = start_of(pad);
  start.g[1] = {0.25, 0.005};  // of another pad
  const auto found = estimate_joint(record(pad, 2).traces, start, {}).value();
  EXPECT_THAT(found.refusal, HasSubstr("g[0] differs"));
}

TEST(JointEstimate, SaysThatOneSetOfNumbersDoesNotDescribeAPadOfMoreBranches) {
  auto pad = kelvin_voigt();
  pad.ratio = {0.1, 0.1, 0.1};
  pad.tau_s = {0.05, 0.5, 5};
  const auto made = record(pad, 3);
  pad.ratio = {0.2};
  pad.tau_s = {0.5};
  const auto found = estimate_joint(made.traces, start_of(pad), {}).value();
  EXPECT_THAT(found.refusal, HasSubstr("does not describe all presses"));
}

TEST(JointEstimate, KeepsTheStagesNumbersWhereTheOtherRateModelFitsBetter) {
  MadePad pad;
  pad.dissipation = 12;
  pad.noise_N = 0.05;
  auto start = start_of(pad);
  start.values.damping = 9;
  const auto found = estimate_joint(record(pad, 4).traces, start, {}).value();
  EXPECT_THAT(found.refusal, HasSubstr("other rate model"));
  EXPECT_LT(found.delta_chi2, 0);
}

TEST(JointEstimate, StopsWhenAsked) {
  const auto pad = kelvin_voigt();
  std::stop_source stop;
  stop.request_stop();
  const Job job{{}, stop.get_token()};
  const auto found = estimate_joint(record(pad, 5, 2).traces, start_of(pad), job);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace tactelier::test
