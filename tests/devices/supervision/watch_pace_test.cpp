#include "devices/supervision/watch_pace.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kOnTime_ns = 100'000, kStoodStill_ns = 26'000'000;

TEST(WatchPace, JudgesWhileTheComputerKeepsTime) {
  WatchPace pace;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(pace.may_judge(kOnTime_ns));
}

TEST(WatchPace, LetsTheReadersGoFirstAfterTheComputerStoodStill) {
  WatchPace pace;
  EXPECT_FALSE(pace.may_judge(kStoodStill_ns));
  EXPECT_FALSE(pace.may_judge(kOnTime_ns));
  EXPECT_TRUE(pace.may_judge(kOnTime_ns));
  EXPECT_TRUE(pace.may_judge(kOnTime_ns));
}

TEST(WatchPace, JudgesAtOnceWhenTheComputerStoodStillForLong) {
  WatchPace pace;
  EXPECT_TRUE(pace.may_judge(1'000'000'000));
}

TEST(WatchPace, JudgesEveryThirdLookOfAComputerThatIsAlwaysLate) {
  WatchPace pace;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(pace.may_judge(kStoodStill_ns));
    EXPECT_FALSE(pace.may_judge(kStoodStill_ns));
    EXPECT_TRUE(pace.may_judge(kStoodStill_ns));
  }
}

}  // namespace
}  // namespace tactelier::rig
