#include "devices/framed/frame_description.hpp"

#include <gmock/gmock.h>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/framed/framed_array.hpp"
#include "libcalib/resources.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

DeviceDescription described(std::string_view rest) {
  const auto text = fmt::format(
      R"({{"format": "tactelier/device", "version": 1, "name": "test", "source": "by hand", {}}})",
      rest);
  auto device = parse_device_description(text, "test.json");
  EXPECT_TRUE(device) << device.error().message;
  return device.value_or(DeviceDescription{});
}

std::string refusal(std::string_view rest) {
  const auto text = fmt::format(
      R"({{"format": "tactelier/device", "version": 1, "name": "test", "source": "by hand", {}}})",
      rest);
  const auto device = parse_device_description(text, "test.json");
  if (device) return "accepted";
  EXPECT_EQ(device.error().code, ErrorCode::kInvalidInput);
  return device.error().message;
}

std::vector<double> counts_of(const DeviceDescription& device, std::string_view hex) {
  const auto frame = decode_frame(device, from_hex(hex));
  return frame ? frame->counts : std::vector<double>{};
}

TEST(DeviceDescription, ReadsBigEndianReadings) {
  // docs/wire-formats.md 8, the 2 x 2 analogue of a piezoresistive matrix.
  const auto device = described(
      R"("frame": {"kind": "sync_fixed", "sync": "AA AB AC", "length": 11},
         "cells": {"rows": 2, "columns": 2, "offset": 3, "type": "u16", "endian": "big"})");
  EXPECT_THAT(counts_of(device, "AA AB AC 00 01 01 23 0F FF 10 00"),
              ElementsAre(1, 291, 4095, 4096));
}

TEST(DeviceDescription, ReadsTheStreamOfAWts) {
  // docs/wire-formats.md 4: periodic frame of 2 x 2 cells, t = 1020 ms, behind the reply to its
  // start.
  const auto device = described(
      R"("frame": {"kind": "sync_length", "sync": "AA AA AA 00", "length": 200,
                   "length_field": {"offset": 4, "type": "u16", "adds": 8}},
         "time": {"offset": 6, "type": "u32", "unit_s": 0.001},
         "cells": {"rows": 2, "columns": 2, "offset": 11, "type": "u16"},
         "check": {"kind": "crc16-weiss", "at": -2})");
  FrameFinder finder(device.frame, device.check);
  finder.add(
      from_hex("AA AA AA 21 02 00 00 00 28 04 AA AA AA 00 0D 00 FC 03 00 00 00 00 00 01 00 "
               "23 01 FF 0F DE 93"));
  const auto bytes = finder.next();
  ASSERT_TRUE(bytes);
  const auto frame = decode_frame(device, *bytes);
  ASSERT_TRUE(frame);
  EXPECT_THAT(frame->counts, ElementsAre(0, 1, 0x123, 4095));
  EXPECT_EQ(frame->tick, 1020);
}

TEST(DeviceDescription, ReadsFloatsOfAMagneticSkin) {
  // docs/wire-formats.md 7: one magnetometer.
  const auto device = described(
      R"("frame": {"kind": "terminator_fixed", "sync": "0D 0A", "length": 18},
         "cells": {"rows": 1, "columns": 1, "channels": 4, "offset": 0, "type": "f32"})");
  EXPECT_THAT(counts_of(device, "00 00 CC 41 00 00 80 3F 00 00 00 C0 00 00 60 40 0D 0A"),
              ElementsAre(25.5, 1, -2, 3.5));
}

TEST(DeviceDescription, ReadsAMyrmexFrameWithItsXorMaskAndTime) {
  // docs/wire-formats.md 5: t = 1000, words 0x0123 and 0x1FFF, of which the low 12 bits are the
  // reading.
  const auto device = described(
      R"("frame": {"kind": "sync_fixed", "sync": "F0 C4 01", "length": 12},
         "time": {"offset": 3, "type": "u32", "unit_s": 0.001},
         "cells": {"rows": 1, "columns": 2, "offset": 7, "type": "u16", "mask": 4095},
         "check": {"kind": "xor8", "at": -1})");
  const auto bytes = from_hex("F0 C4 01 E8 03 00 00 23 01 FF 1F 1C");
  const auto frame = decode_frame(device, bytes);
  ASSERT_TRUE(frame);
  EXPECT_THAT(frame->counts, ElementsAre(0x123, 0xFFF));
  EXPECT_EQ(frame->tick, 1000);
  FrameFinder finder(device.frame, device.check);
  finder.add(bytes);
  EXPECT_EQ(finder.next(), bytes);
}

TEST(DeviceDescription, TurnsInvertedReadingsRound) {
  // docs/wire-formats.md 5, TactileGlove: taxel 4 = 4095 - 0x345 = 3258 (the channel nibble masked
  // off).
  const auto device = described(
      R"("frame": {"kind": "sync_fixed", "sync": "40 01", "length": 5},
         "cells": {"rows": 1, "columns": 1, "offset": 2, "type": "u16", "endian": "big",
                   "mask": 4095, "inverted_from": 4095})");
  EXPECT_THAT(counts_of(device, "40 01 23 45 00"), ElementsAre(3258));
}

TEST(DeviceDescription, ReadsEveryWidthAndSign) {
  const auto first = [](std::string_view type, std::string_view endian, std::string_view hex) {
    const auto device = described(fmt::format(
        R"("frame": {{"kind": "cobs"}}, "cells": {{"rows": 1, "columns": 1, "type": "{}", "endian": "{}"}})",
        type, endian));
    const auto counts = counts_of(device, hex);
    return counts.empty() ? -1.5 : counts[0];
  };
  EXPECT_EQ(first("i8", "little", "80"), -128);
  EXPECT_EQ(first("i16", "big", "FF FE"), -2);
  EXPECT_EQ(first("u24", "little", "01 02 03"), 0x030201);
  EXPECT_EQ(first("i24", "big", "FF FF FF"), -1);
  EXPECT_EQ(first("i32", "little", "00 00 00 80"), -2147483648.0);
  EXPECT_EQ(first("u64", "big", "00 00 00 01 00 00 00 00"), 4294967296.0);
  EXPECT_EQ(first("f64", "big", "3F F8 00 00 00 00 00 00"), 1.5);
  EXPECT_EQ(first("f32", "little", "00 00 C0 7F"), -1.5);  // a NaN is refused
  EXPECT_EQ(first("u16", "little", "01"), -1.5);           // too short
}

TEST(DeviceDescription, PutsReadingsInTheirPlaces) {
  const auto order = [](std::string_view how) {
    return counts_of(described(fmt::format(
                         R"("frame": {{"kind": "slip"}},
                            "cells": {{"rows": 2, "columns": 3, "type": "u8", {}}})",
                         how)),
                     "00 01 02 03 04 05");
  };
  EXPECT_THAT(order(R"("order": "rows")"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(order(R"("order": "columns")"), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_THAT(order(R"("flip_x": true)"), ElementsAre(2, 1, 0, 5, 4, 3));
  EXPECT_THAT(order(R"("flip_y": true)"), ElementsAre(3, 4, 5, 0, 1, 2));
  EXPECT_THAT(order(R"("serpentine": true)"), ElementsAre(0, 1, 2, 5, 4, 3));
  EXPECT_THAT(order(R"("from": [5, 4, 3, 2, 1, 0])"), ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(order(R"("stride": 1)"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(DeviceDescription, IsRefusedWhereItMakesNoSense) {
  EXPECT_THAT(refusal(R"("frame": {"kind": "sync_fixed", "sync": "AA", "length": 3},
                         "cells": {"rows": 2, "columns": 2, "offset": 1})"),
              HasSubstr("test.json: cells: 8 bytes from byte 1 don't fit a frame of 3 bytes"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "sync_fixed", "sync": "AX", "length": 3},
                         "cells": {"rows": 1, "columns": 1})"),
              HasSubstr("sync: 'AX'"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "sync_fixed", "length": 3},
                         "cells": {"rows": 1, "columns": 1})"),
              HasSubstr("marks are needed"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "sync_fixd"}, "cells": {"rows": 1, "columns": 1})"),
              HasSubstr("sync_fixed"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "slip"},
                         "cells": {"rows": 1, "columns": 2, "from": [0, 0]})"),
              HasSubstr("exactly once"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "text_line", "rows": 3},
                         "cells": {"rows": 2, "columns": 2})"),
              HasSubstr("nothing tells where a frame of 3 lines begins"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "text_line", "rows": 3, "begin": "F"},
                         "cells": {"rows": 2, "columns": 2})"),
              HasSubstr("don't fill 3 lines"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "slip"}, "time": {"offset": 0, "type": "u32"},
                         "cells": {"rows": 1, "columns": 1})"),
              HasSubstr("time.unit_s"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "slip"}, "cells": {"rows": 1, "columns": 1},
                         "check": {"kind": "crc", "at": -2})"),
              HasSubstr("check.crc"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "slip"}, "cell": {"rows": 1, "columns": 1})"),
              HasSubstr("cells"));
}

TEST(DeviceDescription, CoversHexTextWithNothingBetweenNumbers) {
  const auto device =
      parse_device_description(
          R"({"format": "tactelier/device", "version": 1, "name": "hex", "source": "by hand",
          "frame": {"kind": "text_line", "rows": 1, "base": 16, "digits": 3},
          "cells": {"rows": 2, "columns": 2}})",
          "hex.json")
          .value();
  const std::vector<double> counts{0, 10, 4095, 256};
  EXPECT_EQ(encode_frame(device, counts, 0, 0),
            from_hex("30 30 30 30 30 41 46 46 46 31 30 30 0D 0A"));
  EXPECT_EQ(encode_frame(device, {0, 0, 70000, -3}, 0, 0),
            from_hex("30 30 30 30 30 30 46 46 46 30 30 30 0D 0A"));
  TextFrameFinder finder(device.frame, 4);
  finder.add(view_of("\n"));
  finder.add(encode_frame(device, counts, 0, 0));
  EXPECT_EQ(*finder.next(), counts);
  EXPECT_THAT(refusal(R"("frame": {"kind": "text_line", "rows": 1, "words": true, "digits": 3},
                         "cells": {"rows": 1, "columns": 4})"),
              HasSubstr("frame.digits: numbers among words stand apart"));
  EXPECT_THAT(refusal(R"("frame": {"kind": "text_line", "rows": 2, "prefix": "R{row}", "digits": 3},
                         "cells": {"rows": 2, "columns": 4})"),
              HasSubstr("frame.prefix: nothing tells {row} from the digits"));
}

TEST(DeviceDescription, IsFoundByNameAndMissedWithAHint) {
  const auto device = load_device_description("reskin-5");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(device->shape.channels, 4);
  EXPECT_THAT(load_device_description("reskn-5").error().message,
              HasSubstr("did you mean 'reskin-5'?"));
}

TEST(ShippedDevices, AllSpeakAsTheyAreDescribed) {
  const auto names = shipped_names("devices");
  EXPECT_GE(names.size(), 5U);
  for (const auto& name : names) {
    const auto device = load_device_description(name);
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ(device->name, name);
    std::vector<double> counts(device->shape.size());
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<double>(i % 250);
    Bytes wire;
    for (int times = 0; times < 5; ++times) {
      const auto frame = encode_frame(*device, counts, 0, 0);
      wire.insert(wire.end(), frame.begin(), frame.end());
    }
    std::size_t right = 0;
    if (device->frame.kind == Framing::kTextLine) {
      TextFrameFinder finder(device->frame, counts.size() / device->frame.text_rows);
      finder.add(view_of("\n"));
      finder.add(wire);
      while (const auto readings = finder.next()) right += *readings == counts ? 1 : 0;
    } else {
      FrameFinder finder(device->frame, device->check);
      const bool answers = device->frame.kind == Framing::kAnswer;
      for (int times = 0; answers && times < 5; ++times) {
        finder.add(ByteView(wire).first(device->frame.length));
        finder.end_answer();
        if (const auto frame = finder.next())
          right += decode_frame(*device, *frame)->counts == counts ? 1 : 0;
      }
      if (!answers) finder.add(wire);
      while (const auto frame = finder.next())
        right += decode_frame(*device, *frame)->counts == counts ? 1 : 0;
    }
    EXPECT_GE(right, 3U) << name;
  }
}

TEST(ShippedDevices, TakeMyrmexWordsFromTheDocumentedPlaces) {
  const auto device = load_device_description("myrmex-16x16");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->from[0], 208U);             // row 0
  EXPECT_EQ(device->from[16 + 3], 64U);         // row 1
  EXPECT_EQ(device->from[4 * 16], 212U);        // row 4: as row 0, 4 added
  EXPECT_EQ(device->from[15 * 16 + 15], 111U);  // row 15: 99 + 12
  EXPECT_EQ(device->start, from_hex("F0 C4 00 F1 C5"));
}

TEST(ShippedDevices, SendTheCommandsOfTheirProtocols) {
  // docs/wire-formats.md 5: "stream all", "stop"; 8: polled by 01.
  const auto myrmex = load_device_description("myrmex-16x16").value();
  EXPECT_EQ(myrmex.start, (Bytes{0xF0, 0xC4, 0x00, 0xF1, 0xC5}));
  EXPECT_EQ(myrmex.stop, (Bytes{0xF0, 0xC4, 0x00, 0x00, 0x34}));
  EXPECT_EQ(load_device_description("touch-detect-6x6").value().poll, Bytes{0x01});
}

TEST(DeviceDescription, TakesBytesInHexOrAsText) {
  EXPECT_EQ(bytes_in_text("AA 5501"), (Bytes{0xAA, 0x55, 0x01}));
  EXPECT_EQ(bytes_in_text("'S\n'"), (Bytes{'S', '\n'}));
  EXPECT_EQ(bytes_in_text(""), Bytes{});
  EXPECT_FALSE(bytes_in_text("A"));
  EXPECT_FALSE(bytes_in_text("XY"));
}

}  // namespace
}  // namespace tactelier::devices
