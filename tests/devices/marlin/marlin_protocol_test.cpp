// Lines as Marlin 2.1.2.1 printed them, from its own code (docs/devices.md), and damaged ones.
#include "devices/marlin/marlin_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/link/line_splitter.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;
using Kind = MarlinLineKind;

MarlinLine parsed(std::string_view text) {
  const auto line = parse_marlin_line(text);
  EXPECT_TRUE(line) << line.error().message;
  return line.value_or(MarlinLine{});
}

TEST(MarlinProtocol, TellsAnswersApart) {
  EXPECT_EQ(parsed("ok").kind, Kind::kOk);
  EXPECT_EQ(parsed("ok N12 P15 B3").kind, Kind::kOk);  // ADVANCED_OK
  EXPECT_EQ(parsed("okay").kind, Kind::kOther);
  EXPECT_EQ(parsed("start").kind, Kind::kStart);
  EXPECT_EQ(parsed("echo:busy: processing").text, "processing");
  EXPECT_EQ(parsed("echo:busy: paused for user").kind, Kind::kBusy);
  EXPECT_EQ(parsed("echo:Unknown command: \"FOO\"").text, "\"FOO\"");
  EXPECT_EQ(parsed("echo:Homing Failed").kind, Kind::kEcho);
  EXPECT_EQ(parsed("Error:Printer halted. kill() called!").kind, Kind::kHalted);
  EXPECT_EQ(parsed("Error:checksum mismatch, Last Line: 1").kind, Kind::kError);
  EXPECT_EQ(parsed("echo:endstops hit:  Z:12.34").text, "Z:12.34");
}

TEST(MarlinProtocol, ReadsStepCountsAndNotTheirRoundedPlace) {
  const auto line = parsed("X:0.00 Y:0.00 Z:34.71 E:0.00 Count X:0 Y:-12 Z:13883");
  EXPECT_EQ(line.kind, Kind::kPosition);
  EXPECT_EQ(line.steps, (StepCounts{0, -12, 13883}));
}

TEST(MarlinProtocol, RefusesDamagedPositions) {
  for (const auto* text : {"X:0.00 Y:0.00 Z:34.71 E:0.00", "X:0.00 Count X:1 Y:2",
                           "X:0.00 Count X:1 Y:2 Z:", "X:0.00 Count X:1 Y:2 Z:1x",
                           "X:0.00 Count X:1 Y: Z:3", "X:0.00 Count X:99999999999 Y:2 Z:3"}) {
    const auto line = parse_marlin_line(text);
    ASSERT_FALSE(line) << text;
    EXPECT_EQ(line.error().code, ErrorCode::kProtocol);
  }
  // module/stepper.cpp, SAYS_A: motors of a CoreXY.
  const auto motors = parse_marlin_line("X:0.00 Y:0.00 Z:0.00 E:0.00 Count A:10 B:20 Z:30");
  ASSERT_FALSE(motors);
  EXPECT_THAT(motors.error().message, HasSubstr("CoreXY"));
}

TEST(MarlinProtocol, ReadsWhatTheFirmwareSaysOfItself) {
  const auto name = parsed(
      "FIRMWARE_NAME:Marlin 2.1.2.1 (Nov 27 2026 22:15:34) "
      "SOURCE_CODE_URL:github.com/MarlinFirmware/Marlin PROTOCOL_VERSION:1.0");
  EXPECT_EQ(name.kind, Kind::kFirmware);
  EXPECT_THAT(name.text, HasSubstr("Marlin 2.1.2.1"));
  EXPECT_EQ(parsed("Cap:EMERGENCY_PARSER:1").text, "EMERGENCY_PARSER");
  EXPECT_TRUE(parsed("Cap:EMERGENCY_PARSER:1").on);
  EXPECT_FALSE(parsed("Cap:EMERGENCY_PARSER:0").on);
  EXPECT_EQ(parsed("z_max: open").text, "z_max");
  EXPECT_TRUE(parsed("x_min: TRIGGERED").on);
}

TEST(MarlinProtocol, ReadsSettings) {
  const auto steps = parsed("echo:  M92 X80.00 Y80.00 Z400.00 E500.00");
  EXPECT_EQ(steps.text, "M92");
  EXPECT_EQ(steps.values[2], 400);
  EXPECT_EQ(parsed("echo:  M204 P3000.00 R2000.00 T1500.00").travel, 1500);
  const auto reach = parsed("Min:  X0.00 Y-2.00 Z0.00   Max:  X200.00 Y200.00 Z40.00");
  EXPECT_EQ(reach.kind, Kind::kReach);
  EXPECT_EQ(reach.values[1], -2);
  EXPECT_EQ(reach.most[2], 40);
  EXPECT_FALSE(parse_marlin_line("echo:  M92 X80.00 Y Z400.00"));
  EXPECT_FALSE(parse_marlin_line("echo:  Min:  X0.00 Y0.00 Z0.00"));
}

TEST(MarlinProtocol, TakesTheNumberOfALineThatIsWantedAgain) {
  EXPECT_EQ(parsed("Resend: 2").number, 2);
  EXPECT_FALSE(parse_marlin_line("Resend: "));
  EXPECT_FALSE(parse_marlin_line("Resend: 2a"));
  EXPECT_FALSE(parse_marlin_line("Resend: -2"));
}

/// By hand: the XOR of "N1 G28" and "N2 M114", and a line from a public log.
TEST(MarlinProtocol, NumbersLinesWithTheirChecksum) {
  EXPECT_EQ(numbered_line(1, "G28"), "N1 G28*18\n");
  EXPECT_EQ(numbered_line(2, "M114"), "N2 M114*37\n");
  EXPECT_EQ(numbered_line(65048, "G1 X136.689 Y160.389 E6563.257"),
            "N65048 G1 X136.689 Y160.389 E6563.257*93\n");
}

TEST(MarlinProtocol, WritesPlacesWithoutExponentAndSignOfZero) {
  EXPECT_EQ(encode_marlin_move({-1e-9, 2.5e-3, 40e-3}, 2e-3),
            "G1 X0.0000 Y2.5000 Z40.0000 F120.000");
}

RC_GTEST_PROP(MarlinProtocol, BearsAnyBytes, (const std::vector<std::uint8_t>& bytes)) {
  LineSplitter splitter;
  splitter.add(bytes);
  while (const auto line = splitter.next()) (void)parse_marlin_line(*line);
}

}  // namespace
}  // namespace tactelier::devices
