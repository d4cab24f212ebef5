// Check values of the nine ASCII digits: the CRC catalogue, and devices.md 5.8.
#include "devices/tactile/frame_check.hpp"

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

}  // namespace
}  // namespace tactelier::devices
