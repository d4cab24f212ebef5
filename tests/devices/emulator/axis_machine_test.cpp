#include "devices/emulator/axis_machine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "devices/emulator/emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::int64_t until_rest(AxisMachine& axis, std::int64_t now_ns) {
  while (axis.moving()) axis.run_until(now_ns += kMs);
  return now_ns;
}

/// 1 s of ramps at 1000 counts/s^2 and 1000 counts/s, 9000 counts between: 1 + 9 + 1 s.
TEST(AxisMachine, GoesATrapezoid) {
  AxisMachine axis;
  axis.go(10'000, 1000, 1000);
  axis.run_until(1000 * kMs);
  EXPECT_NEAR(axis.position(), 500, 1);
  EXPECT_NEAR(static_cast<double>(until_rest(axis, 1000 * kMs)) * 1e-9, 11, 0.01);
  EXPECT_EQ(axis.position(), 10'000);
  EXPECT_EQ(axis.next_ns(), kNever);
}

TEST(AxisMachine, GoesATriangleWhereTheWayIsShort) {
  AxisMachine axis;
  axis.go(-1000, 1e6, 1000);
  EXPECT_NEAR(static_cast<double>(until_rest(axis, 0)) * 1e-9, 2, 0.01);
  EXPECT_EQ(axis.position(), -1000);
}

/// v^2 / 2a = 500 counts.
TEST(AxisMachine, StopsByDecelerating) {
  AxisMachine axis;
  axis.go(10'000, 1000, 1000);
  axis.run_until(3000 * kMs);
  const double told = axis.position();
  axis.stop(1000);
  const auto rest_ns = until_rest(axis, 3000 * kMs);
  EXPECT_NEAR(static_cast<double>(rest_ns - 3000 * kMs) * 1e-9, 1, 0.01);
  EXPECT_NEAR(axis.position() - told, 500, 2);
}

TEST(AxisMachine, TurnsWhenItsTargetIsReplaced) {
  AxisMachine axis;
  axis.go(10'000, 1000, 1000);
  axis.run_until(3000 * kMs);
  axis.go(0, 1000, 1000);
  double most = 0;
  for (std::int64_t now_ns = 3000 * kMs; axis.moving(); now_ns += kMs) {
    axis.run_until(now_ns);
    most = std::max(most, axis.position());
  }
  EXPECT_NEAR(most, 2500 + 500, 3);
  EXPECT_EQ(axis.position(), 0);
}

TEST(AxisMachine, HaltsDead) {
  AxisMachine axis;
  axis.go(10'000, 1000, 1000);
  axis.run_until(3000 * kMs);
  const double at = axis.position();
  axis.halt();
  axis.run_until(4000 * kMs);
  EXPECT_EQ(axis.position(), at);
}

}  // namespace
}  // namespace tactelier::devices
