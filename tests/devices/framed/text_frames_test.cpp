#include "devices/framed/text_frames.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/framed/text_numbers.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextNumbers, AreReadBetweenSeparators) {
  EXPECT_THAT(numbers_of("+12.3 -4;5,\t6e2").numbers, ElementsAre(12.3, -4, 5, 600));
  EXPECT_EQ(numbers_of("12.34 N").odd, "N");
  EXPECT_EQ(numbers_of("1 +-2").odd, "+-2");
  EXPECT_EQ(numbers_of("1 nan").odd, "nan");
  EXPECT_THAT(numbers_of("03FF 00a0", 16).numbers, ElementsAre(1023, 160));
}

TEST(TextNumbers, AreReadWithNothingBetweenThem) {
  EXPECT_THAT(numbers_joined("03FF01a2", 16, 4).numbers, ElementsAre(1023, 418));
  EXPECT_THAT(numbers_joined(" 0FF7E \t", 16, 1).numbers, ElementsAre(0, 15, 15, 7, 14));
  EXPECT_THAT(numbers_joined("FFFFFFFF", 16, 8).numbers, ElementsAre(4294967295.0));
  EXPECT_THAT(numbers_joined("007012", 10, 3).numbers, ElementsAre(7, 12));
  EXPECT_EQ(numbers_joined("03FF01A", 16, 4).odd, "01A");
  EXPECT_EQ(numbers_joined("03FF 1A2", 16, 4).odd, " 1A2");
  EXPECT_EQ(numbers_joined("03FF-1A2", 16, 4).odd, "-1A2");
  EXPECT_EQ(numbers_joined("0x1F", 16, 2).odd, "0x");
  EXPECT_THAT(numbers_joined("", 16, 4).numbers, IsEmpty());
}

TEST(TextNumbers, AreFoundAmongWords) {
  EXPECT_THAT(numbers_among_words("S0:12 S1:-13.5").numbers, ElementsAre(12, -13.5));
  EXPECT_THAT(numbers_among_words("12.34 N").numbers, ElementsAre(12.34));
  EXPECT_THAT(numbers_among_words("HX711 reading: -8300").numbers, ElementsAre(-8300));
  EXPECT_THAT(numbers_among_words(R"({"t0": 1.5e3, "x_2": [4, .5]})").numbers,
              ElementsAre(1500, 4, 0.5));
  EXPECT_THAT(numbers_among_words("12N +7g 3-4").numbers, ElementsAre(12, 7, 3, 4));
  EXPECT_THAT(numbers_among_words("no numbers, v2_1").numbers, IsEmpty());
}

FrameLayout text(std::size_t rows, bool empty_line_ends) {
  FrameLayout layout;
  layout.kind = Framing::kTextLine;
  layout.text_rows = rows;
  layout.empty_line_ends = empty_line_ends;
  return layout;
}

TEST(TextFrameFinder, ReadsRowsUntilTheEmptyLine) {
  // The vector of docs/wire-formats.md 8 (2 x 3), after the rest of a line.
  TextFrameFinder finder(text(2, true), 3);
  finder.add(view_of("5 9 \r\n"));
  finder.add(from_hex("30 20 32 35 35 20 37 20 0D 0A 31 20 32 20 33 20 0D 0A 0D 0A"));
  EXPECT_THAT(*finder.next(), ElementsAre(0, 255, 7, 1, 2, 3));
  EXPECT_FALSE(finder.next());
  EXPECT_EQ(finder.malformed(), 0);
}

TEST(TextFrameFinder, NeverMixesFramesAfterALostLine) {
  TextFrameFinder finder(text(2, true), 2);
  finder.add(view_of("\n1 2\n3 4\n\n5 6\n\n7 8\n9 10\n\n"));
  EXPECT_THAT(*finder.next(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(*finder.next(), ElementsAre(7, 8, 9, 10));
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(TextFrameFinder, ReadsHexTextWithoutSeparatorsAndDropsALineThatLostACharacter) {
  auto layout = text(1, false);
  layout.prefix = "D:";
  layout.base = 16;
  layout.digits = 4;
  TextFrameFinder finder(layout, 3);
  finder.add(view_of("\nD:000003FF01A2\nD:00003FF01A2\nD:000103FE01A1\n"));
  EXPECT_THAT(*finder.next(), ElementsAre(0, 1023, 418));
  EXPECT_THAT(*finder.next(), ElementsAre(1, 1022, 417));
  EXPECT_FALSE(finder.next());
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(TextFrameFinder, TakesPrefixesSeparatorsAndNumbersThatAreNoReadings) {
  auto layout = text(1, false);
  layout.prefix = "S:";
  layout.skip = 1;
  TextFrameFinder finder(layout, 2);
  finder.add(view_of("\n# hello\nS:1000,1.5;-2\nS:1001,x,3\nS:1002,1,2,3\n"));
  EXPECT_THAT(*finder.next(), ElementsAre(1.5, -2));
  EXPECT_FALSE(finder.next());
  EXPECT_EQ(finder.malformed(), 2);
}

RC_GTEST_PROP(TextFrameFinder, SurvivesAnyBytes, (const Bytes& bytes)) {
  TextFrameFinder finder(text(1, false), 1);
  finder.add(view_of("\n"));
  finder.add(bytes);
  finder.add(view_of("\n7\n"));
  RC_ASSERT(finder.next().has_value());
}

std::vector<std::vector<double>> all_of(TextFrameFinder& finder) {
  std::vector<std::vector<double>> frames;
  while (auto frame = finder.next()) frames.push_back(*frame);
  return frames;
}

TEST(TextFrameFinder, FindsItsPlaceByTheLineThatBeginsAFrame) {
  auto layout = text(2, false);
  layout.begin = "Frame:";
  TextFrameFinder finder(layout, 2);
  finder.add(view_of("\n9 9\nFrame: 1\n1 2\n3 4\nFrame: 2\n5 6\nFrame: 3\n7 8\n9 10\n"));
  EXPECT_THAT(all_of(finder), ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(7, 8, 9, 10)));
  EXPECT_EQ(finder.malformed(), 1);
  finder.add(view_of("11 12\nFrame: 4\n"));
  EXPECT_EQ(finder.malformed(), 2) << "more lines than are described";
}

TEST(TextFrameFinder, FindsItsPlaceByTheNumbersOfLines) {
  auto layout = text(3, false);
  layout.prefix = "R{row}:";
  layout.first_row = 1;
  TextFrameFinder finder(layout, 1);
  finder.add(view_of("\nR2: 5\nR3: 6\nR1: 1\nR2: 2\nR3: 3\nR1: 1\nR3: 3\nR1: 4\nR2: 5\nR3: 6\n"));
  EXPECT_THAT(all_of(finder), ElementsAre(ElementsAre(1, 2, 3), ElementsAre(4, 5, 6)));
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(TextFrameFinder, TellsLineTwelveFromLineOne) {
  auto layout = text(13, false);
  layout.prefix = "{row}";
  TextFrameFinder finder(layout, 1);
  std::string wire = "\n";
  for (int frame = 0; frame < 3; ++frame)
    for (int row = 0; row < 13; ++row)
      if (frame != 1 || row != 1) wire += fmt::format("{} {}\n", row, 100 * frame + row);
  finder.add(view_of(wire));
  EXPECT_EQ(all_of(finder).size(), 2U);
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(TextFrameFinder, ReadsLinesThatEndWithCarriageReturnsAlone) {
  TextFrameFinder finder(text(1, false), 2);
  finder.add(view_of("3 4\r1 2\r\n5 6\r7 8\r"));
  EXPECT_THAT(all_of(finder), ElementsAre(ElementsAre(1, 2), ElementsAre(5, 6), ElementsAre(7, 8)));
  EXPECT_EQ(finder.malformed(), 0);
}

}  // namespace
}  // namespace tactelier::devices
