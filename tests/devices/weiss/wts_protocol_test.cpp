// Vectors: docs/wire-formats.md 4; the first three frames are printed in the manual.
#include "devices/weiss/wts_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Bytes command(int id, std::string_view payload = "") {
  return encode(WtsFrame{static_cast<WtsCommand>(id), from_hex(payload)});
}

TEST(WtsFrame, HasTheBytesOfTheManual) {
  EXPECT_EQ(command(0x01), from_hex("AA AA AA 01 00 00 E8 10"));
  EXPECT_EQ(command(0x06), from_hex("AA AA AA 06 00 00 97 26"));
  EXPECT_EQ(command(0x01, "12 34"), from_hex("AA AA AA 01 02 00 12 34 6D 66"));
  EXPECT_EQ(command(0x06, "48 65 6C 6C 6F"), from_hex("AA AA AA 06 05 00 48 65 6C 6C 6F DA 62"));
  EXPECT_EQ(command(0x20, "00"), from_hex("AA AA AA 20 01 00 00 8F 83"));
  EXPECT_EQ(command(0x20, "01"), from_hex("AA AA AA 20 01 00 01 AE 93"));
  EXPECT_EQ(command(0x21, "00 14 00"), from_hex("AA AA AA 21 03 00 00 14 00 D9 AB"));
  EXPECT_EQ(command(0x21, "01 00 00"), from_hex("AA AA AA 21 03 00 01 00 00 57 36"));
  EXPECT_EQ(command(0x22), from_hex("AA AA AA 22 00 00 0E 76"));
  EXPECT_EQ(command(0x23, "01"), from_hex("AA AA AA 23 01 00 01 F9 0E"));
  EXPECT_EQ(command(0x23, "00"), from_hex("AA AA AA 23 01 00 00 D8 1E"));
  EXPECT_EQ(command(0x30), from_hex("AA AA AA 30 00 00 CA CF"));
  EXPECT_EQ(command(0x34, "64 00"), from_hex("AA AA AA 34 02 00 64 00 8E C7"));
  EXPECT_EQ(command(0x35), from_hex("AA AA AA 35 00 00 F1 2C"));
  EXPECT_EQ(command(0x36, "80"), from_hex("AA AA AA 36 01 00 80 6F 99"));
  EXPECT_EQ(command(0x37), from_hex("AA AA AA 37 00 00 B5 F9"));
  EXPECT_EQ(command(0x38), from_hex("AA AA AA 38 00 00 EA CF"));
  EXPECT_EQ(command(0x46), from_hex("AA AA AA 46 00 00 86 B7"));
  EXPECT_EQ(command(0x50), from_hex("AA AA AA 50 00 00 DB 87"));
  EXPECT_EQ(command(0x52), from_hex("AA AA AA 52 00 00 9F 52"));
  EXPECT_EQ(command(0x21, "00 00"), from_hex("AA AA AA 21 02 00 00 00 28 04"));
  EXPECT_EQ(command(0x21, "04 00"), from_hex("AA AA AA 21 02 00 04 00 64 D5"));
  EXPECT_EQ(command(0x7F, "0E 00"), from_hex("AA AA AA 7F 02 00 0E 00 05 1C"));
}

std::vector<WtsFrame> frames_of(WtsFrameFinder& finder, ByteView bytes) {
  finder.add(bytes);
  std::vector<WtsFrame> frames;
  while (auto frame = finder.next()) frames.push_back(*frame);
  return frames;
}

TEST(WtsFrameFinder, FindsFramesAfterRunsOfAA) {
  WtsFrameFinder finder;
  EXPECT_THAT(frames_of(finder, from_hex("00 AA AA AA AA AA 22 00 00 0E 76 AA AA")),
              ElementsAre(WtsFrame{WtsCommand::kStopPeriodic, {}}));
  EXPECT_THAT(frames_of(finder, from_hex("AA 30 00 00 CA CF")),
              ElementsAre(WtsFrame{WtsCommand::kMatrixInfo, {}}));
}

TEST(WtsFrameFinder, AdvancesOneByteAfterAWrongCheck) {
  WtsFrameFinder finder;
  // A frame cut short by the next one: its payload swallows the other's begin.
  EXPECT_THAT(frames_of(finder, from_hex("AA AA AA 06 05 00 48 65 AA AA AA 22 00 00 0E 76")),
              ElementsAre(WtsFrame{WtsCommand::kStopPeriodic, {}}));
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(WtsMatrix, IsReadInHundredthsOfAMillimetre) {
  WtsFrameFinder finder;
  const auto frames =
      frames_of(finder, from_hex("AA AA AA 30 0C 00 00 00 06 00 0E 00 54 01 54 01 FF 0F 59 3E"));
  ASSERT_EQ(frames.size(), 1U);
  const auto matrix = decode_wts_matrix(ByteView(frames[0].payload).subspan(2));
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->columns, 6);
  EXPECT_EQ(matrix->rows, 14);
  EXPECT_DOUBLE_EQ(matrix->pitch_x_m, 3.4e-3);
  EXPECT_EQ(matrix->full_scale, 4095);
  EXPECT_FALSE(decode_wts_matrix(from_hex("06 00 00 00 54 01 54 01 FF 0F")));
  EXPECT_FALSE(decode_wts_matrix(from_hex("FF FF FF FF 54 01 54 01 FF 0F")));
  EXPECT_FALSE(decode_wts_matrix(from_hex("06 00")));
}

TEST(WeissReadings, AreReadRaw) {
  WtsFrameFinder finder;
  const auto frames = frames_of(
      finder, from_hex("AA AA AA 00 0D 00 FC 03 00 00 00 00 00 01 00 23 01 FF 0F DE 93"
                       "AA AA AA 20 0F 00 00 00 E8 03 00 00 00 00 00 01 00 23 01 FF 0F 95 72"));
  ASSERT_EQ(frames.size(), 2U);
  const auto periodic = decode_weiss_readings(frames[0].payload, 4);
  ASSERT_TRUE(periodic);
  EXPECT_EQ(periodic->time_ms, 1020U);
  EXPECT_THAT(periodic->cells, ElementsAre(0, 1, 0x123, 4095));
  const auto single = decode_weiss_readings(ByteView(frames[1].payload).subspan(2), 4);
  ASSERT_TRUE(single);
  EXPECT_EQ(single->time_ms, 1000U);
}

WeissReadings two_pressed() {
  WeissReadings readings{2000, std::vector<std::uint16_t>(84, 0)};
  readings.cells[40] = readings.cells[41] = 0x123;
  return readings;
}

TEST(WeissReadings, AreReadAndWrittenInRunLengths) {
  const auto frame =
      from_hex("AA AA AA 00 13 00 D0 07 00 00 01 00 F0 00 F0 00 A0 23 21 00 F0 00 F0 00 C0 8D 7C");
  WtsFrameFinder finder;
  const auto frames = frames_of(finder, frame);
  ASSERT_EQ(frames.size(), 1U);
  const auto readings = decode_weiss_readings(frames[0].payload, 84);
  ASSERT_TRUE(readings) << readings.error().message;
  EXPECT_EQ(readings->cells, two_pressed().cells);
  EXPECT_EQ(encode(WtsFrame{WtsCommand::kFrame, encode_weiss_readings(two_pressed(), true)}),
            frame);
}

TEST(WeissReadings, AreWrittenRawAsTheManualDoes) {
  const auto raw =
      encode(WtsFrame{WtsCommand::kFrame, encode_weiss_readings(two_pressed(), false)});
  EXPECT_EQ(raw.size(), 181U);
  EXPECT_EQ(Bytes(raw.begin(), raw.begin() + 11), from_hex("AA AA AA 00 AD 00 D0 07 00 00 00"));
  EXPECT_EQ(Bytes(raw.end() - 2, raw.end()), from_hex("59 E9"));
}

TEST(WeissReadings, AreRefusedWithTooFewOrTooManyCells) {
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 00 01 00"), 2));
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 00 01 00 01 00 01 00"), 2));
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 01 01 F0"), 2));
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 01 01 00"), 2));  // zero times
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 01 01 00 01 20"), 2));
  EXPECT_FALSE(decode_weiss_readings(from_hex("00 00 00 00 00 01"), 1));
  EXPECT_FALSE(decode_weiss_readings({}, 1));
}

TEST(WtsStatus, FollowsTheTableOfTheWts) {
  for (std::uint16_t status = 0; status <= 30; ++status)
    EXPECT_NE(describe_weiss_status(WeissDialect::kWts, status), "unknown status") << status;
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 0), "success");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 11), "checksum error");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 12),
            "no parameter expected");  // a DSA is one ahead from here on
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 14), "command unknown");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 26), "command pending");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 13), "not enough parameters");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 30), "file exists");
  EXPECT_EQ(describe_weiss_status(WeissDialect::kWts, 31), "unknown status");
}

RC_GTEST_PROP(WtsProtocol, SurvivesAnyBytesInAnyPieces, (const Bytes& bytes)) {
  WtsFrameFinder whole, pieces;
  auto input = from_hex("AA AA AA");
  input.insert(input.end(), bytes.begin(), bytes.end());
  const auto expected = frames_of(whole, input);
  std::vector<WtsFrame> got;
  for (const auto byte : input)
    for (auto& frame : frames_of(pieces, {&byte, 1})) got.push_back(frame);
  RC_ASSERT(got == expected);
  decode_wts_matrix(bytes);
  decode_weiss_readings(bytes, 84);
}

RC_GTEST_PROP(WeissReadings, ComeBackFromEitherCoding, (std::vector<std::uint16_t> cells)) {
  for (auto& cell : cells) cell &= 0x0FFF;
  for (const bool rle : {false, true}) {
    const auto payload = encode_weiss_readings({7, cells}, rle);
    const auto back = decode_weiss_readings(payload, cells.size());
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->cells == cells);
  }
}

}  // namespace
}  // namespace tactelier::devices
