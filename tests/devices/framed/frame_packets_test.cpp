// Frames with end marks and a check, frames of numbered packets, packed readings.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/framed/framed_array.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<DeviceDescription> read_description(std::string_view rest) {
  return parse_device_description(
      fmt::format(
          R"({{"format": "tactelier/device", "version": 1, "name": "test", "source": "by hand", {}}})",
          rest),
      "test.json");
}

DeviceDescription device_of(std::string_view rest) {
  auto device = read_description(rest);
  EXPECT_TRUE(device) << device.error().message;
  return device.value_or(DeviceDescription{});
}

std::vector<std::vector<double>> frames_in(const DeviceDescription& device, ByteView bytes,
                                           std::int64_t malformed = 0) {
  FrameFinder finder(device.frame, device.check);
  std::vector<std::vector<double>> frames;
  for (const auto byte : bytes) {  // in pieces of one byte
    finder.add({&byte, 1});
    while (const auto frame = finder.next()) {
      auto decoded = decode_frame(device, *frame);
      EXPECT_TRUE(decoded) << decoded.error().message;
      if (decoded) frames.push_back(std::move(decoded->counts));
    }
  }
  EXPECT_EQ(finder.malformed(), malformed);
  return frames;
}

/// docs/wire-formats.md 6: a hub with one sensor of one pillar, counter 7, t = 1 234 567 us.
const Bytes kPillars = from_hex(
    "55 66 77 88 02 01 00 0D 00 03 00 19 00 04 00 3B 00 07 00 00 00 87 D6 12 00 00 00 00 00 01 00 "
    "04 00 01 00 04 00 02 00 00 00 00 3F 00 00 80 BE 00 00 00 40 00 00 00 00 00 00 00 00 00 00 00 "
    "3E 01 00 04 00 02 00 00 00 00 3F 00 00 80 BE 00 00 00 40 00 00 00 00 00 00 00 00 00 00 80 3F "
    "6B 06 AA BB CC DD");
constexpr std::string_view kPillarBoard =
    R"("frame": {"kind": "sync_end", "sync": "55 66 77 88", "end": "AA BB CC DD", "length": 8192},
       "sequence": {"offset": 17, "type": "u32"},
       "time": {"offset": 21, "type": "u64", "unit_s": 1e-6},
       "cells": {"rows": 1, "columns": 1, "channels": 3, "offset": 39, "type": "f32",
                 "tactel_stride": 26},
       "check": {"kind": "sum16", "from": 4, "at": -6})";

TEST(EndMarks, ReadAPapillArrayOfKnownShape) {
  const auto device = device_of(kPillarBoard);
  FrameFinder finder(device.frame, device.check);
  finder.add(kPillars);
  const auto bytes = finder.next();
  ASSERT_EQ(bytes, kPillars);
  const auto frame = decode_frame(device, *bytes);
  ASSERT_TRUE(frame);
  EXPECT_THAT(frame->counts, ElementsAre(0.5, -0.25, 2));
  EXPECT_EQ(frame->sequence, 7);
  EXPECT_EQ(frame->tick, 1'234'567);
}

constexpr std::string_view kEnded =
    R"("frame": {"kind": "sync_end", "sync": "55 66", "end": "AA BB"},
       "cells": {"rows": 1, "columns": 2, "offset": 2, "type": "u16"},
       "check": {"kind": "sum8", "from": 2, "at": -3})";

TEST(EndMarks, InTheDataEndNoFrame) {
  // Readings 0xBBAA and 1: sum AA + BB + 01 = 0x166.
  EXPECT_THAT(frames_in(device_of(kEnded), from_hex("00 55 55 66 AA BB 01 00 66 AA BB")),
              ElementsAre(ElementsAre(0xBBAA, 1)));
}

TEST(EndMarks, LoseOnlyTheFrameThatIsDamaged) {
  const auto device = device_of(kEnded);
  const auto good = "55 66 01 00 02 00 03 AA BB ";
  EXPECT_THAT(
      frames_in(device,
                from_hex(fmt::format("{}55 66 01 00 03 00 03 AA BB {}{}", good, good, good)), 1),
      testing::SizeIs(3));
  EXPECT_THAT(  // the end marks of one are damaged
      frames_in(device,
                from_hex(fmt::format("{}55 66 01 00 02 00 03 AA BA {}{}", good, good, good)), 1),
      testing::SizeIs(3));
}

TEST(EndMarks, NeedACheck) {
  const auto device = read_description(
      R"("frame": {"kind": "sync_end", "sync": "55", "end": "AA"}, "cells": {"rows": 1, "columns": 1})");
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message, HasSubstr("check: needed by sync_end"));
  const auto endless = read_description(
      R"("frame": {"kind": "sync_end", "sync": "55"}, "cells": {"rows": 1, "columns": 1})");
  ASSERT_FALSE(endless);
  EXPECT_THAT(endless.error().message, HasSubstr("frame.end: needed"));
}

/// docs/wire-formats.md 5, TactileGlove with five taxels: 3C + n, 01, channel and high nibble, low
/// byte, 00.
constexpr std::string_view kGlove =
    R"("frame": {"kind": "indexed_packets", "length": 5, "sync": "01", "sync_at": 1, "end": "00",
                 "index": {"offset": 0, "type": "u8", "first": 60}},
       "cells": {"rows": 1, "columns": 5, "offset": 2, "type": "u16", "endian": "big",
                 "mask": 4095, "inverted_from": 4095})";

TEST(NumberedPackets, MakeAFrameOfAGlove) {
  const auto device = device_of(kGlove);
  // Taxels 0 and 4 are the vectors: 0, and 4095 - 0x345 = 3258.
  EXPECT_THAT(frames_in(device, from_hex("3C 01 0F FF 00  3D 01 1F FE 00  3E 01 2F FD 00 "
                                         "3F 01 30 00 00  40 01 23 45 00")),
              ElementsAre(ElementsAre(0, 1, 2, 4095, 3258)));
}

TEST(NumberedPackets, AreJoinedInTheMiddleAndLoseFramesThatMissOne) {
  const auto packet = [](int number) { return fmt::format("{:02X} 01 0F FF 00 ", 0x3C + number); };
  std::string wire = "01 0F" + packet(3) + packet(4);                         // joined: not counted
  for (int number = 0; number < 5; ++number) wire += packet(number);          // whole
  for (const int number : {0, 1, 3, 4}) wire += packet(number);               // 2 is missing
  for (const int number : {0, 1, 2, 3}) wire += packet(number);               // the last is missing
  for (int number = 0; number < 5; ++number) wire += packet(number) + "7F ";  // noise between
  EXPECT_THAT(frames_in(device_of(kGlove), from_hex(wire), 2), testing::SizeIs(2));
}

TEST(NumberedPackets, HaveTheirOwnCheckAndSeveralReadings) {
  const auto device = device_of(
      R"("frame": {"kind": "indexed_packets", "length": 5, "sync": "A5", "packets": 2,
                   "index": {"offset": 1, "type": "u8"}},
         "cells": {"rows": 2, "columns": 2, "offset": 2, "type": "u8"},
         "check": {"kind": "sum8", "at": -1})");
  EXPECT_THAT(frames_in(device, from_hex("A5 00 01 02 A8  A5 01 03 04 AD")),
              ElementsAre(ElementsAre(1, 2, 3, 4)));
  EXPECT_THAT(frames_in(device, from_hex("A5 00 01 02 A8  A5 01 03 05 AD")), IsEmpty());
}

TEST(NumberedPackets, AreRefusedWhereTheyMakeNoSense) {
  const auto refusal = [](std::string_view frame) {
    const auto device =
        read_description(fmt::format(R"("frame": {{"kind": "indexed_packets", "sync": "A5", {}}},
                       "cells": {{"rows": 2, "columns": 2, "offset": 2, "type": "u8"}})",
                                     frame));
    return device ? "accepted" : device.error().message;
  };
  constexpr std::string_view kIndex = R"("index": {"offset": 1, "type": "u8"})";
  EXPECT_THAT(refusal(R"("length": 5)"), HasSubstr("frame.index: needed"));
  EXPECT_THAT(refusal(fmt::format(R"("length": 5, "packets": 3, {})", kIndex)),
              HasSubstr("don't fill 3 packets"));
  EXPECT_THAT(refusal(fmt::format(R"("length": 5, "sync_at": 4, "end": "00", {})", kIndex)),
              HasSubstr("marks don't fit"));
  EXPECT_THAT(refusal(R"("length": 5, "index": {"offset": 5, "type": "u8"})"),
              HasSubstr("frame.index: outside"));
}

TEST(PackedReadings, AreReadFromEitherEnd) {
  const auto read = [](int bits, std::string_view first, std::string_view hex) {
    const auto device = device_of(fmt::format(
        R"("frame": {{"kind": "slip"}},
           "cells": {{"rows": 2, "columns": 2, "offset": 1, "bits": {}, "first_bits": "{}"}})",
        bits, first));
    const auto frame = decode_frame(device, from_hex(hex));
    return frame ? frame->counts : std::vector<double>{};
  };
  // 1, 2, 3 and 1023 in ten bits each: 1 + 2 * 2^10 + 3 * 2^20 + 1023 * 2^30 = 0xFFC0300801.
  EXPECT_THAT(read(10, "low", "00 01 08 30 C0 FF"), ElementsAre(1, 2, 3, 1023));
  EXPECT_THAT(read(10, "high", "00 00 40 20 0F FF"), ElementsAre(1, 2, 3, 1023));
  EXPECT_THAT(read(12, "low", "00 23 61 45 BC 9A FF"), ElementsAre(0x123, 0x456, 0xABC, 0xFF9));
  EXPECT_THAT(read(12, "high", "00 12 34 56 AB CF F9"), ElementsAre(0x123, 0x456, 0xABC, 0xFF9));
  EXPECT_THAT(read(12, "high", "00 12 34 56 AB CF"), IsEmpty());  // too short
}

TEST(PackedReadings, OfAnOddNumberFillTheirLastByte) {
  const auto device = device_of(
      R"("frame": {"kind": "sync_fixed", "sync": "A5", "length": 6},
         "cells": {"rows": 1, "columns": 3, "offset": 1, "bits": 12, "first_bits": "high"})");
  EXPECT_THAT(frames_in(device, from_hex("A5 12 34 56 AB C0")),
              ElementsAre(ElementsAre(0x123, 0x456, 0xABC)));
}

/// Every new kind against its emulator, with faults, on simulated time.
TEST(FramedBoards, OfEveryKindStreamAndCountWhatWasLost) {
  constexpr std::string_view kNumber = R"("sequence": {"offset": 2, "type": "u8"},)";
  const std::vector<std::string> boards{
      fmt::format(R"("frame": {{"kind": "sync_end", "sync": "55 AA", "end": "DD EE"}}, {}
                     "cells": {{"rows": 2, "columns": 3, "offset": 3, "type": "u16"}},
                     "check": {{"kind": "crc16-modbus", "at": -4}})",
                  kNumber),
      fmt::format(R"("frame": {{"kind": "indexed_packets", "sync": "55", "length": 7, "packets": 3,
                                "index": {{"offset": 1, "type": "u8", "first": 1}}}}, {}
                     "cells": {{"rows": 2, "columns": 3, "offset": 3, "bits": 12}},
                     "check": {{"kind": "xor8", "at": -1}})",
                  kNumber),
      fmt::format(R"("frame": {{"kind": "sync_fixed", "sync": "55 AA", "length": 14}}, {}
                     "cells": {{"rows": 2, "columns": 3, "offset": 3, "bits": 12,
                                "first_bits": "high"}},
                     "check": {{"kind": "crc16-x25", "at": -2}})",
                  kNumber)};
  for (const auto& text : boards) {
    const auto device = device_of(text);
    SimulatedWorld world;
    const std::vector<double> counts{0, 4095, 0xAAA, 0x555, 1, 0xEDD};
    FramedEmulator board(
        device, {}, [&](std::int64_t) { return counts; }, world.now_ns());
    world.add("pty:board", board, false);
    auto array = FramedArray::open("pty:board", device, world.connector());
    ASSERT_TRUE(array && (*array)->start());
    board.inject({FaultKind::kDrop, 0.5, 7}, world.now_ns());
    board.inject({FaultKind::kCorrupt, 1, 5}, world.now_ns());
    std::vector<TactileFrame> frames;
    const auto end_ns = world.now_ns() + 2'000'000'000;
    while (world.now_ns() < end_ns) ASSERT_TRUE((*array)->read(frames, Timeout(200))) << text;
    EXPECT_EQ((*array)->counters().lost, 12) << text;
    EXPECT_EQ((*array)->counters().malformed, 5) << text;
    for (const auto& frame : frames) ASSERT_EQ(frame.counts, counts) << text;
  }
}

RC_GTEST_PROP(FrameFinder, SurvivesAnyBytesAsPacketsAndBetweenMarks, (const Bytes& bytes)) {
  for (const auto rest : {kGlove, kEnded, kPillarBoard}) {
    const auto device = device_of(rest);
    auto wire = device.frame.sync;
    wire.insert(wire.end(), bytes.begin(), bytes.end());
    FrameFinder finder(device.frame, device.check);
    finder.add(wire);
    while (const auto frame = finder.next()) (void)decode_frame(device, *frame);
  }
}

}  // namespace
}  // namespace tactelier::devices
