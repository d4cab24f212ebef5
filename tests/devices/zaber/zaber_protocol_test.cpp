// Lines of the ASCII Protocol Manual, and damaged ones.
#include "devices/zaber/zaber_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/link/line_splitter.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = ZaberLineKind;

ZaberLine read(std::string_view text) {
  const auto line = parse_zaber_line(text);
  EXPECT_TRUE(line) << line.error().message;
  return line.value_or(ZaberLine{});
}

/// "Checksumming": "/01 tools echo:8F".
TEST(ZaberProtocol, ChecksumIsTheManuals) {
  EXPECT_EQ(zaber_checksum("01 tools echo"), 0x8F);
  EXPECT_EQ(zaber_checksum(""), 0);
}

/// 0x20 0x31 ... by hand: "1 2 7 stop" sums to 0x31+0x20+0x32+0x20+0x37+0x20+0x1C6 = 0x2C0.
TEST(ZaberProtocol, SendsAddressIdAndChecksum) {
  EXPECT_EQ(encode_zaber(1, 2, 7, "stop"), "/1 2 7 stop:40\n");
  EXPECT_EQ(encode_zaber(0, 0, 96, ""), "/0 0 96:F1\n");
}

TEST(ZaberProtocol, TellsRepliesApart) {
  auto line = read("@01 0 OK BUSY WR 0");
  EXPECT_EQ(line.kind, Kind::kReply);
  EXPECT_EQ(line.device, 1);
  EXPECT_EQ(line.axis, 0);
  EXPECT_FALSE(line.id);
  EXPECT_TRUE(line.accepted);
  EXPECT_TRUE(line.busy);
  EXPECT_EQ(line.flag, "WR");
  EXPECT_EQ(line.data, "0");
  EXPECT_FALSE(line.checked);
  line = read("@12 3 07 RJ IDLE -- BADDATA");
  EXPECT_EQ(line.device, 12);
  EXPECT_EQ(line.axis, 3);
  EXPECT_EQ(line.id, 7);
  EXPECT_FALSE(line.accepted);
  EXPECT_FALSE(line.busy);
  EXPECT_EQ(line.data, "BADDATA");
}

TEST(ZaberProtocol, TakesNumbersOfTheDataForNoId) {
  const auto line = read("@01 0 OK IDLE -- 99 98 97");
  EXPECT_FALSE(line.id);
  EXPECT_EQ(line.data, "99 98 97");
}

TEST(ZaberProtocol, BelievesNoLineWithAWrongChecksum) {
  const std::string text = "@01 2 07 OK IDLE -- 12345";
  const auto whole =
      text + ":" + fmt::format("{:02X}", zaber_checksum(std::string_view(text).substr(1)));
  EXPECT_TRUE(read(whole).checked);
  EXPECT_EQ(read(whole).data, "12345");
  for (std::size_t at = 1; at < whole.size(); ++at) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const auto line = parse_zaber_line(damaged);
    EXPECT_FALSE(line && line->checked) << damaged;
  }
}

TEST(ZaberProtocol, KnowsAlertsAndInfo) {
  const auto alert = read("!01 1 IDLE FS ");
  EXPECT_EQ(alert.kind, Kind::kAlert);
  EXPECT_EQ(alert.flag, "FS");
  const auto info = read("#01 0 any text at all");
  EXPECT_EQ(info.kind, Kind::kInfo);
  EXPECT_EQ(info.data, "any text at all");
}

TEST(ZaberProtocol, RefusesWhatIsNoLine) {
  for (const auto* text :
       {"", "ok", "@", "@1", "@01 x OK IDLE -- 0", "@01 0 NO IDLE -- 0", "@01 0 OK LAZY -- 0",
        "@01 0 OK IDLE - 0", "@100 0 OK IDLE -- 0", "@01 10 OK IDLE -- 0", "!01 1 07 IDLE --"}) {
    const auto line = parse_zaber_line(text);
    ASSERT_FALSE(line) << text;
    EXPECT_EQ(line.error().code, ErrorCode::kProtocol);
  }
}

TEST(ZaberProtocol, ReadsValuesOfSeveralAxes) {
  EXPECT_THAT(zaber_values("1200 NA -35.5"),
              ElementsAre(testing::Optional(1200.0), std::nullopt, testing::Optional(-35.5)));
  EXPECT_TRUE(zaber_values("").empty());
  EXPECT_THAT(zaber_values("inf 1e300 12x"), ElementsAre(std::nullopt, std::nullopt, std::nullopt));
}

/// 153600 data are 93750 microsteps/s; 205 are 1251220.703 microsteps/s^2.
TEST(ZaberProtocol, ConvertsSpeedsAndAccelerationsByTheManualsFactors) {
  EXPECT_DOUBLE_EQ(steps_per_s_of(153600), 93750);
  EXPECT_NEAR(steps_per_s2_of(205), 1251220.703125, 1e-6);
  EXPECT_EQ(zaber_speed(93750), 153600);
  EXPECT_EQ(zaber_acceleration(1251220.703125), 205);
  EXPECT_EQ(zaber_speed(1e-3), 1);  // the slowest there is
  EXPECT_EQ(zaber_speed(told_steps_per_s(1.49 / 1.6384)), 2);
  EXPECT_EQ(zaber_speed(told_steps_per_s(93750)), 153600);
  EXPECT_EQ(zaber_speed(told_steps_per_s(0)), 1);
  EXPECT_EQ(zaber_acceleration(1), 1);
}

TEST(ZaberProtocol, TakesFlagsThatNobodyNamedForTrouble) {
  EXPECT_EQ(zaber_flag("--").kind, ZaberFlagKind::kNone);
  EXPECT_EQ(zaber_flag("NI").kind, ZaberFlagKind::kNone);
  EXPECT_EQ(zaber_flag("WR").kind, ZaberFlagKind::kNoReference);
  EXPECT_EQ(zaber_flag("FS").kind, ZaberFlagKind::kTrouble);
  EXPECT_EQ(zaber_flag("NC").kind, ZaberFlagKind::kTrouble);
  EXPECT_EQ(zaber_flag("FX").kind, ZaberFlagKind::kTrouble);
  EXPECT_EQ(zaber_flag("WX").kind, ZaberFlagKind::kTrouble);
  EXPECT_EQ(zaber_flag("NX").kind, ZaberFlagKind::kNone);
  EXPECT_THAT(zaber_refusal("BADDATA"), HasSubstr("out of range"));
  EXPECT_EQ(zaber_refusal("SOMETHING"), "SOMETHING");
}

RC_GTEST_PROP(ZaberProtocol, BearsAnyBytes, (const std::vector<std::uint8_t>& bytes)) {
  LineSplitter splitter;
  splitter.add(bytes);
  while (const auto line = splitter.next()) (void)parse_zaber_line(*line);
  (void)parse_zaber_line("@" +
                         std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace
}  // namespace tactelier::devices
