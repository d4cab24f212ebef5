#include "fitting/time/press_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// Presses at odd distances, host time.
std::vector<double> presses() {
  RandomSource random(9);
  std::vector<double> at_s;
  double t = 10;
  for (int i = 0; i < 60; ++i) at_s.push_back(t += 5 + 8 * random.uniform());
  return at_s;
}

/// What a stream shows of presses: ramps of 2 s up and down to `height`, cut off at 1.
std::vector<double> centres(const std::vector<double>& at_s, double rate_hz, double height,
                            double offset_s, double skew, std::uint64_t seed) {
  RandomSource random(seed);
  LoadedParts parts;
  std::size_t next = 0;
  const double end_s = at_s.back() + 5;
  for (double t = 0; t < end_s; t += 1 / rate_hz) {
    while (next + 1 < at_s.size() && t > at_s[next] + 2.4) ++next;
    const double load = height * std::max(0.0, 1 - std::abs(t - at_s[next]) / 2);
    parts.add((t - offset_s) / (1 + skew), std::min(load, 1.0) + 0.01 * random.normal());
  }
  return parts.centres_s();
}

TEST(PressClock, CentresAreWhereThePressesAre) {
  const auto at_s = presses();
  const auto found = centres(at_s, 300, 0.9, 0, 0, 1);
  ASSERT_EQ(found.size(), at_s.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], at_s[i], 0.02);
}

TEST(PressClock, PressesAloneLineTwoClocksUpToMilliseconds) {
  const auto at_s = presses();
  const auto host = centres(at_s, 1000, 0.8, 0, 0, 1);
  const auto device = centres(at_s, 270, 1.6, -615219.3, -809e-6, 2);  // saturates
  const auto clock = clock_from_presses(host, device);
  ASSERT_TRUE(clock);
  EXPECT_GE(clock->points, 58U);
  EXPECT_NEAR(clock->skew.value, -809e-6, 3 * clock->skew.std + 1e-6);
  for (const double t : {50.0, 300.0, 600.0}) {
    const double stamp = (t + 615219.3) / (1 - 809e-6);
    EXPECT_NEAR(clock->map.to_host_s(stamp), t, 5e-3);
  }
}

TEST(PressClock, EachMayLackPressesThatTheOtherHas) {
  const auto at_s = presses();
  auto host = centres(at_s, 1000, 0.8, 0, 0, 1);
  auto device = centres(at_s, 270, 0.8, 40, 300e-6, 2);
  host.erase(host.begin() + 20);
  device.erase(device.begin(), device.begin() + 3);  // a plate does not press the array
  device.erase(device.begin() + 40);
  const auto clock = clock_from_presses(host, device);
  ASSERT_TRUE(clock);
  EXPECT_GE(clock->points, 53U);
  EXPECT_NEAR(clock->map.to_host_s((200.0 - 40) / (1 + 300e-6)), 200, 5e-3);
}

TEST(PressClock, RecordingsThatHaveNothingInCommonAreNotLinedUp) {
  const auto host = presses();
  RandomSource random(77);
  std::vector<double> device;
  for (double t = 0; device.size() < 60;) device.push_back(t += 3 + 14 * random.uniform());
  EXPECT_FALSE(clock_from_presses(host, device));
  EXPECT_FALSE(clock_from_presses(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace tactelier
