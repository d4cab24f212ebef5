// Time left by hand: a plan of a few pieces, and how long they took.

#include "devices/motion/time_left.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

Segment piece(Phase phase, double duration_s, Touch touch = Touch::kAir) {
  Segment segment;
  segment.phase = phase;
  segment.touch = touch;
  segment.duration_s = duration_s;
  return segment;
}

/// Ten presses: to the place, down, up.
Plan ten_presses() {
  Plan plan;
  for (int i = 0; i < 10; ++i) {
    plan.segments.push_back(piece(Phase::kTravel, 1));
    plan.segments.push_back(piece(Phase::kLoad, 2, Touch::kPad));
    plan.segments.push_back(piece(Phase::kUnload, 2, Touch::kPad));
  }
  return plan;
}

TEST(TimeLeft, IsWhatThePlanSaysAndAUsualStageBefore) {
  const auto plan = ten_presses();
  const TimeLeft left(plan);
  EXPECT_NEAR(left.left_s(0, 0), 10 * (1 + 2 + 2) + 10 * (0.2 + 0.4 + 0.2), 1e-9);
  EXPECT_NEAR(left.left_s(0, 0), left.total_s(), 1e-9);
}

/// "52 %, 1 s left" with 80 s to go: the clock restarted with each press.
TEST(TimeLeft, FollowsTheMeasuredPaceAndNotTheFirstPieceOfAKind) {
  const auto plan = ten_presses();
  TimeLeft left(plan);
  for (std::size_t press = 0; press < 5; ++press) {
    left.took(3 * press, 1.5);
    left.took(3 * press + 1, press == 0 ? 21 : 3);  // it felt its way
    left.took(3 * press + 2, 2);
  }
  // Excess, the usual one among them and the longest left out: 0.2 and 4 times 0.5 s of a way, 0.4
  // and 4 times 1 s down, 5 times 0 s up.
  const double way_s = 1 + 2.2 / 5, down_s = 2 + 4.4 / 5, up_s = 2;
  EXPECT_NEAR(left.left_s(15, 0), 5 * (way_s + down_s + up_s), 1e-9);
  EXPECT_NEAR(left.left_s(16, 1), 5 * (way_s + down_s + up_s) - way_s - 1, 1e-9);
}

TEST(TimeLeft, APieceThatLastsLongerThanExpectedTakesNothingFromTheOthers) {
  const auto plan = ten_presses();
  const TimeLeft left(plan);
  EXPECT_NEAR(left.left_s(28, 100), 2.2, 1e-9);
  EXPECT_NEAR(left.left_s(29, 100), 0, 1e-9);
  EXPECT_EQ(left.left_s(30, 0), 0);
}

TEST(TimeLeft, KindsOfContactAreKeptApart) {
  Plan plan;
  plan.segments = {piece(Phase::kLoad, 3, Touch::kPlate), piece(Phase::kLoad, 2, Touch::kPad)};
  TimeLeft left(plan);
  left.took(0, 21);  // rigid ground is felt for
  EXPECT_NEAR(left.left_s(1, 0), 2.4, 1e-9);
}

}  // namespace
}  // namespace tactelier::rig
