// Which reading is which cell's, where a board sends more cells than are wired.

#include <gmock/gmock.h>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/framed/framed_array.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<DeviceDescription> described(std::string_view cells, std::string_view frame) {
  return parse_device_description(
      fmt::format(R"({{"format": "tactelier/device", "version": 1, "name": "board",
                       "source": "by hand", "frame": {{{}}}, "cells": {{{}}}}})",
                  frame, cells),
      "board.json");
}

/// 4 x 5 readings of a byte, 10 * row + column, behind a mark.
constexpr std::string_view kFrame = R"("kind": "sync_fixed", "sync": "AA", "length": 21)";
const Bytes kSent = [] {
  Bytes bytes{0xAA};
  for (std::uint8_t row = 0; row < 4; ++row)
    for (std::uint8_t column = 0; column < 5; ++column)
      bytes.push_back(static_cast<std::uint8_t>(10 * row + column));
  return bytes;
}();

std::vector<double> wired(std::string_view cells) {
  const auto device = described(cells, kFrame);
  EXPECT_TRUE(device) << device.error().message;
  if (!device) return {};
  const auto frame = decode_frame(*device, kSent);
  EXPECT_TRUE(frame) << frame.error().message;
  return frame ? frame->counts : std::vector<double>{};
}

TEST(SentCells, OfWhichSomeAreWiredAreReadAndTheOthersLeftOut) {
  EXPECT_THAT(wired(R"("rows": 2, "columns": 3, "offset": 1, "type": "u8",
                       "sent": {"rows": 4, "columns": 5})"),
              ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_THAT(wired(R"("rows": 2, "columns": 3, "offset": 1, "type": "u8",
                       "sent": {"rows": 4, "columns": 5, "first_row": 2, "first_column": 2})"),
              ElementsAre(22, 23, 24, 32, 33, 34));
  // Order and flips are those of what is sent.
  EXPECT_THAT(wired(R"("rows": 2, "columns": 2, "offset": 1, "type": "u8", "flip_x": true,
                       "flip_y": true, "sent": {"rows": 4, "columns": 5})"),
              ElementsAre(34, 33, 24, 23));
  EXPECT_THAT(wired(R"("rows": 2, "columns": 2, "offset": 1, "type": "u8", "serpentine": true,
                       "sent": {"rows": 4, "columns": 5})"),
              ElementsAre(0, 1, 14, 13));
  EXPECT_THAT(wired(R"("rows": 1, "columns": 3, "offset": 1, "type": "u8", "from": [19, 0, 7],
                       "sent": {"rows": 4, "columns": 5})"),
              ElementsAre(34, 0, 12));
  EXPECT_THAT(wired(R"("rows": 1, "columns": 2, "channels": 2, "offset": 1, "type": "u8",
                       "sent": {"rows": 2, "columns": 5, "first_row": 1, "first_column": 3})"),
              ElementsAre(31, 32, 33, 34));
}

TEST(SentCells, OfLinesAndPacketsFillThemAll) {
  const auto text = described(R"("rows": 1, "columns": 2, "sent": {"rows": 2, "columns": 3})",
                              R"("kind": "text_line", "empty_line_ends": true)");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->frame.text_rows, 2U);
  TextFrameFinder lines(text->frame, text->sent() / text->frame.text_rows);
  lines.add(view_of("\n7 8 9\n4 5 6\n\n"));
  EXPECT_THAT(*lines.next(), ElementsAre(7, 8, 9, 4, 5, 6));
  EXPECT_EQ(encode_frame(*text, {3, 4}, 0, 0).size(),
            std::string("3 4 0 \r\n0 0 0 \r\n\r\n").size());
  const auto packets = described(
      R"("rows": 1, "columns": 3, "offset": 2, "type": "u8", "sent": {"rows": 1, "columns": 4})",
      R"("kind": "indexed_packets", "sync": "AA", "length": 3, "index": {"offset": 1, "type": "u8"})");
  ASSERT_TRUE(packets) << packets.error().message;
  EXPECT_EQ(packets->frame.packets, 4U);
  const std::vector<double> counts{5, 6, 7};
  const auto wire = encode_frame(*packets, counts, 0, 0);
  EXPECT_EQ(wire.size(), 12U);
  EXPECT_EQ(decode_frame(*packets, wire)->counts, counts);
}

TEST(SentCells, ThatAreNoNumbersMatterOnlyWhereTheyAreWired) {
  const auto device = described(R"("rows": 1, "columns": 1, "offset": 1, "type": "f32",
                                   "sent": {"rows": 1, "columns": 2})",
                                R"("kind": "sync_fixed", "sync": "AA", "length": 9)");
  ASSERT_TRUE(device) << device.error().message;
  const Bytes one{0, 0, 0x80, 0x3F}, none{0, 0, 0xC0, 0x7F};
  const auto frame = [](const Bytes& first, const Bytes& second) {
    Bytes bytes{0xAA};
    bytes.insert(bytes.end(), first.begin(), first.end());
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
  };
  EXPECT_THAT(decode_frame(*device, frame(one, none))->counts, ElementsAre(1));
  EXPECT_FALSE(decode_frame(*device, frame(none, one)));
}

TEST(SentCells, ThatDoNotHoldTheWiredOnesAreRefused) {
  const auto refusal = [](std::string_view cells) {
    const auto device = described(cells, kFrame);
    return device ? "" : device.error().message;
  };
  EXPECT_THAT(refusal(R"("rows": 2, "columns": 3, "offset": 1, "type": "u8",
                         "sent": {"rows": 4, "columns": 5, "first_column": 3})"),
              HasSubstr("cells.sent: 2 x 3 cells from row 0 and column 3 on aren't in 4 x 5"));
  EXPECT_THAT(refusal(R"("rows": 1, "columns": 2, "offset": 1, "type": "u8", "from": [3, 3],
                         "sent": {"rows": 4, "columns": 5})"),
              HasSubstr("cells.from: 2 of 0 to 19 expected, none more than once"));
  EXPECT_THAT(refusal(R"("rows": 1, "columns": 2, "offset": 1, "type": "u8", "from": [3, 20],
                         "sent": {"rows": 4, "columns": 5})"),
              HasSubstr("cells.from: 2 of 0 to 19"));
  EXPECT_THAT(refusal(R"("rows": 2, "columns": 3, "offset": 1, "type": "u8",
                         "sent": {"rows": 5, "columns": 5})"),
              HasSubstr("25 bytes from byte 1 don't fit a frame of 21"));
}

}  // namespace
}  // namespace tactelier::devices
