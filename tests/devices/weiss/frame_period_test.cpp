#include "devices/weiss/frame_period.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier::devices {
namespace {

/// Frames `period_ms` apart, stamped in whole milliseconds; `lost(i)` says which never come.
template <class Lost>
std::int64_t counted(double period_ms, int frames, Lost lost) {
  FramePeriod period;
  std::int64_t count = 0, last_ms = 0;
  for (int i = 1; i <= frames; ++i) {
    if (lost(i)) continue;
    const auto time_ms = std::llround(i * period_ms);
    count += period.lost_in(time_ms - last_ms);
    last_ms = time_ms;
  }
  return count;
}

TEST(FramePeriod, CountsWhatIsMissingWhateverThePeriod) {
  for (const double period_ms : {16.7, 1000.0 / 30, 37.0, 100.0, 1000.0})
    EXPECT_EQ(counted(period_ms, 2000, [](int i) { return i % 97 < 3 && i > 20; }), 20 * 3)
        << period_ms;
}

TEST(FramePeriod, CountsLossesAmongTheFirstFramesOnceItKnows) {
  EXPECT_EQ(counted(33.3, 100, [](int i) { return i == 3 || i == 6; }), 2);
  EXPECT_EQ(counted(33.3, 100, [](int) { return false; }), 0);
}

TEST(FramePeriod, CountsALongHoleToTheFrame) {
  // 33 ms of the first steps would be 3 frames off by then.
  EXPECT_EQ(counted(1000.0 / 30, 2000, [](int i) { return i > 900 && i <= 1200; }), 300);
}

}  // namespace
}  // namespace tactelier::devices
