// Truth: trapezoids worked by hand, lengths in mm, 100 mm/s2.
#include "fitting/recording/commanded_path.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tactelier {
namespace {

constexpr std::size_t kZ = 2;

Move along_z(int line, double queued_s, double from_mm, double to_mm, double speed_mm_per_s) {
  Move move;
  move.line = line;
  move.from_m = {0, 0, from_mm * 1e-3};
  move.to_m = {0, 0, to_mm * 1e-3};
  move.speed_m_per_s = speed_mm_per_s * 1e-3;
  move.acceleration_m_per_s2 = 0.1;
  move.queued_s = queued_s;
  return move;
}

double z_mm(const CommandedPath& path, double t_s) {
  return path.line_at(t_s).place_m(t_s)[kZ] * 1e3;
}

TEST(CommandedPath, GoesFromRestToRestAtTrapezoidalSpeed) {
  // 4 mm/s: 40 ms and 0.08 mm to speed up, 0.84 mm cruising in 0.21 s, 0.29 s in all.
  const CommandedPath path(std::vector{along_z(1, 10, 0.5, -0.5, 4)});
  ASSERT_EQ(path.lines().size(), 1U);
  EXPECT_NEAR(path.lines()[0].end_s, 10.29, 1e-12);
  EXPECT_NEAR(z_mm(path, 9), 0.5, 1e-12);
  EXPECT_NEAR(z_mm(path, 10.04), 0.42, 1e-12);
  EXPECT_NEAR(z_mm(path, 10.145), 0, 1e-12);
  EXPECT_NEAR(z_mm(path, 10.27), -0.48, 1e-12);
  EXPECT_NEAR(z_mm(path, 11), -0.5, 1e-12);
}

TEST(CommandedPath, BrakesWhereALineWasStopped) {
  // Stopped 0.1 s after its begin at 4 mm/s: 0.32 mm gone, 0.08 mm to brake, 40 ms.
  auto move = along_z(1, 10, 0.5, -0.5, 4);
  move.stopped_s = 10.1;
  const CommandedPath path(std::vector{move});
  EXPECT_NEAR(path.lines()[0].end_s, 10.14, 1e-12);
  EXPECT_NEAR(z_mm(path, 10.1), 0.18, 1e-12);
  EXPECT_NEAR(z_mm(path, 12), 0.1, 1e-12);
}

TEST(CommandedPath, GoesOnWithoutAStopThroughLinesQueuedTogether) {
  const CommandedPath path(std::vector{along_z(1, 10, 0.5, 0, 4), along_z(2, 10.01, 0, -0.5, 4)});
  ASSERT_EQ(path.lines().size(), 1U);
  EXPECT_NEAR(path.lines()[0].end_s, 10.29, 1e-12);
  EXPECT_NEAR(z_mm(path, 10.145), 0, 1e-12);
}

TEST(CommandedPath, WaitsForTheLineBeforeAndTurnsFromRest) {
  const CommandedPath path(std::vector{along_z(1, 10, 0.5, -0.5, 4), along_z(2, 10.1, -0.5, 0, 4)});
  ASSERT_EQ(path.lines().size(), 2U);
  EXPECT_NEAR(path.lines()[1].begin_s, 10.29, 1e-12);
  EXPECT_TRUE(path.joined(kZ, 0, 20));
}

TEST(CommandedPath, TellsWhereSomethingElseMovedTheStage) {
  const CommandedPath path(
      std::vector{along_z(1, 10, 0.5, -0.5, 4), along_z(2, 12, -0.52, 0.5, 4)});
  EXPECT_NEAR(path.lines()[1].jump_m[kZ], -0.02e-3, 1e-15);
  EXPECT_FALSE(path.joined(kZ, 11, 13));
  EXPECT_TRUE(path.joined(0, 11, 13));
  EXPECT_TRUE(path.joined(kZ, 10, 11));
}

// Told -2.024 a motor of 2.5 µm steps stands at -2.025, or at -2.0225, which reads -2.022.
TEST(CommandedPath, GoesOnFromTheStepOnWhichAStoppedMotorStands) {
  const CommandedPath path(
      std::vector{along_z(1, 10, 0.5, -2.024, 4), along_z(2, 12, -2.022, 0.5, 4)});
  EXPECT_FALSE(path.joined(kZ, 11, 13));
  EXPECT_TRUE(path.joined(kZ, 11, 13, 2.5e-6));
  EXPECT_FALSE(path.joined(kZ, 11, 13, 1.25e-6));
}

TEST(CommandedPath, FindsTheLineThatEndsInARest) {
  const CommandedPath path(std::vector{along_z(1, 10, 0.5, -0.5, 4), along_z(2, 12, -0.5, 0.5, 4)});
  EXPECT_EQ(path.line_into(10.27, 0.1, 0.05), &path.lines()[0]);  // it ends at 10.29
  EXPECT_EQ(path.line_into(10.38, 0.1, 0.05), &path.lines()[0]);
  EXPECT_EQ(path.line_into(10.40, 0.1, 0.05), nullptr);
  EXPECT_EQ(path.line_into(10.20, 0.1, 0.05), nullptr);  // still under way
  EXPECT_EQ(path.line_into(9, 0.1, 0.05), nullptr);
  EXPECT_EQ(CommandedPath().line_into(11, 0.1, 0.05), nullptr);
}

}  // namespace
}  // namespace tactelier
