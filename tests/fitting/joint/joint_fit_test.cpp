// All presses of one place at once, against pads made here.

#include "fitting/joint/joint_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "fitting/joint/joint_cost.hpp"
#include "tests/fitting/joint/made_presses.hpp"

namespace tactelier::test {
namespace {

double u_of(const JointFit& fit, Eigen::Index column) {
  return std::sqrt(fit.covariance(column, column));
}

void expect_found(const JointFit& fit, const MadePad& pad, double damping) {
  ASSERT_EQ(fit.covariance.rows(), 8);
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(std::log(fit.values.k), std::log(pad.k), 4 * u_of(fit, 0));
  EXPECT_NEAR(fit.values.hardening, pad.hardening, 4 * u_of(fit, 1));
  EXPECT_NEAR(fit.values.damping, damping, 4 * u_of(fit, 2));
  EXPECT_NEAR(fit.values.hysteresis, 0, 4 * u_of(fit, 3));
  for (Eigen::Index j = 0; j < 2; ++j) {
    const auto at = static_cast<std::size_t>(j);
    EXPECT_NEAR(fit.values.ratio[at], pad.ratio[at], 4 * u_of(fit, 4 + j));
    EXPECT_NEAR(std::log(fit.values.tau_s[at]), std::log(pad.tau_s[at]), 4 * u_of(fit, 6 + j));
  }
  EXPECT_NEAR(fit.chi2 / fit.dof, 1, 0.15);
}

TEST(JointFit, FindsWhatAKelvinVoigtPadThatRelaxesIsMadeOf) {
  MadePad pad;
  pad.c_n = 9;
  const auto made = record(pad, 1);
  const auto fit =
      fit_joint(pointers(made.traces), RateModel::kKelvinVoigt, start_near(pad, 5)).value();
  expect_found(fit, pad, 9);
  EXPECT_LT(u_of(fit, 0), 2e-3);
  EXPECT_LT(u_of(fit, 2), 0.3);
}

TEST(JointFit, FindsWhatAHuntCrossleyPadThatRelaxesIsMadeOf) {
  MadePad pad;
  pad.dissipation = 12;
  const auto made = record(pad, 2);
  const auto fit =
      fit_joint(pointers(made.traces), RateModel::kHuntCrossley, start_near(pad, 8)).value();
  expect_found(fit, pad, 12);
  const auto other =
      fit_joint(pointers(made.traces), RateModel::kKelvinVoigt, start_near(pad, 8)).value();
  EXPECT_GT(other.chi2, fit.chi2 + 100);
}

TEST(JointFit, PutsTheErrorOfAContactPointIntoThePresssOwnForce) {
  MadePad pad;
  pad.dissipation = 12;
  pad.hardening = 0;
  pad.too_deep_m = 4e-6;
  const auto made = record(pad, 3);
  const auto fit =
      fit_joint(pointers(made.traces), RateModel::kHuntCrossley, start_near(pad, 8)).value();
  expect_found(fit, pad, 12);
  for (const double own_N : fit.own_N) EXPECT_NEAR(own_N, -1800 * 4e-6, 1e-3);
}

// Whether k goes to the long-time stiffness or to a slow branch is told by long holds alone.
TEST(JointFit, ShortHoldsLeaveStiffnessAndTheSlowBranchCorrelated) {
  MadePad pad;
  pad.c_n = 9;
  const auto correlation = [&](double hold_s) {
    MadePresses made(pad, 4);
    for (int repeat = 0; repeat < 4; ++repeat) {
      made.ramp(repeat < 2 ? 5e-3 : 2e-3);
      made.hold(hold_s, 1e-3);
    }
    const auto fit =
        fit_joint(pointers(made.traces), RateModel::kKelvinVoigt, start_near(pad, 5)).value();
    return std::pair{fit.covariance(0, 7) / (u_of(fit, 0) * u_of(fit, 7)), u_of(fit, 0)};
  };
  const auto [of_long, u_long] = correlation(15);
  const auto [of_short, u_short] = correlation(1);
  EXPECT_LT(of_short, -0.9);
  EXPECT_GT(u_short, 3 * u_long);
  EXPECT_GT(of_long, of_short);
}

/// One sample at the end of 1 s at 1 mm/s.
JointTrace one_ramp() {
  JointTrace trace;
  trace.path = {0, {1}, {1e-3}};
  RateRow row;
  row.depth_m = 1e-3;
  row.velocity_m_per_s = 1e-3;
  row.sigma_N = 1;
  trace.rows = {row};
  trace.means = {{0, 1}};
  return trace;
}

// By hand: k depth = 1 N; branch 0.5 k v tau (1 - 1/e) = 0.3160603 N; c v = 0.02 N, d v k depth =
// 0.03 N.
TEST(JointFit, ForceAtTheEndOfARampIsThatComputedByHand) {
  const auto trace = one_ramp();
  const std::array own{0.0, 0.0};
  const auto force = [&](RateModel model, double damping) {
    const std::array shared{std::log(1000.0), 0.0, damping, 0.0, 0.5, 0.0};
    const std::array<const double*, 2> parameters{shared.data(), own.data()};
    std::array<double, 2> residuals{};
    const std::unique_ptr<ceres::CostFunction> cost(joint_cost(trace, model, 1, 0.01));
    EXPECT_TRUE(cost->Evaluate(parameters.data(), residuals.data(), nullptr));
    return residuals[0];
  };
  EXPECT_NEAR(force(RateModel::kKelvinVoigt, 20), 1.3360603, 1e-7);
  EXPECT_NEAR(force(RateModel::kHuntCrossley, 30), 1.3460603, 1e-7);
}

TEST(JointFit, DerivativesAreThoseOfSmallChanges) {
  MadePad pad;
  pad.c_n = 9;
  auto made = record(pad, 5, 2);
  for (const auto model : {RateModel::kKelvinVoigt, RateModel::kHuntCrossley})
    for (const std::size_t t : {0U, 9U}) {
      const auto& trace = made.traces[t];
      const std::unique_ptr<ceres::CostFunction> cost(joint_cost(trace, model, 2, 0.01));
      std::vector<double> shared{std::log(1900.0), 50, 7, 0.02, 0.25, 0.1, std::log(0.2), 0.9};
      std::array own{0.03, 0.02};
      const std::size_t rows = trace.rows.size() + 1;
      std::vector<double> residuals(rows), by_shared(rows * 8), by_own(rows * 2);
      std::array<double*, 2> slopes{by_shared.data(), by_own.data()};
      const std::array<const double*, 2> at{shared.data(), own.data()};
      ASSERT_TRUE(cost->Evaluate(at.data(), residuals.data(), slopes.data()));
      for (std::size_t p = 0; p < 10; ++p) {
        double& value = p < 8 ? shared[p] : own[p - 8];
        const double kept = value, step = 1e-5 * std::max(1.0, std::abs(kept));
        std::vector<double> above(rows), below(rows);
        value = kept + step;
        cost->Evaluate(at.data(), above.data(), nullptr);
        value = kept - step;
        cost->Evaluate(at.data(), below.data(), nullptr);
        value = kept;
        for (std::size_t i = (rows - 1) % 7; i < rows; i += 7) {
          const double slope = (above[i] - below[i]) / (2 * step);
          const double analytic = p < 8 ? by_shared[i * 8 + p] : by_own[i * 2 + p - 8];
          ASSERT_NEAR(analytic, slope, 1e-5 * std::max(1.0, std::abs(slope)))
              << "parameter " << p << ", row " << i;
        }
      }
    }
}

}  // namespace
}  // namespace tactelier::test
