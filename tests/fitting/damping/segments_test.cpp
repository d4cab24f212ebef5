#include "fitting/damping/segments.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

struct Columns {
  std::vector<double> time_s, depth_m, force_N;
};

/// 1 kHz, in at `speed` and out again; force is 1000 N/m times depth.
Columns press(double speed, int rows) {
  Columns columns;
  for (int i = 0; i < rows; ++i) {
    columns.time_s.push_back(1e-3 * i);
    columns.depth_m.push_back(speed * 1e-3 * (i < rows / 2 ? i : rows - 1 - i));
    columns.force_N.push_back(1000 * columns.depth_m.back());
  }
  return columns;
}

std::vector<PressSegment> of(const Columns& c, const SegmentLengths& lengths = {}) {
  return segments(c.time_s, c.depth_m, c.force_N, lengths);
}

TEST(Segments, OfAFastPressLastFiveMillisecondsAndCarryItsSpeed) {
  const auto found = of(press(3e-3, 200));
  ASSERT_GT(found.size(), 30U);
  EXPECT_EQ(found[0].begin, 1U);
  EXPECT_EQ(found[0].end, 6U);
  EXPECT_NEAR(found[0].depth_m, 9e-6, 1e-12);  // rows 1 to 5
  EXPECT_NEAR(found[0].force_N, 9e-3, 1e-9);
  EXPECT_NEAR(found[0].velocity_m_per_s, 3e-3, 1e-12);
  EXPECT_NEAR(found[0].half_sample_m_per_s, 0, 1e-12);
  EXPECT_NEAR(found.back().velocity_m_per_s, -3e-3, 1e-12);
}

TEST(Segments, OfASlowPressReachTenMicrometres) {
  const auto slow = press(1e-4, 2000);
  EXPECT_EQ(of(slow)[0].end - of(slow)[0].begin, 100U);
  EXPECT_EQ(of(slow, {5e-3, 0, 1})[0].rows(), 5);
  EXPECT_EQ(of(slow, {5e-3, 1, 0.2})[0].rows(), 200);  // at most 0.2 s
}

TEST(Segments, SayWhereTheMotionTurns) {
  int turning = 0;
  for (const auto& one : of(press(3e-3, 211))) {
    turning += one.turning ? 1 : 0;
    if (one.turning) {
      EXPECT_LE(one.begin, 105U);
      EXPECT_GE(one.end, 105U);
    }
  }
  EXPECT_LE(turning, 1);
  const InTouch touch{1e-5, 0.01};
  EXPECT_FALSE(touch.holds({1, 2, 2e-5, 0.02, 0, 0, true}));
  EXPECT_FALSE(touch.holds({1, 2, 1e-5, 0.02, 0, 0, false}));
  EXPECT_FALSE(touch.holds({1, 2, 2e-5, 0.01, 0, 0, false}));
  EXPECT_TRUE(touch.holds({1, 2, 2e-5, 0.02, 0, 0, false}));
}

}  // namespace
}  // namespace tactelier
