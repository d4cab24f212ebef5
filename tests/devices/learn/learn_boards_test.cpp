// Boards of others, imitated from their public firmware: what is proposed is right, or nothing is.

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/framed/framed_array.hpp"
#include "devices/learn/learn.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Readings about 1000 of which one after the other rises and falls.
class Pressed {
 public:
  Pressed(int cells, double most) : cells_(cells), most_(most) {}

  std::vector<int> at(int frame) {
    std::vector<int> counts;
    for (int i = 0; i < cells_; ++i) {
      const double phase = 0.02 * frame - i;
      const double rise = std::abs(phase) < 3 ? std::pow(std::cos(phase * 0.5236), 2) : 0;
      counts.push_back(static_cast<int>(most_ * (0.1 + 0.8 * rise) + noise_(random_)));
    }
    return counts;
  }

 private:
  int cells_;
  double most_;
  std::mt19937 random_{5};
  std::normal_distribution<double> noise_{0, 1.5};
};

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

void put_float(Bytes& wire, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (unsigned i = 0; i < 4; ++i) wire.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

std::string failure(const Result<Learned>& result) {
  return result ? result->document : result.error().message;
}

struct Shape {
  int rows = 1, columns = 1;
};

/// Learned from text, with readings that fill rows of columns.
void expect_text(const Result<Learned>& result, Shape shape) {
  ASSERT_TRUE(result) << failure(result);
  EXPECT_EQ(result->description.frame.kind, Framing::kTextLine);
  EXPECT_EQ(result->description.shape.rows * result->description.shape.columns,
            shape.rows * shape.columns)
      << result->document;
  EXPECT_GT(result->explained, 0.97) << result->document;
}

// raunaqbhirangi/anyskin: five magnetometers, temperature and three fields each as floats, then a
// line end. At rest the temperature does not change, and its bytes are no marks.
Bytes anyskin(int frames, int magnetometers, float celsius) {
  Bytes wire;
  Pressed field(3 * magnetometers, 400);
  for (int frame = 0; frame < frames; ++frame) {
    const auto counts = field.at(frame);
    for (int m = 0; m < magnetometers; ++m) {
      put_float(wire, celsius);
      for (int axis = 0; axis < 3; ++axis)
        put_float(wire,
                  0.15F * static_cast<float>(counts[static_cast<std::size_t>(3 * m + axis)]) - 30);
    }
    wire.insert(wire.end(), {0x0D, 0x0A});
  }
  return wire;
}

TEST(LearnBoards, KnowsAnySkinAsShipped) {
  const auto result = learn_frames(anyskin(300, 5, 27.25F), {});
  ASSERT_TRUE(result) << failure(result);
  EXPECT_EQ(result->description.name, "reskin-5");
}

// BOTAsys/matlab, bota_serial/readSerialFrame.m; heard from the middle of a frame on.
TEST(LearnBoards, KnowsAForceSensorAndNamesItsDriver) {
  const auto bota = load_device_description("bota-serial").value();
  Bytes wire;
  Pressed forces(6, 100);
  for (std::uint64_t frame = 0; frame < 300; ++frame) {
    const auto counts = forces.at(static_cast<int>(frame));
    const auto bytes =
        encode_frame(bota, std::vector<double>(counts.begin(), counts.end()), 1250 * frame, 0);
    wire.insert(wire.end(), bytes.begin(), bytes.end());
  }
  const auto result = learn_frames(ByteView(wire).subspan(20), {});
  ASSERT_TRUE(result) << failure(result);
  EXPECT_EQ(result->description.name, "bota-serial");
  EXPECT_THAT(result->findings, testing::Contains(HasSubstr("driver framed-wrench")));
}

TEST(LearnBoards, TakesNoFloatThatRestsForMarks) {
  const auto result = learn_frames(anyskin(300, 4, 27.25F), {});
  ASSERT_TRUE(result) << failure(result);
  const auto& frame = result->description.frame;
  EXPECT_EQ(frame.kind, Framing::kTerminatorFixed) << result->document;
  EXPECT_EQ(frame.length, 66U);
  EXPECT_EQ(result->description.cells.type, FieldType::kF32);
  // Warmer by a degree.
  const auto warm = anyskin(100, 4, 28.3125F);
  FrameFinder finder(frame, result->description.check);
  finder.add(warm);
  int found = 0;
  while (finder.next()) ++found;
  EXPECT_GT(found, 95);
}

// A scanner of 16 x 16 cells of one byte that begins its frames with FF, which no reading reaches.
TEST(LearnBoards, MakesNoRowOf257OfAMarkAnd256Cells) {
  Bytes wire;
  Pressed cells(256, 250);
  for (int frame = 0; frame < 300; ++frame) {
    wire.push_back(0xFF);
    for (const int count : cells.at(frame))
      wire.push_back(static_cast<std::uint8_t>(std::clamp(count, 0, 254)));
  }
  const auto result = learn_frames(wire, {});
  if (result)
    EXPECT_EQ(result->description.shape.size(), 256U) << result->document;
  else
    EXPECT_EQ(result.error().code, ErrorCode::kProtocol);
}

// bogde/HX711, examples: a word and one number.
TEST(LearnBoards, ReadsAWordAndANumber) {
  std::string text = "HX711 Demo\r\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("HX711 reading: {}\r\n", -8300 - 7 * (i % 13));
  expect_text(learn_frames(bytes_of(text), {}), {});
}

TEST(LearnBoards, ReadsNumbersWithAUnit) {
  std::string text = "\r\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{:.2f} N\r\n", 12.34 + 0.1 * (i % 7));
  expect_text(learn_frames(bytes_of(text), {}), {});
}

TEST(LearnBoards, ReadsNumbersWithASign) {
  std::string text = "\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{:+.1f},{:+.1f}\n", i % 7 - 3.2, 4.0 + i % 3);
  expect_text(learn_frames(bytes_of(text), {}), {1, 2});
}

TEST(LearnBoards, ReadsCellsThatAreCalledByName) {
  std::string text = "\n";
  Pressed cells(6, 1000);
  for (int i = 0; i < 200; ++i) {
    const auto counts = cells.at(i);
    for (std::size_t c = 0; c < counts.size(); ++c) text += fmt::format("S{}:{} ", c, counts[c]);
    text += "\n";
  }
  expect_text(learn_frames(bytes_of(text), {}), {1, 6});
}

TEST(LearnBoards, ReadsJsonLines) {
  std::string text = "\n";
  Pressed cells(4, 1000);
  for (int i = 0; i < 200; ++i) {
    const auto c = cells.at(i);
    text +=
        fmt::format(R"({{"cells": [{}, {}, {}, {}], "unit": "counts"}})", c[0], c[1], c[2], c[3]);
    text += "\n";
  }
  expect_text(learn_frames(bytes_of(text), {}), {1, 4});
}

TEST(LearnBoards, ReadsLinesThatEndWithCarriageReturnsAlone) {
  std::string text = "\r";
  Pressed cells(5, 1000);
  for (int i = 0; i < 200; ++i) text += fmt::format("{}\r", fmt::join(cells.at(i), ","));
  expect_text(learn_frames(bytes_of(text), {}), {1, 5});
}

TEST(LearnBoards, ReadsHexText) {
  std::string text = "\n";
  Pressed cells(8, 1000);
  for (int i = 0; i < 200; ++i) {
    for (const int count : cells.at(i)) text += fmt::format("{:04X} ", std::max(0, count));
    text += "\n";
  }
  const auto result = learn_frames(bytes_of(text), {});
  expect_text(result, {1, 8});
  EXPECT_EQ(result->description.frame.base, 16);
}

std::string joined_hex(int digits, int rows) {
  std::string text = "\n";
  Pressed cells(12, digits == 2 ? 220 : 1000);
  for (int i = 0; i < 200; ++i) {
    const auto counts = cells.at(i);
    for (std::size_t k = 0; k < 12; ++k) {
      text += fmt::format("{:0{}X}", std::max(0, counts[k]), digits);
      if (static_cast<int>(k + 1) * rows % 12 == 0) text += "\n";
    }
    if (rows > 1) text += "\n";
  }
  return text;
}

TEST(LearnBoards, AskHowManyReadingsDigitsWithNothingBetweenAre) {
  const auto unsure = learn_frames(bytes_of(joined_hex(4, 1)), {});
  ASSERT_FALSE(unsure) << unsure->document;
  EXPECT_THAT(unsure.error().message, HasSubstr("frames of 48 hexadecimal digits"));
  EXPECT_THAT(unsure.error().message, HasSubstr("--rows and --columns"));
  LearnOptions options;
  options.rows = 3;
  options.columns = 4;
  for (const auto& [digits, rows] : {std::pair{4, 1}, {2, 1}, {4, 3}, {3, 3}}) {
    const auto result = learn_frames(bytes_of(joined_hex(digits, rows)), options);
    ASSERT_NO_FATAL_FAILURE(expect_text(result, {3, 4}));
    EXPECT_EQ(result->description.frame.digits, static_cast<std::size_t>(digits));
    EXPECT_EQ(result->description.frame.text_rows, static_cast<std::size_t>(rows));
  }
  options.columns = 5;
  const auto wrong = learn_frames(bytes_of(joined_hex(4, 1)), options);
  ASSERT_FALSE(wrong) << wrong->document;
  EXPECT_THAT(wrong.error().message, HasSubstr("are no 15 readings"));
}

std::string rows_of(int frame, Pressed& cells, const std::string& begin, const std::string& label) {
  std::string text = begin;
  const auto counts = cells.at(frame);
  for (std::size_t row = 0; row < 4; ++row) {
    if (!label.empty()) text += fmt::format(fmt::runtime(label), row + 1);
    for (std::size_t column = 0; column < 3; ++column)
      text += fmt::format("{} ", counts[3 * row + column]);
    text += "\n";
  }
  return text;
}

TEST(LearnBoards, ReadsRowsBehindALineThatBeginsAFrame) {
  std::string text;
  Pressed cells(12, 1000);
  for (int i = 0; i < 200; ++i) text += rows_of(i, cells, "Frame:\n", "");
  const auto result = learn_frames(bytes_of(text), {});
  expect_text(result, {4, 3});
  EXPECT_EQ(result->description.frame.begin, "Frame:");
  EXPECT_EQ(result->description.shape.rows, 4);
}

TEST(LearnBoards, ReadsRowsWithTheirNumbers) {
  for (const std::string label : {"R{}: ", "{}: ", "row[{}] = ", "{},"}) {
    std::string text = "\n";
    Pressed cells(12, 1000);
    for (int i = 0; i < 200; ++i) text += rows_of(i, cells, "", label);
    const auto result = learn_frames(bytes_of(text), {});
    expect_text(result, {4, 3});
    EXPECT_EQ(result->description.frame.text_rows, 4U) << result->document;
    EXPECT_EQ(result->description.frame.first_row, 1U);
  }
}

TEST(LearnBoards, SayWhichLinesAreInTheWay) {
  std::string text = "\n";
  for (int i = 0; i < 100; ++i) {
    text += fmt::format("{} {}\n", i % 5, i % 3);
    if (i % 3 == 0) text += "Sensor warm-up:\n";
    if (i % 4 == 0) text += "7 8 9\n";
  }
  const auto result = learn_frames(bytes_of(text), {});
  ASSERT_FALSE(result) << result->document;
  EXPECT_THAT(result.error().message, HasSubstr("'Sensor warm-up:' holds no numbers"));
  EXPECT_THAT(result.error().message, HasSubstr("'7 8 9' holds 3"));
}

/// Marks that a reading showed for some seconds are none.
TEST(LearnBoards, ProposesNothingThatTheRestOfTheBytesDoesNotConfirm) {
  Bytes wire;
  std::mt19937 random(4);
  for (int frame = 0; frame < 300; ++frame) {
    const int length = frame < 200 ? 20 : 23;
    wire.insert(wire.end(), {0xAA, 0x55});
    for (int i = 2; i < length; ++i) wire.push_back(static_cast<std::uint8_t>(random() % 90));
  }
  const auto result = learn_frames(wire, {});
  ASSERT_FALSE(result) << result->document;
  EXPECT_THAT(result.error().message, HasSubstr("of the rest in frames"));
}

}  // namespace
}  // namespace tactelier::devices
