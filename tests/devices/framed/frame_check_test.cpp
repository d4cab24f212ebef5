// Check values of the nine ASCII digits: the CRC catalogue, and docs/wire-formats.md 9.
#include "devices/framed/frame_check.hpp"

#include <gtest/gtest.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

std::uint32_t of_nine_digits(std::string_view name) {
  const auto check = frame_check_named(name);
  return check ? check->value(view_of("123456789")) : 0xDEAD;
}

TEST(FrameCheck, GivesTheCataloguesCheckValues) {
  EXPECT_EQ(of_nine_digits("sum8"), 0xDDU);
  EXPECT_EQ(of_nine_digits("lrc8"), 0x23U);
  EXPECT_EQ(of_nine_digits("xor8"), 0x31U);
  EXPECT_EQ(of_nine_digits("sum16"), 0x01DDU);
  EXPECT_EQ(of_nine_digits("fletcher16"), 0x1EDEU);
  EXPECT_EQ(of_nine_digits("crc8"), 0xF4U);
  EXPECT_EQ(of_nine_digits("crc8-maxim"), 0xA1U);
  EXPECT_EQ(of_nine_digits("crc16-ccitt-false"), 0x29B1U);
  EXPECT_EQ(of_nine_digits("crc16-xmodem"), 0x31C3U);
  EXPECT_EQ(of_nine_digits("crc16-kermit"), 0x2189U);
  EXPECT_EQ(of_nine_digits("crc16-x25"), 0x906EU);
  EXPECT_EQ(of_nine_digits("crc16-modbus"), 0x4B37U);
  EXPECT_EQ(of_nine_digits("crc16-arc"), 0xBB3DU);
  EXPECT_EQ(of_nine_digits("crc16-weiss"), 0x6EB4U);
  EXPECT_EQ(of_nine_digits("crc32"), 0xCBF43926U);
}

TEST(FrameCheck, WeissOverAMessageWithItsCrcIsZero) {
  EXPECT_EQ(weiss_crc(from_hex("AA AA AA 06 05 00 48 65 6C 6C 6F DA 62")), 0);
}

TEST(FrameCheck, EndsTheMessagesOfAnAgniController) {
  // docs/wire-formats.md 5: commands, configuration reply, error, data; XOR of all bytes before it.
  const auto xor8 = frame_check_named("xor8").value();
  for (const auto* hex :
       {"F0 C4 00 C0 F4", "F0 C4 00 C1 F5", "F0 C4 00 C2 F6", "F0 C4 00 F0 C4", "F0 C4 00 F1 C5",
        "F0 C4 00 F3 C7", "F0 C4 00 00 34", "F0 C4 01 D0 02 00 C8 00 2F",
        "F0 C4 00 D0 01 00 01 C8 00 2C", "F0 C4 00 01 05 01 11 00 00 02 22", "F0 C4 FE F1 3B",
        "F0 C4 01 E8 03 00 00 23 01 FF 1F 1C"}) {
    const auto bytes = from_hex(hex);
    EXPECT_EQ(xor8.value(ByteView(bytes).first(bytes.size() - 1)), bytes.back()) << hex;
  }
}

TEST(FrameCheck, CoversAllButThePreambleOnADsa) {
  // docs/wire-formats.md 4; id, length and payload of a controller DSACON32-m, CRC little-endian.
  for (const auto* hex : {"AA AA AA 03 03 00 01 00 00 2F 6A", "AA AA AA 03 03 00 81 00 00 2F 68",
                          "AA AA AA 03 03 00 81 1E 00 2C 76", "AA AA AA 03 03 00 80 1E 00 8E 1C",
                          "AA AA AA 03 03 00 80 0A 00 A2 EB", "AA AA AA 0B 01 00 00 CB FB",
                          "AA AA AA 03 02 00 00 00 4B B9", "AA AA AA 14 01 00 00 03 C1"}) {
    const auto bytes = from_hex(hex);
    EXPECT_EQ(weiss_crc(ByteView(bytes).subspan(3)), 0) << hex;
  }
}

}  // namespace
}  // namespace tactelier::devices
