// Friction of joints: SciPy's least squares of the same runs, runs found in a recording whose
// speeds are known, and what is refused.
#include "fitting/rotary/joint_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

using ::testing::HasSubstr;

constexpr std::array kSpeeds_rad_per_s{0.02, 0.04, 0.07, 0.11, 0.17, 0.25, 0.4, 0.7, 1.2, 2.0};

double friction_Nm(double speed, double drop_Nm) {
  return std::copysign(0.5 + drop_Nm * std::exp(-std::pow(speed / 0.15, 2)), speed) + 0.04 * speed +
         0.05;
}

/// Both ways at ten speeds, twice, 4 mN*m of scatter that repeats on every machine.
std::vector<TurningRun> runs_with(double drop_Nm, bool backward = true) {
  std::vector<TurningRun> runs;
  int k = 0;
  for (int round = 0; round < 2; ++round)
    for (const double speed : kSpeeds_rad_per_s)
      for (const double way : {-1.0, 1.0}) {
        const double noise_Nm = ((k++ * 37) % 101 - 50) / 50.0 * 0.004;
        if (way > 0 || backward)
          runs.push_back({way * speed, friction_Nm(way * speed, drop_Nm) + noise_Nm, 100});
      }
  return runs;
}

// scipy.optimize.curve_fit, 1.10, of the same forty numbers: values and standard errors.
TEST(JointLaw, IsThatOfSciPy) {
  const auto fit = fit_joint(runs_with(0.3));
  ASSERT_TRUE(fit.refusal.empty()) << fit.refusal;
  ASSERT_TRUE(fit.drops);
  EXPECT_TRUE(fit.not_bracketed.empty()) << fit.not_bracketed;
  EXPECT_NEAR(fit.law.coulomb_Nm, 0.499436707, 1e-7);
  EXPECT_NEAR(fit.law.breakaway_Nm, 0.800695831, 1e-7);
  EXPECT_NEAR(fit.law.stribeck_speed_rad_per_s, 0.149721448, 1e-7);
  EXPECT_NEAR(fit.law.viscous_Nm_s_per_rad, 0.040186881, 1e-7);
  EXPECT_NEAR(fit.law.offset_Nm, 0.049988, 1e-7);
  EXPECT_NEAR(fit.u[kJointCoulomb], 1.130785e-3, 1e-8);
  EXPECT_NEAR(fit.u[kJointBreakaway], 8.903917e-4, 1e-8);
  EXPECT_NEAR(fit.u[kJointStribeck], 8.759826e-4 / 0.149721448, 1e-7);  // of the logarithm
  EXPECT_NEAR(fit.u[kJointViscous], 9.54204e-4, 1e-8);
  EXPECT_NEAR(fit.u[kJointOffset], 3.909801e-4, 1e-8);
  EXPECT_EQ(fit.dof, 35);
}

TEST(JointLaw, ALineStaysALine) {
  const auto fit = fit_joint(runs_with(0));
  EXPECT_FALSE(fit.drops);
  EXPECT_GT(fit.drop_p, 0.01);
  EXPECT_NEAR(fit.law.coulomb_Nm, 0.5, 2e-3);
  EXPECT_NEAR(fit.law.viscous_Nm_s_per_rad, 0.04, 2e-3);
  EXPECT_TRUE(std::isnan(fit.u[kJointBreakaway]));
}

TEST(JointLaw, OneWayTheOffsetIsPartOfCoulombs) {
  const auto fit = fit_joint(runs_with(0.3, false));
  EXPECT_TRUE(fit.one_way);
  EXPECT_NEAR(fit.law.coulomb_Nm, 0.55, 5e-3);
  EXPECT_TRUE(std::isnan(fit.u[kJointOffset]));
}

TEST(JointLaw, ADropThatNoRunReachesIsNotTold) {
  auto runs = runs_with(0.3);
  std::erase_if(runs, [](const TurningRun& run) { return std::abs(run.speed_rad_per_s) < 0.15; });
  EXPECT_THAT(fit_joint(runs).not_bracketed, HasSubstr("RO-02"));
}

TEST(JointLaw, OneSpeedIsNoLine) {
  const std::vector<TurningRun> runs(8, {0.5, 0.6, 10});
  EXPECT_THAT(fit_joint(runs).refusal, HasSubstr("RO-01"));
}

/// At rest, speeding up over 0.1 s, turning for two seconds, at each speed both ways; 200 rows/s.
JointRows recorded(bool with_angle) {
  JointRows rows;
  double angle_rad = 0;
  int k = 0;
  const auto add = [&](double speed, double torque_Nm) {
    rows.time_s.push_back(0.005 * k);
    const double noise = ((k++ * 61) % 97 - 48) / 48.0;
    if (with_angle)
      rows.angle_rad.push_back(angle_rad);
    else
      rows.speed_rad_per_s.push_back(speed + 0.002 * noise);
    rows.torque_Nm.push_back(torque_Nm + 0.002 * noise);
    angle_rad += 0.005 * speed;
  };
  for (const double speed : kSpeeds_rad_per_s)
    for (const double way : {-1.0, 1.0}) {
      for (int i = 0; i < 60; ++i) add(0, 0.05);
      for (int i = 0; i < 20; ++i) add(way * speed * (i + 1) / 20, 3);
      for (int i = 0; i < 400; ++i) add(way * speed, friction_Nm(way * speed, 0.3));
    }
  return rows;
}

TEST(SteadyRuns, AreWhereTheJointTurnsSteadilyAndNowhereElse) {
  for (const bool with_angle : {true, false}) {
    const auto runs = steady_runs(recorded(with_angle));
    ASSERT_EQ(runs.size(), 2 * kSpeeds_rad_per_s.size()) << with_angle;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double speed = (i % 2 == 0 ? -1 : 1) * kSpeeds_rad_per_s[i / 2];
      EXPECT_NEAR(runs[i].speed_rad_per_s, speed, 2e-4) << with_angle;
      EXPECT_NEAR(runs[i].torque_Nm, friction_Nm(speed, 0.3), 3e-4) << "speeding up took 3 N*m";
      EXPECT_GT(runs[i].rows, 300U);
    }
  }
}

}  // namespace
}  // namespace tactelier
