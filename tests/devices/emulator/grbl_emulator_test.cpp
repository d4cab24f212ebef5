// The emulated GRBL, spoken to in plain bytes: the dialogue of docs/wire-formats.md 3 and what the
// firmware was observed to do.
#include "devices/emulator/grbl_emulator.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class GrblEmulatorTest : public testing::Test {
 protected:
  void power_up(std::map<int, double> settings = {}, GrblDialect dialect = GrblDialect::kGrbl) {
    grbl_ = std::make_unique<GrblEmulator>(GrblBoard{dialect, 115200, std::move(settings), {}},
                                           world_.now_ns());
    world_.add("pty:grbl", *grbl_, false);
    link_ = std::move(*world_.open("pty:grbl"));
  }
  /// What it says within a time, as the bytes come.
  std::string hear(double time_s) {
    std::string text;
    Bytes bytes(4096);
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world_.now_ns() < end_ns) {
      const auto left = std::chrono::duration_cast<Timeout>(
          std::chrono::nanoseconds(end_ns - world_.now_ns() + 999'999));
      const auto got = link_->receive(bytes, left);
      if (got) text.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
      if (!got && got.error().code != ErrorCode::kTimeout) break;
    }
    return text;
  }
  std::string ask(std::string_view line, double time_s = 0.05) {
    EXPECT_TRUE(link_->send(view_of(line), Timeout(1)));
    return hear(time_s);
  }

  SimulatedWorld world_;
  std::unique_ptr<GrblEmulator> grbl_;
  std::unique_ptr<Link> link_;
};

TEST_F(GrblEmulatorTest, SpeaksTheTestDialogueByteForByte) {
  power_up({{10, 3}});
  EXPECT_EQ(hear(2), "\r\nGrbl 1.1h ['$' for help]\r\n");
  EXPECT_EQ(ask("?"), "<Idle|MPos:0.000,0.000,0.000|Bf:15,128|FS:0,0|WCO:0.000,0.000,0.000>\r\n");
  EXPECT_EQ(ask("?"), "<Idle|MPos:0.000,0.000,0.000|Bf:15,128|FS:0,0|Ov:100,100,100>\r\n");
  EXPECT_EQ(ask("G1 X1\n"), "error:22\r\n");
  EXPECT_EQ(ask("G91 G1 X1 F120\n"), "ok\r\n");
  hear(1);
  EXPECT_EQ(ask("\n"), "ok\r\n");
  EXPECT_EQ(ask("$H\n"), "error:5\r\n");
  EXPECT_EQ(ask("$K\n"), "error:2\r\n");
  EXPECT_EQ(ask("$J=G91 Z1\n"), "error:22\r\n");
  EXPECT_EQ(ask("$20=1\n"), "error:10\r\n");
  EXPECT_EQ(ask(std::string(90, 'G') + "\n"), "error:11\r\n");
  EXPECT_EQ(ask("\x18"), "\r\nGrbl 1.1h ['$' for help]\r\n");
}

TEST_F(GrblEmulatorTest, SendsWorkOffsetAndOverridesAsSeldomAsTheFirmware) {
  power_up();
  hear(2);
  std::string kinds;
  for (int i = 0; i < 23; ++i) {
    const auto report = ask("?");
    kinds += report.find("WCO:") != report.npos  ? 'W'
             : report.find("Ov:") != report.npos ? 'O'
                                                 : '.';
  }
  EXPECT_EQ(kinds, "WO........WO........WO.");  // every 10th, Ov after WCO, never both
}

TEST_F(GrblEmulatorTest, AnswersTwoQuestionsBeforeTheAnswerOnce) {
  power_up();
  hear(2);
  const auto report = ask("??");
  EXPECT_EQ(std::count(report.begin(), report.end(), '<'), 1);
}

TEST_F(GrblEmulatorTest, MovesForAsLongAsItsRampsTake) {
  // 1 mm at 120 mm/min with 10 mm/s^2: ramps of 0.2 s and 0.2 mm, 0.3 s between: 0.7 s.
  power_up();
  hear(2);
  ask("G91 G1 X1 F120\n", 0.02);
  const auto start_ns = world_.now_ns() - 20'000'000;
  while (grbl_->true_position_mm()[0] < 1 && world_.now_ns() < start_ns + 2'000'000'000)
    world_.wait_until(world_.now_ns() + 1'000'000);
  EXPECT_NEAR(static_cast<double>(world_.now_ns() - start_ns) * 1e-9, 0.7, 0.004);
}

TEST_F(GrblEmulatorTest, KeepsLinesWaitingWhenThePlannerIsFull) {
  power_up({{10, 3}, {110, 6000}});
  hear(2);
  std::string many;
  for (int i = 0; i < 17; ++i) many += "G91G1X1F60\n";
  EXPECT_TRUE(link_->send(view_of(many.substr(0, 110)), Timeout(1)));
  hear(0.1);
  const auto oks = ask(many.substr(110));
  EXPECT_THAT(ask("?"), HasSubstr("|Bf:0,"));
  hear(1);  // one block is done, the next line gets its place
  EXPECT_THAT(oks, HasSubstr("ok\r\n"));
}

TEST_F(GrblEmulatorTest, DeceleratesOnAFeedHoldAndLosesAnEarlyResume) {
  power_up({{10, 3}});
  hear(2);
  ask("G91 G1 X20 F120\n", 2);
  const double at_mm = grbl_->true_position_mm()[0];
  ASSERT_TRUE(link_->send(view_of("!"), Timeout(1)));
  hear(0.12);
  EXPECT_THAT(ask("?", 0.03), StartsWith("<Hold:1|"));
  ASSERT_TRUE(link_->send(view_of("~"), Timeout(1)));
  hear(1);
  EXPECT_THAT(ask("?"), StartsWith("<Hold:0|"));
  // 50 ms of prepared motion at 2 mm/s, then v^2 / 2a = 0.2 mm.
  EXPECT_NEAR(grbl_->true_position_mm()[0] - at_mm, 0.1 + 0.2, 0.01);
  ASSERT_TRUE(link_->send(view_of("~"), Timeout(1)));
  EXPECT_THAT(ask("?", 0.1), StartsWith("<Run|"));
}

TEST_F(GrblEmulatorTest, StoresLinesDuringAHoldWithoutAnswer) {
  power_up({{10, 3}});
  hear(2);
  ask("G91 G1 X20 F120\n", 1);
  ask("!", 1);
  EXPECT_EQ(ask("G1 X-1\n", 0.5), "");
  EXPECT_THAT(ask("?"), HasSubstr("|Bf:14,121|"));
  EXPECT_THAT(ask("~", 0.5), HasSubstr("ok\r\n"));
}

TEST_F(GrblEmulatorTest, LosesThePositionWhenItIsResetInMotion) {
  power_up();
  hear(2);
  ask("G91 G1 X20 F120\n", 1);
  EXPECT_EQ(ask("\x18", 1),
            "ALARM:3\r\n\r\nGrbl 1.1h ['$' for help]\r\n[MSG:'$H'|'$X' to unlock]\r\n");
  EXPECT_EQ(ask("G1 X1 F100\n"), "error:9\r\n");
  EXPECT_EQ(ask("$X\n"), "[MSG:Caution: Unlocked]\r\nok\r\n");
}

TEST_F(GrblEmulatorTest, CancelsAJogAndForgetsTheOthers) {
  power_up();
  hear(2);
  ask("$J=G91 X20 F120\n$J=G91 X20 F120\n", 1);
  EXPECT_THAT(ask("?"), StartsWith("<Jog|"));
  EXPECT_EQ(ask("G1 X1 F100\n"), "error:9\r\n");
  ask("\x85", 1);
  EXPECT_THAT(ask("?"), StartsWith("<Idle|"));
  EXPECT_LT(grbl_->true_position_mm()[0], 5);
}

TEST_F(GrblEmulatorTest, BootsLockedWithHomingAndKnowsWhereItIsAfterwards) {
  power_up({{22, 1}, {20, 1}, {112, 3000}});
  EXPECT_EQ(hear(2), "\r\nGrbl 1.1h ['$' for help]\r\n[MSG:'$H'|'$X' to unlock]\r\n");
  EXPECT_EQ(ask("$H\n", 1), "");
  EXPECT_EQ(ask("?", 1), "");  // no answers while it homes
  EXPECT_EQ(hear(20), "ok\r\n");
  EXPECT_THAT(ask("?"), HasSubstr("MPos:-1.000,-1.000,-1.000"));
  EXPECT_EQ(ask("$J=G91 Z5 F60\n"), "error:15\r\n");
  EXPECT_THAT(ask("G90 G1 Z5 F60\n", 1), "ALARM:2\r\n[MSG:Reset to continue]\r\n");
  EXPECT_EQ(ask("$X\n", 1), "");
  EXPECT_EQ(ask("?", 1), "");
  EXPECT_THAT(ask("\x18", 1), HasSubstr("to unlock"));
}

TEST_F(GrblEmulatorTest, WaitsWithTheAnswerToADwellUntilEverythingIsDone) {
  power_up();
  hear(2);
  EXPECT_EQ(ask("G91 G1 X1 F120\nG4 P0.5\n", 1.1), "ok\r\n");
  EXPECT_EQ(hear(0.3), "ok\r\n");
}

// docs/wire-formats.md 3, the generic profile.
TEST_F(GrblEmulatorTest, ListsSettingsLikeTheFirmware) {
  power_up();
  hear(2);
  EXPECT_EQ(ask("$$\n", 1),
            "$0=10\r\n$1=25\r\n$2=0\r\n$3=0\r\n$4=0\r\n$5=0\r\n$6=0\r\n$10=1\r\n"
            "$11=0.010\r\n$12=0.002\r\n$13=0\r\n$20=0\r\n$21=0\r\n$22=0\r\n$23=0\r\n"
            "$24=25.000\r\n$25=500.000\r\n$26=250\r\n$27=1.000\r\n$30=1000\r\n$31=0\r\n"
            "$32=0\r\n$100=250.000\r\n$101=250.000\r\n$102=250.000\r\n$110=500.000\r\n"
            "$111=500.000\r\n$112=500.000\r\n$120=10.000\r\n$121=10.000\r\n$122=10.000\r\n"
            "$130=200.000\r\n$131=200.000\r\n$132=200.000\r\nok\r\n");
}

// docs/wire-formats.md 3: what senders ask a controller before they trust it.
TEST_F(GrblEmulatorTest, SaysWhatItIsLikeTheFirmware) {
  power_up();
  hear(2);
  EXPECT_EQ(ask("$I\n"), "[VER:1.1h.20190830:]\r\n[OPT:V,15,128]\r\nok\r\n");
  EXPECT_EQ(ask("$G\n"), "[GC:G0 G54 G17 G21 G90 G94 M5 M9 T0 F0 S0]\r\nok\r\n");
  EXPECT_EQ(ask("$N\n"), "$N0=\r\n$N1=\r\nok\r\n");
  EXPECT_EQ(ask("$\n"),
            "[HLP:$$ $# $G $I $N $x=val $Nx=line $J=line $SLP $C $X $H ~ ! ? ctrl-x]\r\nok\r\n");
  const std::string none = "0.000,0.000,0.000]\r\n";
  EXPECT_EQ(ask("$#\n", 0.2), "[G54:" + none + "[G55:" + none + "[G56:" + none + "[G57:" + none +
                                  "[G58:" + none + "[G59:" + none + "[G28:" + none +
                                  "[G30:" + none + "[G92:" + none + "[TLO:0.000]\r\n" +
                                  "[PRB:0.000,0.000,0.000:0]\r\nok\r\n");
}

TEST_F(GrblEmulatorTest, LosesBytesThatItsBufferCantHold) {
  power_up();
  hear(2);
  ask("G91 G1 X20 F120\n", 0.5);
  ask("!", 1);
  ask(std::string(200, ' ') + "\n");
  const auto report = ask("?");
  EXPECT_THAT(report, StartsWith("<Hold:0|"));
  EXPECT_EQ(ask("~", 0.2), "");  // the line's end did not fit either
}

RC_GTEST_PROP(GrblEmulatorGarbage, SurvivesAnyBytes, (const Bytes& bytes)) {
  SimulatedWorld world;
  GrblEmulator grbl(GrblBoard{}, world.now_ns());
  world.add("pty:grbl", grbl, false);
  auto link = world.open("pty:grbl");
  world.wait_until(world.now_ns() + 2'000'000'000);
  (*link)->send(bytes, Timeout(1));
  (*link)->send(view_of("\nG1X1\n$J=1\n"), Timeout(1));
  world.wait_until(world.now_ns() + 100'000'000);
}

}  // namespace
}  // namespace tactelier::devices
