#include "devices/motion/hand_push.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

constexpr ForceAxes kHanging{{2, -1}, 0.0};  // press_axis "-z"

std::string verdict(Push push, const std::array<double, 3>& felt_N, const ForceAxes& axes) {
  const auto judged = judge_push(push, felt_N, axes);
  return judged ? "fine" : judged.error().message;
}

TEST(HandPush, ThePressingAxisAndItsSignAreProven) {
  EXPECT_EQ(verdict(Push::kUp, {0.1, -0.1, -1.0}, kHanging), "fine");
  EXPECT_THAT(verdict(Push::kUp, {0.1, -0.1, 1.0}, kHanging), HasSubstr("reads as a pull"));
  EXPECT_THAT(verdict(Push::kUp, {1.0, 0, -0.2}, kHanging), HasSubstr("another axis"));
  EXPECT_EQ(verdict(Push::kUp, {1.0, 0, 0}, {0, 1, {}}), "fine");
}

TEST(HandPush, ADeadSensorIsNoAir) {
  EXPECT_THAT(verdict(Push::kUp, {0, 0, -0.05}, kHanging), HasSubstr("not felt"));
  EXPECT_THAT(verdict(Push::kX, {0, 0, 0}, kHanging), HasSubstr("not felt"));
}

TEST(HandPush, SidewaysEitherSignWillDoButNotAnotherDirection) {
  EXPECT_EQ(verdict(Push::kX, {1, 0.2, 0.1}, kHanging), "fine");
  EXPECT_EQ(verdict(Push::kX, {-1, 0.2, 0.1}, kHanging), "fine");
  EXPECT_THAT(verdict(Push::kX, {0.1, 1, 0}, kHanging), HasSubstr("rz_deg"));
  EXPECT_THAT(verdict(Push::kY, {0.1, 0.3, -0.8}, kHanging), HasSubstr("pressing axis"));
}

TEST(HandPush, ATurnedSensorIsTurnedBack) {
  const ForceAxes quarter{2, -1, 1.5707963};
  EXPECT_EQ(verdict(Push::kX, {0, 1, 0}, quarter), "fine");
  EXPECT_THAT(verdict(Push::kX, {1, 0, 0}, quarter), HasSubstr("rz_deg"));
  EXPECT_EQ(verdict(Push::kX, {1, 0, 0}, {2, -1, {}}), "fine");  // nobody knows yet
}

}  // namespace
}  // namespace tactelier::rig
