#include "libcalib/session/codec.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "libcalib/session/decimal.hpp"

namespace tactelier {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> round_trip(const std::vector<std::int64_t>& values, Codec codec) {
  Encoder encoder(codec);
  Decoder decoder;
  const auto& encoded = encoder.encode(values);
  std::vector<std::int64_t> decoded(values.size());
  const auto done = decoder.decode(static_cast<int>(encoded.codec), encoded.width, encoded.base,
                                   encoded.data, decoded);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return decoded;
}

TEST(Codec, GivesBackAnyIntegersExactly) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::int64_t> values(1 + random() % 100);
    for (auto& value : values) value = static_cast<std::int64_t>(random()) >> (random() % 64);
    for (const auto codec : {Codec::kRaw, Codec::kZlib, Codec::kZstd})
      ASSERT_EQ(round_trip(values, codec), values) << "trial " << trial;
  }
}

TEST(Codec, GivesBackLongStretchesOfEveryWidth) {
  std::mt19937_64 random(3);
  for (int bits = 1; bits <= 64; ++bits) {
    std::vector<std::int64_t> values(1000);
    for (auto& value : values) value = static_cast<std::int64_t>(random()) >> (64 - bits);
    for (const auto codec : {Codec::kRaw, Codec::kZlib, Codec::kZstd})
      EXPECT_EQ(round_trip(values, codec), values) << bits;
  }
}

TEST(Codec, GivesBackTheEndsOfTheRangeAndMissingCells) {
  for (const auto& values : std::vector<std::vector<std::int64_t>>{{0},
                                                                   {kMin},
                                                                   {kMax},
                                                                   {kMin, kMax},
                                                                   {kMax, kMin, kMax},
                                                                   {kMissing, 5, kMissing, 6},
                                                                   {7, 7, 7, 7},
                                                                   {-1, 0, -1, 0}})
    EXPECT_EQ(round_trip(values, Codec::kZlib), values);
}

TEST(Codec, TakesTheSmallestWidthThatHolds) {
  // zigzag: a difference d becomes 2d, or -2d - 1 when negative
  Encoder encoder;
  const auto width = [&](std::vector<std::int64_t> values) { return encoder.encode(values).width; };
  EXPECT_EQ(width({5, 5, 5}), 0);
  EXPECT_EQ(width({0, 127}), 1);
  EXPECT_EQ(width({0, -128}), 1);
  EXPECT_EQ(width({0, 128}), 2);
  EXPECT_EQ(width({0, 32767}), 2);
  EXPECT_EQ(width({0, 32768}), 4);
  EXPECT_EQ(width({0, 2147483647}), 4);
  EXPECT_EQ(width({0, 2147483648}), 8);
}

TEST(Codec, BytesAreTheOnesOfTheDescription) {
  // 1000, 1002, 700: differences 2, -302; zigzag 4, 603 = 0x025b; low bytes first, then high ones
  Encoder encoder(Codec::kRaw);
  const std::vector<std::int64_t> values{1000, 1002, 700};
  const auto& encoded = encoder.encode(values);
  EXPECT_EQ(encoded.base, 1000);
  EXPECT_EQ(encoded.width, 2);
  EXPECT_EQ(encoded.data, (std::vector<std::uint8_t>{0x04, 0x5b, 0x00, 0x02}));
}

TEST(Codec, KeepsRawWhatCompressionWouldEnlarge) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> noise(300);
  for (auto& value : noise) value = static_cast<std::int64_t>(random());
  Encoder encoder;
  EXPECT_EQ(encoder.encode(noise).codec, Codec::kRaw);
  std::vector<std::int64_t> ramp(300);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::int64_t>(i) * 3;
  EXPECT_EQ(encoder.encode(ramp).codec, Codec::kZlib);
  EXPECT_LT(encoder.encode(ramp).data.size(), 30U);
}

TEST(Codec, RefusesWhatDoesNotFitInsteadOfBelievingIt) {
  Encoder encoder;
  Decoder decoder;
  std::vector<std::int64_t> ramp(300), decoded;
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::int64_t>(i) * 3;
  const auto encoded = encoder.encode(ramp);
  const auto refused = [&](int codec, int width, std::size_t count) {
    decoded.resize(count);
    const auto done = decoder.decode(codec, width, encoded.base, encoded.data, decoded);
    return !done && done.error().code == ErrorCode::kDamaged;
  };
  EXPECT_TRUE(refused(1, 3, 300));
  EXPECT_TRUE(refused(1, -8, 300));
  EXPECT_TRUE(refused(1, 1 << 30, 300));
  EXPECT_TRUE(refused(1, encoded.width, 299));  // a stream that holds more than it should
  EXPECT_TRUE(refused(1, encoded.width, 301));
  EXPECT_TRUE(refused(0, encoded.width, 300));
  EXPECT_TRUE(refused(2, encoded.width, 300));
  EXPECT_TRUE(refused(9, encoded.width, 300));
  EXPECT_TRUE(refused(-1, encoded.width, 300));
}

}  // namespace
}  // namespace tactelier
