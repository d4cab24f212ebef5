#include "devices/supervision/lateral_watch.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

constexpr double kRate_hz = 1000;
constexpr std::size_t kPressAxis = 2;

void see(LateralWatch& watch, const std::array<double, 3>& force_N, int samples, bool in_air) {
  for (int i = 0; i < samples; ++i) watch.see(force_N, in_air);
}

TEST(LateralWatch, ABumpIsAForceInTheAirInAnyDirection) {
  for (const std::array<double, 3>& knock :
       {std::array{0.5, 0.0, 0.0}, std::array{0.0, -0.5, 0.0}, std::array{0.0, 0.0, 0.5}}) {
    LateralWatch watch(kPressAxis, kRate_hz);
    see(watch, {0, 0, 0}, 1000, true);
    EXPECT_FALSE(watch.collided());
    see(watch, knock, 10, true);
    EXPECT_TRUE(watch.collided());
  }
}

TEST(LateralWatch, AZeroThatCreepsAndAWildSampleAreNoBump) {
  LateralWatch watch(kPressAxis, kRate_hz);
  double zero_N = 4;  // a tip's weight: only changes count
  for (int i = 0; i < 20'000; ++i) watch.see({zero_N += 5e-5, 1, 0}, true);  // 0.05 N/s
  watch.see({zero_N + 0.5, 1, 0}, true);
  EXPECT_FALSE(watch.collided());
}

TEST(LateralWatch, ANotedCollisionLastsUntilItIsForgotten) {
  LateralWatch watch(kPressAxis, kRate_hz);
  watch.note_collision();
  see(watch, {0, 0, 0}, 10, true);
  EXPECT_TRUE(watch.collided());
  watch.forget_collision();
  see(watch, {0, 0, 0}, 10, true);
  EXPECT_FALSE(watch.collided());
}

TEST(LateralWatch, ASideLoadIsTheMostAcrossThePressingAxisSinceThePressBegan) {
  LateralWatch watch(kPressAxis, kRate_hz);
  see(watch, {0.1, 0.1, 0}, 1000, true);
  watch.begin_press();
  see(watch, {0.1, 0.1, 5}, 100, false);
  EXPECT_NEAR(watch.side_N(), 0, 1e-9);
  see(watch, {0.4, 0.5, 5}, 100, false);
  see(watch, {0.1, 0.1, 0}, 100, false);
  EXPECT_NEAR(watch.side_N(), 0.5, 1e-6);
  EXPECT_FALSE(watch.collided());
  watch.begin_press();
  EXPECT_EQ(watch.side_N(), 0);
}

}  // namespace
}  // namespace tactelier::rig
