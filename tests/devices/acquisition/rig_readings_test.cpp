#include "devices/acquisition/rig_readings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tactelier::rig {
namespace {

/// Whether a press that grows from 1 to 3 N saturates tactel 1 of two with three channels each, of
/// which `stuck` ends at 500 counts.
bool saturates(std::size_t stuck) {
  SensorDescription sensor;
  sensor.channels = 3;
  RigReadings readings(PressAxis{2, 1}, sensor, {}, 1000);
  readings.watch_tactel(1);
  for (int i = 0; i < 400; ++i) {
    const double force_N = 1 + 5e-3 * i;
    readings.take_force(std::int64_t{i} * 10'000'000, {0, 0, force_N, 0, 0, 0}, force_N, false);
    devices::TactileFrame frame;
    frame.counts.assign(6, 10.0 * i);
    frame.counts[3 + stuck] = std::min(500.0, frame.counts[3 + stuck]);
    readings.take_frame(frame);
  }
  return readings.latest().saturated;
}

TEST(RigReadings, WatchTheNormalChannelOfThree) {
  EXPECT_FALSE(saturates(0));
  EXPECT_FALSE(saturates(1));
  EXPECT_TRUE(saturates(2));
}

}  // namespace
}  // namespace tactelier::rig
