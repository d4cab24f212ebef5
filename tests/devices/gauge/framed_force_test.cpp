#include "devices/gauge/framed_force.hpp"

#include <gmock/gmock.h>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/gauge/length_gauge.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// An HX711 sketch that prints one reading per line.
constexpr std::string_view kCell = R"({"format": "tactelier/device", "version": 1, "name": "cell",
  "source": "by hand", "frame": {"kind": "text_line"}, "cells": {"rows": 1, "columns": 1}})";
/// A DAQ bridge: six channels in tenths of a millivolt over UDP.
constexpr std::string_view kBridge = R"({"format": "tactelier/device", "version": 1,
  "name": "bridge", "source": "by hand", "port": {"baud": 1000000},
  "frame": {"kind": "sync_fixed", "sync": "DA", "length": 14}, "sequence": {"offset": 1, "type": "u8"},
  "cells": {"rows": 1, "columns": 6, "offset": 2, "type": "i16"}})";

DeviceDescription described(std::string_view text) {
  return parse_device_description(text, "test.json").value();
}

TEST(OneAxisCellTest, IsAForceSensorWithOneAxis) {
  SimulatedWorld world;
  const auto cell = described(kCell);
  double reading = -21500;
  FramedEmulator board(
      cell, {80, 0, 0, 0}, [&](std::int64_t) { return std::vector<double>{reading}; },
      world.now_ns());
  world.add("pty:cell", board, false);
  // 4300 counts a newton, pressing reads negative.
  const FramedForceOptions options{"pty:cell", 80, one_axis_readings(-1 / 4300.0, 20, 1).value(),
                                   -8388608, 8388607};
  auto force = FramedForce::open(options, cell, world.connector());
  ASSERT_TRUE(force) << force.error().message;
  ASSERT_TRUE((*force)->start());
  std::vector<ForceSample> samples;
  while (samples.size() < 80) ASSERT_TRUE((*force)->read(samples, Timeout(200)));
  EXPECT_EQ(samples.back().counts[2], -21500);
  const auto wrench = (*force)->scale().wrench_SI(samples.back());
  EXPECT_NEAR(wrench[2], 5, 1e-12);
  EXPECT_EQ(wrench[0], 0);
  EXPECT_NEAR(combined_load(wrench, (*force)->scale()), 0.25, 1e-12);
  EXPECT_NEAR(static_cast<double>(samples[79].host_time_ns - samples[0].host_time_ns) * 1e-9,
              79 / 80.0, 0.02);
  reading = 8388607;
  samples.clear();
  while (samples.size() < 3) ASSERT_TRUE((*force)->read(samples, Timeout(200)));
  EXPECT_FALSE(samples.back().valid);
  EXPECT_THAT((*force)->describe_status(samples.back().status), HasSubstr("end of its range"));
}

TEST(SixGagesTest, BecomeAWrenchByTheirCalFile) {
  // The vector of docs/wire-formats.md 2 through two rows of FT8577.
  GageCalibration cal;
  cal.matrix_SI_per_V[2] = {3.74583, 0.11288, 3.84196, 0.02560, 3.70096, -0.10953};
  cal.matrix_SI_per_V[3] = {0.43927e-3,  -24.40787e-3, 20.90948e-3,
                            11.97267e-3, -21.44973e-3, 12.01322e-3};
  const auto gages = six_gage_readings(cal, 1e-4, {0.1, 0, -0.05, 0.02, 0, 0.01}).value();
  SimulatedWorld world;
  const auto bridge = described(kBridge);
  FramedEmulator board(
      bridge, {1000, 0, 0, 0},
      [](std::int64_t) { return std::vector<double>{5000, -2500, 1000, 0, 2000, -3000}; },
      world.now_ns());
  world.add("udp:bridge:1", board, true);
  auto force = FramedForce::open({"udp:bridge:1", 1000, gages, {}, {}}, bridge, world.connector());
  ASSERT_TRUE(force) << force.error().message;
  ASSERT_TRUE((*force)->start());
  board.inject({FaultKind::kDrop, 0.1, 4}, world.now_ns());
  std::vector<ForceSample> samples;
  while (samples.size() < 300) ASSERT_TRUE((*force)->read(samples, Timeout(200)));
  const auto wrench = (*force)->scale().wrench_SI(samples.back());
  EXPECT_NEAR(wrench[2], 2.820040, 1.5e-6);
  EXPECT_NEAR(wrench[3], 1.160600e-3, 1e-8);
  EXPECT_EQ((*force)->counters().lost, 4);
}

TEST(FramedForceTest, CountsEverySampleOfAMinuteAtFullRate) {
  SimulatedWorld world;
  const auto bridge = described(kBridge);
  FramedEmulator board(
      bridge, {1000, 0, 0, 0}, [](std::int64_t) { return std::vector<double>(6, 100); },
      world.now_ns());
  world.add("udp:bridge:1", board, true);
  const auto gages = six_gage_readings({}, 1e-4, {}).value();
  auto force = FramedForce::open({"udp:bridge:1", 1000, gages, {}, {}}, bridge, world.connector());
  ASSERT_TRUE(force) << force.error().message;
  ASSERT_TRUE((*force)->start());
  const auto before = board.frames_sent();
  for (int i = 1; i < 55; ++i)
    board.inject({FaultKind::kDrop, i + 0.0103 * i, 1 + i % 5}, world.now_ns());
  const auto end_ns = world.now_ns() + 60'000'000'000;
  std::vector<ForceSample> samples;
  while (world.now_ns() < end_ns) ASSERT_TRUE((*force)->read(samples, Timeout(200)));
  const auto sent = static_cast<double>(board.frames_sent() - before);
  EXPECT_NEAR(sent, 60'000, 3);
  EXPECT_NEAR(static_cast<double>((*force)->counters().received + (*force)->counters().lost), sent,
              2);
  EXPECT_EQ((*force)->counters().lost, 11 * (1 + 2 + 3 + 4 + 5) - 1);  // 54 times, i % 5
}

TEST(LengthGaugeTest, ReadsEverySampleOfAMinuteAtFullRate) {
  SimulatedWorld world;
  const auto scale = load_device_description("bench-encoder").value();
  FramedEmulator board(
      scale, {1000, 0, 0, 0}, [](std::int64_t) { return std::vector<double>{1234}; },
      world.now_ns());
  world.add(fmt::format("pty:scale?baud={}", scale.baud.value()), board, false);
  auto gauge = LengthGauge::open({"pty:scale", 1e-7}, scale, world.connector());
  ASSERT_TRUE(gauge) << gauge.error().message;
  ASSERT_TRUE((*gauge)->start());
  const auto before = board.frames_sent();
  const auto end_ns = world.now_ns() + 60'000'000'000;
  std::vector<LengthSample> samples;
  while (world.now_ns() < end_ns) ASSERT_TRUE((*gauge)->read(samples, Timeout(200)));
  EXPECT_NEAR(static_cast<double>(samples.size()), 60'000, 3);
  EXPECT_NEAR(static_cast<double>(samples.size()),
              static_cast<double>(board.frames_sent() - before), 2);
  const auto& counters = (*gauge)->counters();
  EXPECT_EQ(counters.lost + counters.malformed, 0);
}

TEST(FramedForceTest, RefusesADescriptionWithOtherChannels) {
  SimulatedWorld world;
  const auto opened =
      FramedForce::open({"pty:x", 80, one_axis_readings(1e-3, 0, 1).value(), {}, {}},
                        described(kBridge), world.connector());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("6 readings per frame, a one-axis cell needs 1"));
  const auto zero = one_axis_readings(0, 0, 1);
  ASSERT_FALSE(zero);
  EXPECT_THAT(zero.error().message, HasSubstr("N_per_reading"));
}

TEST(LengthGaugeTest, GivesMetresWithTheSignItWasTold) {
  SimulatedWorld world;
  const auto dial = described(kCell);
  FramedEmulator board(
      dial, {20, 0, 0, 0}, [](std::int64_t) { return std::vector<double>{1.25}; }, world.now_ns());
  world.add("pty:dial", board, false);
  auto gauge = LengthGauge::open({"pty:dial", -1e-3}, dial, world.connector());
  ASSERT_TRUE(gauge) << gauge.error().message;
  ASSERT_TRUE((*gauge)->start());
  std::vector<LengthSample> samples;
  ASSERT_TRUE((*gauge)->read(samples, Timeout(500)));
  EXPECT_DOUBLE_EQ(samples.back().position_m, -1.25e-3);
  EXPECT_FALSE(LengthGauge::open({"pty:dial", 0}, dial, world.connector()));
  EXPECT_FALSE(LengthGauge::open({"pty:dial", 1}, described(kBridge), world.connector()));
}

}  // namespace
}  // namespace tactelier::devices
