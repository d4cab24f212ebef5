// What the supervisor allows, and how far a press goes beyond it.

#include "devices/supervision/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

TEST(Limits, TheSmallerOfRigAndSensorHolds) {
  auto rig = virtual_bench_rig();  // 25 N
  auto sensor = *load_sensor("weiss-wts0614");
  sensor.max_force_N = 4;
  EXPECT_EQ(safety_limits(rig, sensor, 1000, 1).pad_force_N, 4);
  sensor.max_force_N = 40;
  EXPECT_EQ(safety_limits(rig, sensor, 1000, 1).pad_force_N, 25);
}

TEST(Limits, AForceMayBeFivePeriodsOldAndNeverLessThanTwentyMilliseconds) {
  const auto rig = virtual_bench_rig();
  const auto sensor = *load_sensor("weiss-wts0614");
  EXPECT_DOUBLE_EQ(safety_limits(rig, sensor, 7000, 1).force_age_s, 20e-3);
  EXPECT_DOUBLE_EQ(safety_limits(rig, sensor, 80, 1).force_age_s, 62.5e-3);
}

/// A bench's clock waits for whoever judges: its sensor may be no older than a real one's.
TEST(Limits, ABenchOnItsOwnClockIsJudgedAsADevice) {
  const auto rig = virtual_bench_rig();
  const auto sensor = *load_sensor("weiss-wts0614");
  EXPECT_DOUBLE_EQ(safety_limits(rig, sensor, 1000, 8, true).force_age_s, 20e-3);
  EXPECT_DOUBLE_EQ(safety_limits(rig, sensor, 1000, 8, true).live_force_s, 50e-3);
  EXPECT_DOUBLE_EQ(safety_limits(rig, sensor, 1000, 8).force_age_s, 3.2);
}

TEST(Limits, ASlowSensorsFirstRecordOverTheLimitCounts) {
  const auto rig = virtual_bench_rig();
  const auto sensor = *load_sensor("weiss-wts0614");
  EXPECT_EQ(safety_limits(rig, sensor, 7000, 1).records_over, 3);
  EXPECT_EQ(safety_limits(rig, sensor, 1000, 1).records_over, 2);
  EXPECT_EQ(safety_limits(rig, sensor, 80, 1).records_over, 1);
}

// Nano17 SI-12-0.12: 17 N along its axis, or on a tip 20 mm beside it 20 mm of lever on 0.12 N m.
TEST(Limits, ATipBesideThePressingAxisMayBePressedLessBecauseOfItsTorque) {
  auto rig = virtual_bench_rig();
  const auto limits = safety_limits(rig, *load_sensor("weiss-wts0614"), 1000, 1);
  devices::ForceScale scale;
  EXPECT_DOUBLE_EQ(limits.torque_Nm.value(), 0.25);
  EXPECT_FALSE(sensor_press_limit_N(limits, scale, rig));
  scale.full_scale_SI = {12, 12, 17, 0.12, 0.12, 0.12};
  EXPECT_DOUBLE_EQ(sensor_press_limit_N(limits, scale, rig).value(), 17);
  rig.tip_m = Vector3{0.02, 0, 0.025};
  // sqrt((F / 17)^2 + (0.02 F / 0.12)^2) = 1
  EXPECT_NEAR(sensor_press_limit_N(limits, scale, rig).value(), 1 / std::hypot(1 / 17., 1 / 6.),
              1e-12);
  // Without a known range the rig's torque limit alone: 0.25 N m / 20 mm.
  EXPECT_NEAR(sensor_press_limit_N(limits, {}, rig).value(), 12.5, 1e-12);
}

// docs/safety.md: at 2 N/mm, 1 mm/s and 50 ms the overshoot is 0.1 N; at 50 N/mm, 5 mm/s and
// 100 ms it is 25 N.
TEST(Limits, OvershootIsStiffnessTimesSpeedTimesDelay) {
  EXPECT_NEAR(overshoot_N({2e3, 1e-3, 10e-3, 40e-3, 0}), 0.1, 1e-12);
  EXPECT_NEAR(overshoot_N({50e3, 5e-3, 50e-3, 50e-3, 0}), 25, 1e-9);
  // Braking from 1 mm/s at 100 mm/s2 takes 5 um more.
  EXPECT_NEAR(overshoot_N({2e3, 1e-3, 10e-3, 40e-3, 0.1}), 0.1 + 2e3 * 5e-6, 1e-12);
}

TEST(Limits, TheSpeedForAMarginHasThatOvershoot) {
  for (const double acceleration : {0.0, 0.1}) {
    Approach approach{20e3, 0, 5e-3, 50e-3, acceleration};
    approach.speed_m_per_s = speed_for_margin_m_per_s(1.5, approach);
    EXPECT_NEAR(overshoot_N(approach), 1.5, 1e-9);
  }
  EXPECT_EQ(speed_for_margin_m_per_s(0, {20e3, 0, 5e-3, 50e-3, 0.1}), 0);
}

TEST(Limits, APaceIsTheSlowerOfAskedAndAllowedWithItsOvershoot) {
  // 2 N/mm, 50 ms, no braking: 0.1 N are gone at 1 mm/s, 0.05 N at 0.5 mm/s.
  const Approach approach{2e3, 9, 10e-3, 40e-3, 0};
  const auto fast = pace_for_margin(0.1, 2e-3, approach);
  EXPECT_NEAR(fast.allowed_m_per_s, 1e-3, 1e-12);
  EXPECT_TRUE(fast.slowed());
  EXPECT_NEAR(fast.overshoot_N, 0.1, 1e-12);
  const auto slow = pace_for_margin(0.1, 0.5e-3, approach);
  EXPECT_FALSE(slow.slowed());
  EXPECT_NEAR(slow.gone_m_per_s(), 0.5e-3, 1e-12);
  EXPECT_NEAR(slow.overshoot_N, 0.05, 1e-12);
}

TEST(Limits, AStageInStepsOvershootsByThemAtAnySpeed) {
  // 3 N in steps of 1 um: 3 * 20 * 1e-6 / 1e-3 = 0.06 N beside the way's part, allowed or asked.
  Approach approach{2e3, 9, 10e-3, 40e-3, 0};
  approach.steps_N = stepping_N(3, 1e-6);
  EXPECT_NEAR(pace_for_margin(0.1, 2e-3, approach).overshoot_N, 0.1 + 0.06, 1e-12);
  EXPECT_NEAR(pace_for_margin(0.1, 0.5e-3, approach).overshoot_N, 0.05 + 0.06, 1e-12);
  EXPECT_NEAR(pace_for_margin(0.1, 2e-3, approach).allowed_m_per_s, 1e-3, 1e-12);
  EXPECT_NEAR(stepping_N(3, std::nullopt), 0.15, 1e-12);  // 2.5 um where nobody states it
}

TEST(Limits, TheTableNamesEveryLimitWithItsAction) {
  const auto limits = safety_limits(virtual_bench_rig(), *load_sensor("weiss-wts0614"), 1000, 1);
  const auto rows = limit_table(limits, {4e3, 1e-3, 2e-3, 50e-3, 0.1, 0.1}, 1e-6);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().what, "pad force");
  EXPECT_EQ(rows.front().value, "25 N");
  EXPECT_THAT(rows.front().action, HasSubstr("3 times"));
  EXPECT_NEAR(rows.front().overshoot_N.value(), 0.208 + 0.02 + 25 * 20 * 1e-3, 1e-9);
  const auto depth = std::find_if(rows.begin(), rows.end(), [](const LimitRow& row) {
    return row.what == "indentation depth";
  });
  ASSERT_NE(depth, rows.end());  // 0.1 mm of doubt and a tenth of a second more, at 4 N/mm
  EXPECT_NEAR(depth->overshoot_N.value(), rows.front().overshoot_N.value() + 0.4 + 0.4, 1e-9);
}

TEST(Limits, ATorquesOvershootIsATorque) {
  auto limits = safety_limits(virtual_bench_rig(), *load_sensor("weiss-wts0614"), 1000, 1);
  const auto words = [&] {
    const auto rows = limit_table(limits, {4e3, 1e-3, 2e-3, 48e-3, 0}, 1e-6);
    const auto torque = std::find_if(rows.begin(), rows.end(),
                                     [](const LimitRow& row) { return row.what == "torque"; });
    return torque == rows.end() ? "no row" : overshoot_words(*torque);
  };
  EXPECT_EQ(words(), "");  // the tip stands in the pressing axis
  limits.tip_m = {30e-3, 0, 25e-3};
  EXPECT_EQ(words(), "6 N mm");  // 0.2 N at 30 mm
}

}  // namespace
}  // namespace tactelier::rig
