// Lines as observed from the genuine firmware (docs/wire-formats.md 3).
#include "devices/grbl/grbl_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GrblReport report_of(std::string_view line) {
  const auto parsed = parse_grbl_line(line);
  EXPECT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed ? parsed->kind : GrblLineKind::kOther, GrblLineKind::kReport);
  return parsed ? parsed->report : GrblReport{};
}

TEST(GrblReport, ReadsTheFirmwaresOwnExamples) {
  const auto idle =
      report_of("<Idle|MPos:0.000,0.000,0.000|FS:0,0|Pn:PXYZRHS|WCO:0.000,0.000,0.000>");
  EXPECT_EQ(idle.state, StageState::kIdle);
  EXPECT_EQ(idle.pins, "PXYZRHS");
  EXPECT_EQ(idle.work_offset_m, (StagePosition{0, 0, 0}));
  const auto run = report_of("<Run|MPos:0.128,0.000,0.000|Bf:14,128|FS:120,0|Pn:RHS>");
  EXPECT_EQ(run.state, StageState::kRun);
  EXPECT_DOUBLE_EQ((*run.machine_m)[0], 0.128e-3);
  EXPECT_DOUBLE_EQ(*run.speed_m_per_s, 2e-3);
  EXPECT_EQ(run.free_blocks, 14);
  EXPECT_EQ(run.free_bytes, 128);
  EXPECT_EQ(report_of("<Hold:1|MPos:7.508,0.000,0.000|Bf:14,128|FS:44,0|Pn:RHS>").state,
            StageState::kHolding);
  EXPECT_EQ(report_of("<Hold:0|MPos:7.580,0.000,0.000|Bf:14,128|FS:0,0|Pn:RHS>").state,
            StageState::kHold);
  const auto jog = report_of("<Jog|MPos:9.200,0.000,-0.400|Bf:14,128|FS:144,0|Pn:RHS>");
  EXPECT_EQ(jog.state, StageState::kJog);
  EXPECT_DOUBLE_EQ((*jog.machine_m)[2], -0.4e-3);
}

TEST(GrblReport, SkipsFieldsThatRelativesAdd) {
  const auto hal = report_of(
      "<Idle|WPos:1.0000,-2.0000,0.5000,7.0|Bf:100,1023|FS:0,0|Ov:100,100,100|A:|TLR:0|H:1|P:2>");
  EXPECT_FALSE(hal.machine_m);
  EXPECT_DOUBLE_EQ((*hal.work_m)[1], -2e-3);
  EXPECT_EQ(hal.free_bytes, 1023);
}

TEST(GrblReport, IsRefusedWhenDamaged) {
  for (const auto* line :
       {"<Idle|MPos:0.000,0.000|FS:0,0>", "<Idle|MPos:0.000,0.000,x>", "<Idle|FS:0,0>",
        "<Idle|MPos:0.000,0.000,0.000", "<Idl|MPos:0.000,0.000,0.000>",
        "<Idle|MPos:nan,0.000,0.000>", "<Idle|MPos:1e300,0,0>", "<>", "<",
        "<Idle|MPos:0,0,0|FS:a,0>", "<Idle|MPos:0,0,0|Bf:14>"}) {
    const auto parsed = parse_grbl_line(line);
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().code, ErrorCode::kProtocol);
    EXPECT_THAT(parsed.error().message, HasSubstr(line));
  }
}

TEST(GrblLine, TellsAnswersFromWhatComesByItself) {
  EXPECT_EQ(parse_grbl_line("ok")->kind, GrblLineKind::kOk);
  EXPECT_EQ(parse_grbl_line("error:22")->number, 22);
  EXPECT_EQ(parse_grbl_line("ALARM:1")->kind, GrblLineKind::kAlarm);
  EXPECT_EQ(parse_grbl_line("[MSG:'$H'|'$X' to unlock]")->text, "MSG:'$H'|'$X' to unlock");
  EXPECT_EQ(parse_grbl_line("[PRB:9.000,0.000,-0.400:1]")->kind, GrblLineKind::kMessage);
  EXPECT_EQ(parse_grbl_line(">G54G20:ok")->kind, GrblLineKind::kOther);
  const auto setting = parse_grbl_line("$110=500.000");
  EXPECT_EQ(setting->kind, GrblLineKind::kSetting);
  EXPECT_EQ(setting->number, 110);
  EXPECT_EQ(setting->value, 500);
  EXPECT_EQ(parse_grbl_line("$112=90.5 (z max rate, mm/min)")->value, 90.5);
  EXPECT_FALSE(parse_grbl_line("error:x"));
  EXPECT_FALSE(parse_grbl_line("ALARM:"));
}

TEST(GrblLine, KnowsTheDialectByItsBanner) {
  EXPECT_EQ(parse_grbl_line("Grbl 1.1h ['$' for help]")->dialect, GrblDialect::kGrbl);
  EXPECT_EQ(parse_grbl_line("GrblHAL 1.1f ['$' or '$HELP' for help]")->dialect,
            GrblDialect::kGrblHal);
  EXPECT_EQ(parse_grbl_line("Grbl 3.7 [FluidNC v3.7.16 (wifi) '$' for help]")->dialect,
            GrblDialect::kFluidNc);
  EXPECT_EQ(parse_grbl_line("Grbl")->kind, GrblLineKind::kOther);
}

std::vector<std::string> lines_of(std::string_view text) {
  GrblLineSplitter splitter;
  splitter.add(view_of(text));
  std::vector<std::string> lines;
  while (auto line = splitter.next()) lines.push_back(*line);
  return lines;
}

TEST(GrblLineSplitter, LeavesOutEmptyLinesAndWaitsForTheEnd) {
  EXPECT_THAT(lines_of("\r\nGrbl 1.1h ['$' for help]\r\nok\r\n<Idle"),
              ElementsAre("Grbl 1.1h ['$' for help]", "ok"));
}

TEST(GrblLineSplitter, TakesAReportOutOfTheLineItWasPrintedInto) {
  EXPECT_THAT(lines_of("o<Idle|MPos:0.000,0.000,0.000>k\r\n"),
              ElementsAre("<Idle|MPos:0.000,0.000,0.000>", "ok"));
}

TEST(GrblLineSplitter, DropsNoiseWithoutEnd) {
  EXPECT_THAT(lines_of(std::string(5000, 'x') + "\r\nok\r\n").back(), "ok");
}

RC_GTEST_PROP(GrblLineSplitter, SurvivesAnyBytesInAnyPieces, (const Bytes& bytes)) {
  GrblLineSplitter whole, pieces;
  whole.add(bytes);
  for (const auto byte : bytes) pieces.add({&byte, 1});
  while (const auto line = whole.next()) {
    RC_ASSERT(pieces.next() == line);
    parse_grbl_line(*line);
  }
  RC_ASSERT(!pieces.next());
}

RC_GTEST_PROP(GrblLine, SurvivesAnyText, (const std::string& text)) {
  for (const auto* start : {"", "<", "<Idle|MPos:", "$", "error:", "ALARM:", "[", "Grbl "}) {
    parse_grbl_line(start + text);
    parse_grbl_line(start + text + ">");
  }
}

TEST(GrblMove, IsWrittenInMillimetresAndMillimetresPerMinute) {
  EXPECT_EQ(encode_move({1e-3, -2.5e-3, -0.125e-3}, 2e-3),
            "G90 G21 G53 G1 X1.000 Y-2.500 Z-0.125 F120.0\n");
  EXPECT_EQ(encode_jog({0, 0, -0.5e-3}, 1e-3), "$J=G91 G21 X0.000 Y0.000 Z-0.500 F60.0\n");
  EXPECT_EQ(encode_raise(5e-3, 1e-2), "G91 G21 G1 Z5.000 F600.0\n");
}

TEST(GrblCodes, AreSaidInWordsPerDialect) {
  EXPECT_EQ(describe_grbl_error(22, GrblDialect::kGrbl), "feed rate undefined");
  EXPECT_EQ(describe_grbl_error(5, GrblDialect::kFluidNc), "setting disabled");
  EXPECT_EQ(describe_grbl_error(46, GrblDialect::kGrblHal), "homing required");
  EXPECT_EQ(describe_grbl_error(999, GrblDialect::kGrbl), "error 999");
  EXPECT_EQ(describe_grbl_alarm(10, GrblDialect::kGrblHal), "emergency stop");
}

// docs/wire-formats.md 3: 18, 19 and 39 on are not Grbl's; grblHAL has them.
TEST(GrblCodes, AreKnownAsFarAsTheFirmwareHasThem) {
  for (int number = 1; number <= 38; ++number)
    EXPECT_EQ(describe_grbl_error(number, GrblDialect::kGrbl) == fmt::format("error {}", number),
              number == 18 || number == 19)
        << number;
  EXPECT_EQ(describe_grbl_error(39, GrblDialect::kGrbl), "error 39");
  for (int number = 1; number <= 53; ++number)
    EXPECT_NE(describe_grbl_error(number, GrblDialect::kGrblHal), fmt::format("error {}", number));
  for (int number = 1; number <= 10; ++number)
    EXPECT_NE(describe_grbl_alarm(number, GrblDialect::kGrbl), fmt::format("alarm {}", number));
  EXPECT_EQ(describe_grbl_alarm(11, GrblDialect::kGrbl), "alarm 11");
  EXPECT_EQ(describe_grbl_alarm(11, GrblDialect::kGrblHal), "homing required");
}

TEST(GrblCodes, TellWhetherThePositionIsStillRight) {
  for (const int kept : {2, 4, 5})
    EXPECT_TRUE(grbl_alarm_keeps_position(kept, GrblDialect::kGrbl)) << kept;
  for (const int lost : {1, 3, 6, 7, 8, 9, 10, 11, 99})
    EXPECT_FALSE(grbl_alarm_keeps_position(lost, GrblDialect::kGrbl)) << lost;
  EXPECT_FALSE(grbl_alarm_keeps_position(13, GrblDialect::kGrblHal));
}

}  // namespace
}  // namespace tactelier::devices
