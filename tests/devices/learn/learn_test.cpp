// Boards made up here, byte by byte and without the project's own encoder; what is learned of them
// must be what was made up.
#include "devices/learn/learn.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "devices/framed/frame_finder.hpp"
#include "libcalib/text_file.hpp"
#include "tests/devices/support/hex.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::devices {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// What somebody's finger does to rows x columns tactels: it wanders and presses now and then.
class Finger {
 public:
  Finger(int rows, int columns, double full_scale)
      : rows_(rows), columns_(columns), full_(full_scale) {}

  std::vector<int> reading(int frame) {
    const double x = columns_ * (0.5 + 0.4 * std::sin(frame * 0.043));
    const double y = rows_ * (0.5 + 0.4 * std::sin(frame * 0.031 + 1));
    const double press = std::max(0.0, std::sin(frame * 0.11));
    std::vector<int> counts;
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const double far2 = std::pow(column - x, 2) + std::pow(row - y, 2);
        const double noise = static_cast<double>(random_() % 5);
        counts.push_back(
            static_cast<int>(full_ * (0.02 + 0.8 * press * std::exp(-far2 / 3)) + noise));
      }
    return counts;
  }

 private:
  int rows_, columns_;
  double full_;
  std::mt19937 random_{1};
};

void put16(Bytes& bytes, unsigned value, bool big) {
  const auto high = static_cast<std::uint8_t>(value >> 8U), low = static_cast<std::uint8_t>(value);
  bytes.push_back(big ? high : low);
  bytes.push_back(big ? low : high);
}

void put32le(Bytes& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

/// CRC-16/MODBUS, bit by bit as in the Modbus specification.
unsigned modbus(const Bytes& bytes) {
  unsigned crc = 0xFFFF;
  for (const auto byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1U) ^ 0xA001U : crc >> 1U;
  }
  return crc;
}

/// AA 55, frame number, 4 x 6 readings of 12 bits big endian, sum of all bytes.
Bytes board_with_marks(int frames) {
  Finger finger(4, 6, 4000);
  Bytes wire{0x12, 0x00, 0x34};  // we begin to listen in the middle of a frame
  for (int i = 0; i < frames; ++i) {
    Bytes frame{0xAA, 0x55, static_cast<std::uint8_t>(i)};
    for (const int count : finger.reading(i)) put16(frame, static_cast<unsigned>(count), true);
    unsigned sum = 0;
    for (const auto byte : frame) sum += byte;
    frame.push_back(static_cast<std::uint8_t>(sum));
    wire.insert(wire.end(), frame.begin(), frame.end());
  }
  return wire;
}

/// 3C C3, length of what follows up to the check, 1 ms clock, 5 x 5 readings little endian and now
/// and then a message of another length; CRC-16/MODBUS.
Bytes board_with_length(int frames) {
  Finger finger(5, 5, 1000);
  Bytes wire;
  const auto send = [&](const Bytes& payload) {
    Bytes frame{0x3C, 0xC3, static_cast<std::uint8_t>(payload.size())};
    frame.insert(frame.end(), payload.begin(), payload.end());
    put16(frame, modbus(frame), false);
    wire.insert(wire.end(), frame.begin(), frame.end());
  };
  for (int i = 0; i < frames; ++i) {
    Bytes payload;
    put32le(payload, 70'000 + 20 * static_cast<std::uint32_t>(i));
    for (const int count : finger.reading(i)) put16(payload, static_cast<unsigned>(count), false);
    send(payload);
    if (i % 7 == 3) send({'o', 'k', static_cast<std::uint8_t>(i), 1, 2, 3, 4, 5});
  }
  return wire;
}

/// AA AA AA 00, length, 1 ms clock, flags, 5 x 5 readings little endian, CRC-16/MODBUS; one tactel
/// rests at 2C, and another reads that now and then: more frequent than the marks.
Bytes board_with_a_stuck_tactel(int frames) {
  Bytes wire;
  std::mt19937 random(5);
  for (int i = 0; i < frames; ++i) {
    Bytes frame{0xAA, 0xAA, 0xAA, 0x00, 0x37, 0x00};
    put32le(frame, 3'000 + 20 * static_cast<std::uint32_t>(i));
    frame.push_back(0);
    for (int cell = 0; cell < 25; ++cell)
      put16(frame,
            cell == 7 || (cell == 9 && i % 12 == 5) ? 0x2C
                                                    : 0x30 + static_cast<unsigned>(random() % 40),
            false);
    put16(frame, modbus(frame), false);
    wire.insert(wire.end(), frame.begin(), frame.end());
  }
  return wire;
}

/// HDLC: 7E, escaped 7D, 8 x 8 bytes and their exclusive or.
Bytes board_with_escapes(int frames) {
  Finger finger(8, 8, 250);
  Bytes wire;
  for (int i = 0; i < frames; ++i) {
    Bytes frame;
    for (const int count : finger.reading(i)) frame.push_back(static_cast<std::uint8_t>(count));
    std::uint8_t all = 0;
    for (const auto byte : frame) all ^= byte;
    frame.push_back(all);
    wire.push_back(0x7E);
    for (const auto byte : frame) {
      const bool escape = byte == 0x7E || byte == 0x7D;
      if (escape) wire.push_back(0x7D);
      wire.push_back(escape ? byte ^ 0x20U : byte);
    }
    wire.push_back(0x7E);
  }
  return wire;
}

/// Five magnetometers of four floats, 0D 0A (ReSkin).
Bytes board_of_floats(int frames) {
  Finger finger(1, 5, 100);
  Bytes wire;
  for (int i = 0; i < frames; ++i) {
    for (const int count : finger.reading(i)) {
      const auto field = static_cast<float>(count);
      for (const float value : {25.0F + 0.01F * field, field, -2.5F - field, 40.0F + 0.5F * field})
        put32le(wire, std::bit_cast<std::uint32_t>(value));
    }
    wire.push_back(0x0D);
    wire.push_back(0x0A);
  }
  return wire;
}

/// Lines of 7 numbers, 5 lines, an empty line (FlexiTac).
Bytes board_of_text(int frames) {
  Finger finger(5, 7, 255);
  std::string text = "13 7 \r\n";
  for (int i = 0; i < frames; ++i) {
    const auto counts = finger.reading(i);
    for (std::size_t cell = 0; cell < counts.size(); ++cell)
      text += fmt::format("{} {}", counts[cell], cell % 7 == 6 ? "\r\n" : "");
    text += "\r\n";
  }
  return {text.begin(), text.end()};
}

/// One line a frame: milliseconds, then 12 numbers.
Bytes board_of_lines(int frames) {
  Finger finger(3, 4, 1023);
  std::string text = "0\n";
  for (int i = 0; i < frames; ++i)
    text += fmt::format("S:{},{}\n", 1000 + 10 * i, fmt::join(finger.reading(i), ","));
  return {text.begin(), text.end()};
}

Learned learned(const Bytes& wire, LearnOptions options = {}) {
  auto result = learn_frames(wire, options);
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : Learned{};
}

std::string all(const Learned& one) {
  return fmt::format("{}\ndoubts: {}", fmt::join(one.findings, "\n"), fmt::join(one.doubts, "; "));
}

TEST(Learn, FindsMarksLengthNumberSumAndShape) {
  const auto one = learned(board_with_marks(500));
  const auto& d = one.description;
  EXPECT_EQ(d.frame.kind, Framing::kSyncFixed) << all(one);
  EXPECT_EQ(d.frame.sync, (Bytes{0xAA, 0x55})) << all(one);
  EXPECT_EQ(d.frame.length, 52U);
  ASSERT_TRUE(d.sequence) << all(one);
  EXPECT_EQ(d.sequence->offset, 2);
  EXPECT_EQ(d.sequence->type, FieldType::kU8);
  EXPECT_EQ(d.check.check.kind, CheckKind::kSum8) << all(one);
  EXPECT_EQ(d.cells.type, FieldType::kU16);
  EXPECT_TRUE(d.cells.big_endian);
  EXPECT_EQ(d.cells.offset, 3);
  EXPECT_EQ(d.shape.rows, 4) << all(one);
  EXPECT_EQ(d.shape.columns, 6);
  EXPECT_GT(one.frames, 495U);
  EXPECT_THAT(one.doubts, IsEmpty());
}

TEST(Learn, FindsAStatedLengthWithMessagesOfOtherLengthsBetween) {
  LearnOptions options;
  options.duration_s = 10;  // 500 frames, 20 ms each
  const auto one = learned(board_with_length(500), options);
  const auto& d = one.description;
  EXPECT_EQ(d.frame.kind, Framing::kSyncLength) << all(one);
  EXPECT_EQ(d.frame.sync, (Bytes{0x3C, 0xC3})) << all(one);
  EXPECT_EQ(d.frame.length_field.offset, 2);
  EXPECT_EQ(d.frame.length_adds, 5U);
  EXPECT_EQ(d.check.check.kind, CheckKind::kCrc) << all(one);
  EXPECT_THAT(one.findings, Contains(HasSubstr("crc16-modbus")));
  ASSERT_TRUE(d.time) << all(one);
  EXPECT_EQ(d.time->offset, 3);
  EXPECT_DOUBLE_EQ(d.shape.tick_s, 1e-3);
  EXPECT_EQ(d.cells.offset, 7);
  EXPECT_FALSE(d.cells.big_endian);
  EXPECT_EQ(d.shape.rows, 5) << all(one);
  EXPECT_EQ(d.shape.columns, 5);
}

TEST(Learn, KnowsTheClockOfABoardThatSeemsFasterOrSlower) {
  // Bytes that waited for a busy host arrive at once: what the host timed may be far off.
  for (const double duration_s : {6.0, 16.0}) {
    LearnOptions options;
    options.duration_s = duration_s;
    const auto one = learned(board_with_length(500), options);  // 10 s by its own clock
    ASSERT_TRUE(one.description.time) << duration_s << all(one);
    EXPECT_EQ(one.description.time->offset, 3);
    EXPECT_DOUBLE_EQ(one.description.shape.tick_s, 1e-3);
    EXPECT_EQ(one.description.cells.offset, 7) << all(one);
  }
}

TEST(Learn, TakesNoTactelThatRestsForTheMarks) {
  LearnOptions options;
  options.duration_s = 3;  // 150 frames, 20 ms each
  const auto one = learned(board_with_a_stuck_tactel(150), options);
  const auto& d = one.description;
  EXPECT_EQ(d.frame.sync, (Bytes{0xAA, 0xAA, 0xAA, 0x00, 0x37})) << all(one);
  EXPECT_EQ(d.frame.length, 63U);
  EXPECT_THAT(one.findings, Contains(HasSubstr("crc16-modbus")));
  EXPECT_EQ(d.cells.offset, 11) << all(one);
}

TEST(Learn, FindsEscapedFramesOfBytes) {
  const auto one = learned(board_with_escapes(400));
  const auto& d = one.description;
  EXPECT_EQ(d.frame.kind, Framing::kHdlc) << all(one);
  EXPECT_EQ(d.frame.length, 65U);
  EXPECT_EQ(d.check.check.kind, CheckKind::kXor8) << all(one);
  EXPECT_EQ(d.cells.type, FieldType::kU8) << all(one);
  EXPECT_EQ(d.shape.rows, 8) << all(one);
  EXPECT_EQ(d.shape.columns, 8);
}

TEST(Learn, FindsFloatsThatEndWithALineEnd) {
  const auto one = learned(board_of_floats(300));
  const auto& d = one.description;
  EXPECT_EQ(d.frame.kind, Framing::kTerminatorFixed) << all(one);
  EXPECT_EQ(d.frame.sync, (Bytes{0x0D, 0x0A}));
  EXPECT_EQ(d.frame.length, 82U);
  EXPECT_EQ(d.cells.type, FieldType::kF32) << all(one);
  EXPECT_EQ(d.shape.size(), 20U);
  EXPECT_GT(one.frames, 290U);
}

TEST(Learn, FindsRowsOfText) {
  const auto one = learned(board_of_text(200));
  const auto& d = one.description;
  EXPECT_EQ(d.frame.kind, Framing::kTextLine) << all(one);
  EXPECT_TRUE(d.frame.empty_line_ends);
  EXPECT_EQ(d.shape.rows, 5);
  EXPECT_EQ(d.shape.columns, 7);
  EXPECT_GT(one.frames, 195U);
  EXPECT_THAT(one.doubts, IsEmpty());
}

TEST(Learn, LeavesOutWhatCountsUpInALine) {
  const auto one = learned(board_of_lines(300));
  const auto& d = one.description;
  EXPECT_EQ(d.frame.prefix, "S:") << all(one);
  EXPECT_EQ(d.frame.skip, 1U);
  EXPECT_EQ(d.shape.rows, 3) << all(one);
  EXPECT_EQ(d.shape.columns, 4);
}

TEST(Learn, BearsALineThatDamagesBytes) {
  auto wire = board_with_marks(500);
  std::mt19937 random(2);
  for (int i = 0; i < 8; ++i) wire[random() % wire.size()] ^= 0x40;
  const auto one = learned(wire);
  EXPECT_EQ(one.description.frame.sync, (Bytes{0xAA, 0x55})) << all(one);
  EXPECT_EQ(one.description.check.check.kind, CheckKind::kSum8) << all(one);
  EXPECT_GT(one.frames, 485U);
}

TEST(Learn, SaysWhenNothingWasPressed) {
  Bytes wire;
  for (int i = 0; i < 300; ++i) {
    wire.insert(wire.end(), {0xAA, 0x55, static_cast<std::uint8_t>(i)});
    wire.insert(wire.end(), 48, 0);
  }
  const auto one = learned(wire);
  EXPECT_THAT(one.doubts, Contains(HasSubstr("rows and columns")));
  EXPECT_THAT(one.doubts, Contains(HasSubstr("type of the readings")));
}

TEST(Learn, TakesTheShapeThatItIsTold) {
  LearnOptions options;
  options.rows = 6;
  const auto one = learned(board_with_marks(300), options);
  EXPECT_EQ(one.description.shape.rows, 6);
  EXPECT_EQ(one.description.shape.columns, 4);
  options.columns = 5;
  const auto wrong = learn_frames(board_with_marks(300), options);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("24 readings, not 6 x 5"));
}

TEST(Learn, RefusesSilenceAndNoise) {
  EXPECT_EQ(learn_frames({}, {}).error().code, ErrorCode::kTimeout);
  Bytes noise(20'000);
  std::mt19937 random(3);
  for (auto& byte : noise) byte = static_cast<std::uint8_t>(random());
  const auto result = learn_frames(noise, {});
  ASSERT_FALSE(result) << result->document;
  EXPECT_EQ(result.error().code, ErrorCode::kProtocol);
  EXPECT_THAT(result.error().message, HasSubstr("baud rate"));
}

TEST(Learn, SurvivesWhatTheFuzzerFound) {
  // The last one reads a length behind the frame's end; read past it before.
  const auto text = read_text_file(paths::source_dir() + "/tests/fuzz/seeds/learn.hex", 1U << 20U);
  ASSERT_TRUE(text) << text.error().message;
  std::size_t lines = 0;
  for (std::string_view rest = *text; !rest.empty(); ++lines) {
    const auto line = rest.substr(0, rest.find('\n'));
    (void)learn_frames(from_hex(line), {});
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  EXPECT_GE(lines, 3U);
}

RC_GTEST_PROP(LearnGarbage, SurvivesAnyBytes, (const Bytes& bytes)) {
  Bytes often;
  for (int i = 0; i < 20; ++i) often.insert(often.end(), bytes.begin(), bytes.end());
  (void)learn_frames(bytes, {});
  (void)learn_frames(often, {});
}

}  // namespace
}  // namespace tactelier::devices
