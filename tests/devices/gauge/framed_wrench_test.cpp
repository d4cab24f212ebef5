// Six-axis sensors by their shipped descriptions: bytes of the manuals, or worked out apart from
// this code, and every fault of an emulated one.

#include <gmock/gmock.h>

#include <limits>

#include "devices/emulator/simulated_world.hpp"
#include "devices/emulator/wrench_board.hpp"
#include "devices/gauge/framed_force.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<double, 6> kSensOneRange{200, 200, 500, 5, 5, 5};
constexpr std::array<double, 6> kPressed{1.5, -2.25, -12.75, 0.125, -0.0625, 0.03125};

/// Answers the first bytes that it hears by these; sends them at once where it needs no question.
class Scripted final : public Emulator {
 public:
  explicit Scripted(Bytes says, bool asked) : says_(std::move(says)), asked_(asked) {}
  void receive(ByteView bytes, int, std::int64_t now_ns) override {
    heard_.insert(heard_.end(), bytes.begin(), bytes.end());
    if (!asked_) return;
    due_ns_ = now_ns + 300'000'000;
  }
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return said_ ? kNever : due_ns_; }
  std::optional<Outgoing> take(std::int64_t now_ns) override {
    if (said_ || now_ns < due_ns_) return std::nullopt;
    said_ = true;
    return Outgoing{due_ns_, 0, says_};
  }
  void inject(const Fault&, std::int64_t) override {}
  bool hung_up(std::int64_t) override { return false; }
  const Bytes& heard() const { return heard_; }

 private:
  Bytes says_, heard_;
  bool asked_, said_ = false;
  std::int64_t due_ns_ = 1'500'000'000;
};

/// What a shipped sensor is taken to have measured when it sends these bytes.
struct Heard {
  std::vector<ForceSample> samples;
  ForceScale scale;
  StreamCounters counters;
};
Heard hear(std::string_view device, std::string_view hex,
           std::optional<std::array<double, 6>> range = {}) {
  SimulatedWorld world;
  const auto description = load_device_description(device).value();
  Scripted sensor(from_hex(hex), false);
  const auto url = fmt::format("pty:sensor?baud={}", description.baud.value_or(0));
  world.add(url, sensor, false);
  const auto force =
      FramedForce::open({"pty:sensor", 100, wrench_readings(description, range).value(), {}, {}},
                        description, world.connector())
          .value();
  EXPECT_TRUE(force->start());
  Heard heard;
  (void)force->read(heard.samples, Timeout(2000));
  heard.scale = force->scale();
  heard.counters = force->counters();
  return heard;
}

TEST(FramedWrench, ReadsTheBytesOfAnFT300) {
  // Manual FT 300-S 4.4.2: 20 4E, Fx Fy Fz in 0.01 N, Mx My Mz in 0.001 N*m, CRC-16/MODBUS, which
  // stands here as a program of its own computed it.
  const auto heard = hear("robotiq-ft300", "20 4E D2 04 C9 FD 49 F4 41 01 D3 FF 06 00 8D 31");
  ASSERT_EQ(heard.samples.size(), 1U);
  EXPECT_THAT(heard.samples[0].counts, ElementsAre(1234, -567, -2999, 321, -45, 6));
  EXPECT_TRUE(heard.samples[0].valid);
  const auto wrench = heard.scale.wrench_SI(heard.samples[0]);
  EXPECT_NEAR(wrench[0], 12.34, 1e-12);
  EXPECT_NEAR(wrench[2], -29.99, 1e-12);
  EXPECT_NEAR(wrench[3], 0.321, 1e-12);
  EXPECT_EQ(heard.scale.full_scale_SI[2], 300);
}

TEST(FramedWrench, ReadsTheBytesOfABotaSensor) {
  const auto heard = hear("bota-serial",
                          "AA 00 00 00 00 C0 3F 00 00 10 C0 00 00 4C C1 00 00 00 3E 00 00 80 BD "
                          "00 00 00 3D 87 D6 12 00 00 00 FC 41 06 B9",
                          kSensOneRange);
  ASSERT_EQ(heard.samples.size(), 1U);
  const auto wrench = heard.scale.wrench_SI(heard.samples[0]);
  for (std::size_t axis = 0; axis < 6; ++axis) EXPECT_NEAR(wrench[axis], kPressed[axis], 1e-9);
  EXPECT_EQ(heard.samples[0].tick, 1'234'567);
  EXPECT_EQ(heard.samples[0].status, 0U);
  EXPECT_TRUE(heard.samples[0].valid);
}

TEST(FramedWrench, AsksAResenseHexForEachSampleAndReadsItsNewtonsAndMillinewtonMetres) {
  SimulatedWorld world;
  const auto description = load_device_description("resense-hex").value();
  EXPECT_EQ(description.poll, from_hex("53 41 4D 50 4C 45 0D 0A"));  // SAMPLE CR LF
  // 1.5, -2.25, -12.75 N, 125, -62.5, 31.25 mN*m, 31.5 degC as floats.
  const auto frame = decode_frame(
      description, from_hex("00 00 C0 3F 00 00 10 C0 00 00 4C C1 00 00 FA 42 00 00 7A C2 "
                            "00 00 FA 41 00 00 FC 41"));
  ASSERT_TRUE(frame) << frame.error().message;
  const auto wrench = wrench_readings(description, kSensOneRange)->wrench_SI(frame->counts);
  for (std::size_t axis = 0; axis < 6; ++axis) EXPECT_NEAR(wrench[axis], kPressed[axis], 1e-9);
}

TEST(FramedWrench, StartsAndStopsAnFT300AsItsManualSays) {
  SimulatedWorld world;
  const auto description = load_device_description("robotiq-ft300").value();
  // FC16 is echoed before the stream begins: 09 10, register, count, CRC.
  Scripted sensor(from_hex("09 10 01 9A 00 01 21 52"
                           "20 4E D2 04 C9 FD 49 F4 41 01 D3 FF 06 00 8D 31"),
                  true);
  world.add("pty:sensor?baud=19200", sensor, false);
  const auto force =
      FramedForce::open({"pty:sensor", 100, wrench_readings(description).value(), {}, {}},
                        description, world.connector())
          .value();
  ASSERT_TRUE(force->start());
  const Bytes jam(50, 0xFF);
  auto told = jam;
  const auto request = from_hex("09 10 01 9A 00 01 02 02 00 CD CA");
  told.insert(told.end(), request.begin(), request.end());
  EXPECT_EQ(sensor.heard(), told);
  std::vector<ForceSample> samples;
  ASSERT_TRUE(force->read(samples, Timeout(1000)));
  EXPECT_EQ(samples[0].counts[0], 1234);
  EXPECT_EQ(force->counters().malformed, 0);
  ASSERT_TRUE(force->stop());
  told.insert(told.end(), jam.begin(), jam.end());
  EXPECT_EQ(sensor.heard(), told);
}

/// An emulated one, streaming while kPressed acts. One that doesn't open throws.
struct Emulated {
  Emulated(std::string_view device, double rate_hz, const std::array<double, 6>& range_SI)
      : description(load_device_description(device).value()),
        board(description, wrench_board(description, rate_hz, range_SI),
              counts_of_wrench(description, [this](std::int64_t) { return wrench_SI; }),
              world.now_ns()) {
    world.add(fmt::format("pty:sensor?baud={}", *description.baud), board, false);
    force = FramedForce::open(
                {"pty:sensor", rate_hz, wrench_readings(description, range_SI).value(), {}, {}},
                description, world.connector())
                .value();
    EXPECT_TRUE(force->start());
    EXPECT_TRUE(read_for(0.2));
  }
  Result<void> read_for(double time_s) {
    samples.clear();
    const auto end_ns = world.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world.now_ns() < end_ns)
      if (auto got = force->read(samples, Timeout(100)); !got) return got;
    return {};
  }
  void inject(const Fault& fault) { board.inject(fault, world.now_ns()); }
  std::string status_text() const { return force->describe_status(samples.back().status); }

  SimulatedWorld world;
  std::array<double, 6> wrench_SI = kPressed;
  DeviceDescription description;
  FramedEmulator board;
  std::unique_ptr<FramedForce> force;
  std::vector<ForceSample> samples;
};
struct Bota : Emulated {
  Bota() : Emulated("bota-serial", 800, kSensOneRange) {}
};
struct Resense : Emulated {
  Resense() : Emulated("resense-hex", 1000 / 3.0, {100, 100, 100, 2, 2, 2}) {}
};
struct FT300 : Emulated {
  FT300() : Emulated("robotiq-ft300", 100, {300, 300, 300, 30, 30, 30}) {}
};

TEST(FramedWrench, StreamsAMinuteAtFullRateWithNothingUncounted) {
  Bota bota;
  const auto before = bota.board.frames_sent();
  ASSERT_TRUE(bota.read_for(60));
  EXPECT_NEAR(static_cast<double>(bota.samples.size()), 60 * 800, 3);
  EXPECT_NEAR(static_cast<double>(bota.board.frames_sent() - before),
              static_cast<double>(bota.samples.size()), 3);
  const auto& counters = bota.force->counters();
  EXPECT_EQ(counters.lost + counters.malformed + counters.duplicates + counters.restarts, 0);
  EXPECT_EQ(bota.samples.back().record - bota.samples.front().record,
            static_cast<std::int64_t>(bota.samples.size()) - 1);
  FT300 robotiq;
  ASSERT_TRUE(robotiq.read_for(60));
  EXPECT_NEAR(static_cast<double>(robotiq.samples.size()), 60 * 100, 2);
  EXPECT_EQ(robotiq.force->counters().malformed, 0);
  Resense hex;
  ASSERT_TRUE(hex.read_for(60));
  EXPECT_NEAR(static_cast<double>(hex.samples.size()), 60 * 1000 / 3.0, 3);
  EXPECT_EQ(hex.force->counters().lost + hex.force->counters().malformed, 0);
}

TEST(FramedWrenchFaults, FramesThatNeverCameAreCountedByTheSensorsClock) {
  Bota bota;
  bota.inject({FaultKind::kDrop, 0.01, 7});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_EQ(bota.force->counters().lost, 7);
  EXPECT_EQ(bota.samples.back().record - bota.samples.front().record,
            static_cast<std::int64_t>(bota.samples.size()) - 1 + 7);
}

TEST(FramedWrenchFaults, DamagedFramesAreCountedAndNeverHandedOn) {
  Bota bota;
  bota.inject({FaultKind::kCorrupt, 0.01, 5});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_GE(bota.force->counters().malformed, 5);
  EXPECT_EQ(bota.force->counters().lost, 5);
  for (const auto& sample : bota.samples) ASSERT_EQ(sample.counts[2], -12'750'000);
  FT300 robotiq;
  robotiq.inject({FaultKind::kCorrupt, 0.05, 5});
  ASSERT_TRUE(robotiq.read_for(1));
  EXPECT_GE(robotiq.force->counters().malformed, 5);
  for (const auto& sample : robotiq.samples) ASSERT_EQ(sample.counts[2], -1275);
}

TEST(FramedWrenchFaults, OneDamagedFrameIsNoFaultOfTheSensorTenInARowAre) {
  FT300 robotiq;
  robotiq.inject({FaultKind::kCorrupt, 0, 30});
  std::vector<ErrorCode> codes;
  for (int times = 0; times < 60 && (codes.empty() || codes.back() != ErrorCode::kProtocol);
       ++times) {
    robotiq.samples.clear();
    const auto got = robotiq.force->read(robotiq.samples, Timeout(5));
    if (!got) codes.push_back(got.error().code);
  }
  ASSERT_FALSE(codes.empty());
  EXPECT_EQ(codes.back(), ErrorCode::kProtocol);
  EXPECT_EQ(codes.front(), ErrorCode::kTimeout);
  EXPECT_GE(robotiq.force->counters().malformed, 10);
}

TEST(FramedWrenchFaults, RepeatedFramesAreTakenOnce) {
  Bota bota;
  bota.inject({FaultKind::kRepeat, 0.01, 4});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_EQ(bota.force->counters().duplicates, 4);
  EXPECT_EQ(bota.force->counters().lost, 0);
}

TEST(FramedWrenchFaults, LateAndSlowFramesArriveWhole) {
  Bota bota;
  bota.inject({FaultKind::kLate, 0.01, 3, 0, 0.02});
  ASSERT_TRUE(bota.read_for(0.2));
  bota.inject({FaultKind::kSlow, 0.01, 1, 0.1, 0.03});
  ASSERT_TRUE(bota.read_for(0.3));
  EXPECT_EQ(bota.force->counters().lost, 0);
  EXPECT_EQ(bota.force->counters().malformed, 0);
}

TEST(FramedWrenchFaults, ASilentSensorTimesOutAndAnUnpluggedOneIsGone) {
  Bota frozen;
  frozen.inject({FaultKind::kFreeze, 0.01});
  const auto silent = frozen.read_for(1);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(silent.error().message, HasSubstr("no frame of 'bota-serial' within 100 ms"));
  EXPECT_EQ(frozen.force->counters().timeouts, 1);
  Bota unplugged;
  unplugged.inject({FaultKind::kHangUp, 0.01});
  const auto gone = unplugged.read_for(1);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kIo);
}

TEST(FramedWrenchFaults, ASaturatedSensorsSamplesAreKeptAndInvalid) {
  Bota bota;
  bota.inject({FaultKind::kSaturate, 0.01});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_FALSE(bota.samples.back().valid);
  EXPECT_EQ(bota.samples.back().status, 2U);
  EXPECT_EQ(bota.status_text(), "measuring range exceeded");
  EXPECT_GT(combined_load(bota.force->scale().wrench_SI(bota.samples.back()), bota.force->scale()),
            kOverload);
  FT300 robotiq;  // has no word for it: its integers stand at their end
  robotiq.inject({FaultKind::kSaturate, 0.01});
  ASSERT_TRUE(robotiq.read_for(0.1));
  EXPECT_FALSE(robotiq.samples.back().valid);
  EXPECT_EQ(robotiq.samples.back().counts[2], -32768);
  EXPECT_THAT(robotiq.status_text(), HasSubstr("end of its range"));
}

TEST(FramedWrenchFaults, AnAlarmOfTheSensorMakesSamplesInvalidUntilItIsOver) {
  Bota bota;
  bota.inject({FaultKind::kAlarm, 0.01});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_FALSE(bota.samples.back().valid);
  EXPECT_EQ(bota.status_text(), "measurements are invalid, the sensor may be damaged");
  bota.board.mend();
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_TRUE(bota.samples.back().valid);
}

TEST(FramedWrenchFaults, AHexHasNoWordForTroubleButItsRangeAndItsPolls) {
  Resense hex;
  hex.inject({FaultKind::kSaturate, 0.01, 1, 0.1});
  ASSERT_TRUE(hex.read_for(0.1));
  EXPECT_GT(combined_load(hex.force->scale().wrench_SI(hex.samples.back()), hex.force->scale()),
            kOverload);
  ASSERT_TRUE(hex.read_for(0.1));
  hex.inject({FaultKind::kDrop, 0.01, 2});
  hex.inject({FaultKind::kRepeat, 0.5, 2});
  ASSERT_TRUE(hex.read_for(1));
  EXPECT_EQ(hex.force->counters().malformed, 2);
  EXPECT_EQ(hex.force->counters().lost, 2 + 2 + 2);  // dropped, doubled, not yet believed again
}

TEST(FramedWrenchFaults, ARestartIsCountedAndAStreamThatWasAskedForMustBeAskedForAgain) {
  Bota bota;
  bota.inject({FaultKind::kReset, 0.01});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_EQ(bota.force->counters().restarts, 1);
  EXPECT_EQ(bota.force->counters().lost, 0);
  FT300 robotiq;
  robotiq.inject({FaultKind::kReset, 0.01});
  const auto silent = robotiq.read_for(1);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
  ASSERT_TRUE(robotiq.force->start());
  EXPECT_TRUE(robotiq.read_for(0.2));
}

TEST(FramedWrenchFaults, ASensorThatRepeatsItsLastReadingIsLeftToTheFrozenWatch) {
  Bota bota;
  bota.wrench_SI[2] = -20;
  bota.inject({FaultKind::kWrongData, 0, 3});
  ASSERT_TRUE(bota.read_for(0.1));
  EXPECT_EQ(bota.samples[2].counts[2], -12'750'000);
  EXPECT_EQ(bota.samples.back().counts[2], -20'000'000);
  EXPECT_EQ(bota.force->counters().duplicates, 0);  // each has a time of its own
}

TEST(FramedWrench, ForcesBeyondWhatCountsHoldAreInvalidInsteadOfWrapping) {
  Bota bota;
  for (const double force_N : {3000.0, -1e30}) {
    bota.wrench_SI[2] = force_N;
    ASSERT_TRUE(bota.read_for(0.1));
    EXPECT_FALSE(bota.samples.back().valid) << force_N;
    EXPECT_EQ(bota.samples.back().counts[2] > 0, force_N > 0);
    EXPECT_THAT(bota.status_text(), HasSubstr("end of its range"));
  }
}

TEST(FramedWrench, CountsAreFineEnoughForTheRangeAndNeverTooFineForTwiceIt) {
  const auto bota = load_device_description("bota-serial").value();
  EXPECT_EQ(wrench_readings(bota, kSensOneRange)->scale.SI_per_count[2], 1e-6);
  const auto large = wrench_readings(bota, std::array<double, 6>{1800, 1800, 4000, 60, 60, 60});
  EXPECT_DOUBLE_EQ(large->scale.SI_per_count[2], 1e-5);  // 2 x 4000 N are 8e8 counts
  EXPECT_DOUBLE_EQ(large->scale.SI_per_count[3], 1e-7);
}

/// One with a matrix, counts of 16 bits and a word that is 0x40 when all is well.
constexpr std::string_view kMatrix = R"({"format": "tactelier/device", "version": 1,
  "name": "gages", "source": "by hand", "port": {"baud": 115200},
  "frame": {"kind": "sync_fixed", "sync": "A5", "length": 16},
  "status": {"offset": 1, "type": "u8", "healthy": 64, "bits": [
    {"mask": 64, "means": "not ready"}, {"mask": 1, "means": "warm", "usable": true}]},
  "cells": {"rows": 1, "columns": 6, "offset": 2, "type": "i16", "endian": "big"},
  "wrench": {"matrix": [[0.001, 0.002, 0, 0, 0, 0], [0, 0.001, 0, 0, 0, 0], [0, 0, -0.003, 0, 0, 0],
                        [0, 0, 0, 1e-5, 0, 0], [0, 0, 0, 0, 1e-5, 0], [0, 0, 1e-6, 0, 0, 1e-5]],
             "full_scale_N_Nm": [10, 10, 20, 0.2, 0.2, 0.2]},
  "check": {"kind": "crc16-modbus", "at": -2}})";

TEST(FramedWrench, TakesAMatrixAndAStatusWordAsDescribed) {
  const auto device = parse_device_description(kMatrix, "gages.json").value();
  const auto readings = wrench_readings(device).value();
  const std::vector<double> counts{1000, -500, 2000, 10, -20, 30};
  // By hand: 1 - 1, -0.5, -6 N; 1e-4, -2e-4, 2e-3 + 3e-4 N*m.
  const auto wrench = readings.wrench_SI(counts);
  EXPECT_NEAR(wrench[0], 0, 1e-15);
  EXPECT_NEAR(wrench[1], -0.5, 1e-15);
  EXPECT_NEAR(wrench[2], -6, 1e-15);
  EXPECT_NEAR(wrench[5], 2.3e-3, 1e-15);
  EXPECT_EQ(readings.scale.SI_per_count[2], 1e-6);
  EXPECT_EQ(readings_of_wrench(device, wrench), counts);
  EXPECT_TRUE(readings_of_wrench(load_device_description("bench-encoder").value(), wrench).empty());
  const auto decoded = decode_frame(device, encode_frame(device, counts, 0, 0)).value();
  EXPECT_EQ(decoded.status, 0x40U);
  EXPECT_EQ(decoded.counts, counts);
  const auto& status = *device.status;
  EXPECT_TRUE(status.usable(0x40));
  EXPECT_TRUE(status.usable(0x41));
  EXPECT_FALSE(status.usable(0x00));
  EXPECT_FALSE(status.usable(0x48));
  EXPECT_EQ(status.describe(0x40), "");
  EXPECT_EQ(status.describe(0x01), "not ready; warm");
  EXPECT_EQ(status.describe(0x48), "status bits 0x0008, which its description doesn't name");
}

std::string refusal(std::string from, std::string_view to) {
  std::string text(kMatrix);
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  text.replace(at, from.size(), to);
  const auto device = parse_device_description(text, "gages.json");
  return device ? "" : device.error().message;
}

TEST(FramedWrench, DescriptionsThatMakeNoSenseAreRefused) {
  EXPECT_THAT(refusal(R"("full_scale_N_Nm": [10,)", R"("full_scale_N_Nm": [0,)"),
              HasSubstr("full_scale_N_Nm"));
  EXPECT_THAT(refusal("[0, 0, 0, 1e-5, 0, 0]", "[0, 0, 0, 0, 0, 0]"),
              HasSubstr("gages.json: wrench: axis 4 is worth nothing"));
  EXPECT_THAT(refusal(R"("wrench": {)", R"("wrench": {"SI_per_reading": [1, 1, 1, 1, 1, 1], )"),
              HasSubstr("one of SI_per_reading (a factor per axis) and matrix"));
  EXPECT_THAT(refusal(R"("columns": 6)", R"("columns": 5)"), HasSubstr("a wrench has six"));
  EXPECT_THAT(refusal(R"("status": {"offset": 1,)", R"("status": {"offset": 16,)"),
              HasSubstr("status: byte 16 is outside a frame of 16 bytes"));
  EXPECT_THAT(refusal(R"("offset": 1, "type": "u8")", R"("offset": 1, "type": "u32")"),
              HasSubstr("status.mask: at most 31 bits"));
  const auto open = load_device_description("bota-serial").value();
  EXPECT_THAT(wrench_readings(open).error().message,
              HasSubstr("full_scale_N_Nm: device 'bota-serial' comes with several ranges"));
  const auto array = load_device_description("reskin-5").value();
  EXPECT_THAT(wrench_readings(array).error().message, HasSubstr("described without 'wrench'"));
}

}  // namespace
}  // namespace tactelier::devices
