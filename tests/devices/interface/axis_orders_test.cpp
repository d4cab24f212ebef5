#include "devices/interface/axis_orders.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "devices/interface/stage_travel.hpp"

namespace tactelier::devices {
namespace {

constexpr AxisScales kScales{{{0.5e-6, -10e-3}, {0.5e-6, 0}, {-0.25e-6, 40e-3}}};

TEST(AxisOrders, PutsCountsIntoTheRigsFrame) {
  const auto steps = steps_at(kScales, {0, 1e-3, 39e-3});
  EXPECT_EQ(steps, (AxisSteps{20'000, 2000, 4000}));
  const auto at_m = place_of(kScales, steps);
  EXPECT_NEAR(at_m[0], 0, 1e-12);
  EXPECT_NEAR(at_m[2], 39e-3, 1e-12);
}

TEST(AxisOrders, OneAxisTakesSpeedAndAccelerationWhole) {
  const auto orders = axis_orders(kScales, {0, 0, 0}, {0, 0, 4000}, 1e-3, 0.1);
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].axis, 2U);
  EXPECT_EQ(orders[0].to_steps, 4000);
  EXPECT_NEAR(orders[0].speed_steps_per_s, 4000, 1e-6);
  EXPECT_NEAR(orders[0].acceleration_steps_per_s2, 4e5, 1e-3);
}

/// 3 mm and 4 mm: 5 mm of way, whose fifths are the axes' shares.
TEST(AxisOrders, SharesAWaySoThatAllArriveTogether) {
  const auto orders = axis_orders(kScales, {0, 0, 0}, {6000, 8000, 0}, 5e-3, 0.5);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_NEAR(orders[0].speed_steps_per_s * 0.5e-6, 3e-3, 1e-12);
  EXPECT_NEAR(orders[1].speed_steps_per_s * 0.5e-6, 4e-3, 1e-12);
  EXPECT_NEAR(orders[0].acceleration_steps_per_s2 * 0.5e-6, 0.3, 1e-12);
  const double times[] = {6000 / orders[0].speed_steps_per_s, 8000 / orders[1].speed_steps_per_s};
  EXPECT_NEAR(times[0], times[1], 1e-9);
}

TEST(AxisOrders, LetsZLeaveFirstAndArriveLast) {
  const auto up = axis_orders(kScales, {0, 0, 4000}, {100, 100, 0}, 1e-3, 0.1);
  ASSERT_EQ(up.size(), 3U);
  EXPECT_EQ(up.front().axis, 2U);
  const auto down = axis_orders(kScales, {0, 0, 0}, {100, 100, 4000}, 1e-3, 0.1);
  EXPECT_EQ(down.back().axis, 2U);
  EXPECT_TRUE(axis_orders(kScales, {1, 2, 3}, {1, 2, 3}, 1e-3, 0.1).empty());
}

TEST(AlongWay, IsWhatTheTightestAxisAllows) {
  EXPECT_DOUBLE_EQ(along_way({3, 8, 1}, {0, 0, 0}, {3, 4, 0}), 5);
  EXPECT_DOUBLE_EQ(along_way({3, 8, 1}, {0, 0, 0}, {0, 0, -2}), 1);
  EXPECT_TRUE(std::isinf(along_way({3, 8, 1}, {1, 1, 1}, {1, 1, 1})));
}

}  // namespace
}  // namespace tactelier::devices
