#include "devices/contactile/papillarray_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "devices/link/bytes.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;

/// One sensor, one pillar: worked by hand from the maker's layout, sum 0x066B.
const Bytes kVector = from_hex(
    "55 66 77 88 02 01 00 0D 00 03 00 19 00 04 00 3B 00 07 00 00 00 87 D6 12 00 00 00 00 00 01 00 "
    "04 00 01 00 04 00 02 00 00 00 00 3F 00 00 80 BE 00 00 00 40 00 00 00 00 00 00 00 00 00 00 00 "
    "3E 01 00 04 00 02 00 00 00 00 3F 00 00 80 BE 00 00 00 40 00 00 00 00 00 00 00 00 00 00 80 3F "
    "6B 06 AA BB CC DD");

PapillArrayPacket numbered(std::uint32_t number, int sensors = 2, int pillars = 9) {
  PapillArrayPacket packet{number, 1000ULL * number, {}};
  for (int sensor = 0; sensor < sensors; ++sensor) {
    auto& into = packet.sensors.emplace_back();
    for (int pillar = 0; pillar < pillars; ++pillar) {
      const auto at = static_cast<float>(100 * sensor + pillar);
      into.push_back({{at + 0.25F, -at, 0.5F * at}, {0.1F * at, -0.2F * at, 0.3F * at}});
    }
  }
  return packet;
}

std::vector<std::uint32_t> numbers_in(PapillArrayFinder& finder, ByteView bytes) {
  finder.add(bytes);
  std::vector<std::uint32_t> numbers;
  while (const auto content = finder.next())
    if (const auto packet = decode_papillarray(*content)) numbers.push_back(packet->number);
  return numbers;
}

Bytes stream_of(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Marks in the readings: a float whose bytes are those.
Bytes with_reading(std::uint32_t number, std::uint32_t bits) {
  auto packet = numbered(number);
  packet.sensors[1][4].force_N[1] = std::bit_cast<float>(bits);
  return encode_papillarray(packet);
}

TEST(PapillArrayPackets, AreReadAsThePublicLayoutSays) {
  PapillArrayFinder finder;
  finder.add(kVector);
  const auto content = finder.next();
  ASSERT_TRUE(content);
  const auto packet = decode_papillarray(*content);
  ASSERT_TRUE(packet) << packet.error().message;
  EXPECT_EQ(packet->number, 7U);
  EXPECT_EQ(packet->time_us, 1'234'567U);
  ASSERT_EQ(packet->sensors.size(), 1U);
  EXPECT_THAT(packet->sensors[0], ElementsAre(PillarReading{{0.5F, -0.25F, 2}, {0, 0, 0.125F}}));
  // Ours says no torque, the vector 1 N mm about z.
  auto ours = encode_papillarray(*packet);
  ASSERT_EQ(ours.size(), kVector.size());
  EXPECT_TRUE(std::equal(ours.begin(), ours.end() - 8, kVector.begin()));
}

TEST(PapillArrayPackets, ComeBackWithOneAndTwoSensorsAndWithSlip) {
  for (const int sensors : {1, 2})
    for (const bool slip : {false, true}) {
      const auto packet = numbered(40, sensors);
      const auto decoded = decode_papillarray(papillarray_content(packet, slip));
      ASSERT_TRUE(decoded) << decoded.error().message;
      EXPECT_EQ(*decoded, packet);
    }
}

TEST(PapillArrayPackets, MayHaveOffsetsOfOtherWidths) {
  // As the vector with offsets of one byte: index of 10 bytes, blocks of 12, 32 and 28.
  auto content = from_hex("01 01 00 0A 03 00 16 04 00 36");
  const auto block = ByteView(kVector).subspan(17, 12);
  content.insert(content.end(), block.begin(), block.end());
  const auto append = [&](std::string_view text) {
    const auto bytes = from_hex(text);
    content.insert(content.end(), bytes.begin(), bytes.end());
  };
  append("01 00 03 01 00 03 02 00 00 00 00 3F 00 00 80 BE 00 00 00 40");
  append("00 00 00 00 00 00 00 00 00 00 00 3E 00 00");
  const auto packet = decode_papillarray(content);
  ASSERT_TRUE(packet) << packet.error().message;
  EXPECT_THAT(packet->sensors[0], ElementsAre(PillarReading{{0.5F, -0.25F, 2}, {0, 0, 0.125F}}));
}

TEST(PapillArrayPackets, AreRefusedWhereTheyAreNotAsDescribed) {
  const auto good = papillarray_content(numbered(1, 1));
  const auto refused = [&](auto change) {
    auto content = good;
    change(content);
    const auto packet = decode_papillarray(content);
    return !packet && packet.error().code == ErrorCode::kProtocol;
  };
  EXPECT_FALSE(refused([](Bytes&) {}));
  EXPECT_TRUE(refused([](Bytes& b) { b.clear(); }));
  EXPECT_TRUE(refused([](Bytes& b) { b[0] = 0; }));
  EXPECT_TRUE(refused([](Bytes& b) { b[1] = 9; }));                    // no number and time
  EXPECT_TRUE(refused([](Bytes& b) { b[5] = 9; }));                    // no pillars
  EXPECT_TRUE(refused([](Bytes& b) { b[24] = 0xFF; }));                // the year 500000
  EXPECT_TRUE(refused([](Bytes& b) { b[25] = 0; }));                   // no sensor
  EXPECT_TRUE(refused([](Bytes& b) { b[29] = 200; }));                 // 200 pillars
  EXPECT_TRUE(refused([](Bytes& b) { b[49] = 3; }));                   // of another kind
  EXPECT_TRUE(refused([](Bytes& b) { b[53] = 0x80, b[54] = 0x7F; }));  // infinite
  EXPECT_TRUE(refused([](Bytes& b) { b.resize(60); }));
}

TEST(PapillArrayPackets, AreFoundInAnyPieces) {
  const auto stream =
      stream_of({from_hex("10 20 AA BB CC DD"), encode_papillarray(numbered(1)),
                 encode_papillarray(numbered(2), true), encode_papillarray(numbered(3))});
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 5000U}) {
    PapillArrayFinder finder;
    std::vector<std::uint32_t> numbers;
    for (std::size_t at = 0; at < stream.size(); at += piece)
      for (const auto number :
           numbers_in(finder, ByteView(stream).subspan(at, std::min(piece, stream.size() - at))))
        numbers.push_back(number);
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3)) << piece;
    EXPECT_EQ(finder.malformed(), 0) << piece;
  }
}

TEST(PapillArrayPackets, MayHoldMarksInTheirReadings) {
  constexpr std::uint32_t kStartMark = 0x88776655, kEndMark = 0xDDCCBBAA;
  PapillArrayFinder finder;
  const auto stream = stream_of(
      {with_reading(1, kEndMark), with_reading(2, kStartMark), with_reading(3, kEndMark)});
  EXPECT_THAT(numbers_in(finder, stream), ElementsAre(1, 2, 3));
  EXPECT_EQ(finder.malformed(), 0);
}

TEST(PapillArrayPackets, AreDamagedOneByOne) {
  const auto one = encode_papillarray(numbered(1)), three = encode_papillarray(numbered(3));
  const auto two = encode_papillarray(numbered(2));
  for (std::size_t at = 0; at < two.size(); ++at) {
    auto damaged = two;
    damaged[at] ^= 0x40;
    PapillArrayFinder finder;
    ASSERT_THAT(numbers_in(finder, stream_of({one, damaged, three})), ElementsAre(1, 3)) << at;
    ASSERT_EQ(finder.malformed(), 1) << at;
  }
}

TEST(PapillArrayPackets, ThatNeverEndAreGivenUp) {
  PapillArrayFinder finder;
  EXPECT_THAT(numbers_in(finder, encode_papillarray(numbered(1))), ElementsAre(1));
  EXPECT_TRUE(numbers_in(finder, from_hex("55 66 77 88")).empty());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(numbers_in(finder, Bytes(1000, 1)).empty());
  EXPECT_EQ(finder.malformed(), 1);
  EXPECT_THAT(numbers_in(finder, encode_papillarray(numbered(2))), ElementsAre(2));
}

RC_GTEST_PROP(PapillArrayPackets, SurviveAnyBytes, (Bytes noise)) {
  PapillArrayFinder finder;
  numbers_in(finder, noise);
  (void)decode_papillarray(noise);
  finder.forget();
  RC_ASSERT(numbers_in(finder, encode_papillarray(numbered(5))) == std::vector<std::uint32_t>{5});
}

TEST(PapillArrayCommands, AreThoseOfTheMaker) {
  EXPECT_EQ(papillarray_rate_command(100), "f100\n");
  EXPECT_EQ(papillarray_rate_command(1000), "f1000\n");
}

}  // namespace
}  // namespace tactelier::devices
