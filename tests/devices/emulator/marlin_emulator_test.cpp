// The emulated printer says and does what Marlin 2.1.2.1's own code did (docs/devices.md).
#include "devices/emulator/marlin_emulator.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MarlinEmulatorTest : public testing::Test {
 protected:
  void power_up() {
    printer_ = std::make_unique<MarlinEmulator>(board_, world_.now_ns());
    world_.add("pty:marlin", *printer_, false);
    auto link = world_.open("pty:marlin");
    ASSERT_TRUE(link);
    link_ = std::move(*link);
    (void)said(2);
  }
  void send(std::string_view text) { ASSERT_TRUE(link_->send(view_of(text), Timeout(100))); }
  /// Lines that come within that time.
  std::vector<std::string> said(double time_s) {
    const auto until_ns = world_.now_ns() + std::llround(time_s * 1e9);
    while (world_.now_ns() < until_ns) {
      std::array<std::uint8_t, 4096> bytes{};
      const auto left = std::max<std::int64_t>(1, (until_ns - world_.now_ns()) / 1'000'000);
      if (const auto got = link_->receive(bytes, Timeout(left)))
        text_.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
    }
    std::vector<std::string> lines;
    for (auto end = text_.find('\n'); end != text_.npos; end = text_.find('\n')) {
      lines.push_back(text_.substr(0, end));
      text_.erase(0, end + 1);
    }
    return lines;
  }
  std::vector<std::string> answer(std::string_view line, double time_s = 0.3) {
    send(std::string(line) + "\n");
    return said(time_s);
  }
  double z_mm() const { return printer_->true_position_mm()[2]; }

  MarlinBoard board_;
  SimulatedWorld world_;
  std::unique_ptr<MarlinEmulator> printer_;
  std::unique_ptr<Link> link_;
  std::string text_;
};

TEST_F(MarlinEmulatorTest, SaysWhoItIs) {
  printer_ = std::make_unique<MarlinEmulator>(board_, world_.now_ns());
  world_.add("pty:marlin", *printer_, false);
  link_ = std::move(*world_.open("pty:marlin"));
  EXPECT_EQ(said(2).front(), "start");
  EXPECT_THAT(answer("M115"), testing::Contains("Cap:EMERGENCY_PARSER:1"));
  EXPECT_THAT(answer("M119"), ElementsAre("Reporting endstop status", "x_min: open", "y_min: open",
                                          "z_max: open", "ok"));
  EXPECT_THAT(answer("M211"),
              ElementsAre("  M211 S1 ; ON",
                          "  Min:  X0.00 Y0.00 Z0.00   Max:  X200.00 Y200.00 Z40.00", "ok"));
  EXPECT_THAT(answer("M118 sync 7"), ElementsAre("sync 7", "ok"));
  EXPECT_THAT(answer("FOO"), ElementsAre("echo:Unknown command: \"FOO\"", "ok"));
}

TEST_F(MarlinEmulatorTest, CountsLinesAsTheFirmwareDoes) {
  power_up();
  EXPECT_THAT(answer("N0 M110 N0*125"), ElementsAre("ok"));
  EXPECT_THAT(answer("N1 M114 R*84"),
              ElementsAre("X:0.00 Y:0.00 Z:40.00 E:0.00 Count X:0 Y:0 Z:16000", "ok"));
  EXPECT_THAT(answer("N2 M114 R*99"),
              ElementsAre("Error:checksum mismatch, Last Line: 1", "Resend: 2", "ok"));
  EXPECT_EQ(answer("N2 M114 R*87").size(), 2U);
  EXPECT_TRUE(answer("N2 M114 R*87").empty());  // it has it already, and says nothing
  EXPECT_THAT(
      answer("N5 M114 R*80"),
      ElementsAre("Error:Line Number is not Last Line Number+1, Last Line: 2", "Resend: 3", "ok"));
  EXPECT_THAT(answer("N3 M114"),
              ElementsAre("Error:No Checksum with line number, Last Line: 2", "Resend: 3", "ok"));
}

/// The first move waits 100 ms; M114 tells its end, M114 R the way.
TEST_F(MarlinEmulatorTest, TellsTheEndOrTheWay) {
  power_up();
  EXPECT_THAT(answer("G1 Z30 F240", 0.09), ElementsAre("ok"));
  EXPECT_EQ(z_mm(), 30);
  (void)said(1.4);
  EXPECT_THAT(answer("M114", 0.05).front(), HasSubstr("Count X:0 Y:0 Z:12000"));
  const double gone_mm = 30 - z_mm();
  EXPECT_GT(gone_mm, 4.5);
  EXPECT_LT(gone_mm, 6);
  EXPECT_THAT(answer("M114 R", 0.05).front(), HasSubstr("Count X:0 Y:0 Z:13"));
}

TEST_F(MarlinEmulatorTest, StopsDeadAndReadsNoLineForASecond) {
  power_up();
  (void)answer("G1 Z30 F240", 1.5);
  const double at_mm = z_mm();
  EXPECT_TRUE(answer("\n\nM410\nM114 R", 0.9).empty());
  EXPECT_LT(at_mm - z_mm(), 0.02);
  const auto later = said(0.3);
  ASSERT_EQ(later.size(), 3U);
  EXPECT_EQ(later[0], "ok");  // of M410
  EXPECT_THAT(later[1], HasSubstr("Count X:0 Y:0 Z:"));
}

/// Seen on the firmware: the first step 1.114 s after the stop.
TEST_F(MarlinEmulatorTest, CarriesOutALineThatWaitedAtAStop) {
  power_up();
  (void)answer("G1 Z30 F240", 1);
  (void)answer("G1 Z20 F240\n\n\nM410", 1.05);
  const double at_mm = z_mm();
  (void)said(0.04);
  EXPECT_EQ(z_mm(), at_mm);
  (void)said(1);
  EXPECT_LT(z_mm(), at_mm - 2);
}

/// feature/e_parser.h: a line end in the middle of "M41" makes it wait for another.
TEST_F(MarlinEmulatorTest, MissesAStopBehindHalfALineAndOneLineEnd) {
  power_up();
  (void)answer("G1 Z5 F240", 0.6);
  double at_mm = z_mm();
  (void)answer("M1\nM410", 0.5);
  EXPECT_LT(z_mm(), at_mm - 1.5);
  at_mm = z_mm();
  (void)answer("M1\n\nM410", 0.5);
  EXPECT_NEAR(z_mm(), at_mm, 0.02);
}

TEST_F(MarlinEmulatorTest, GoesOnForAWhileWhenItIsKilled) {
  power_up();
  (void)answer("G1 Z5 F240", 1);
  const double at_mm = z_mm();
  EXPECT_THAT(answer("M112", 0.1),
              ElementsAre("echo:M112 Shutdown", "Error:Printer halted. kill() called!"));
  (void)said(2);
  EXPECT_NEAR(at_mm - z_mm(), 0.6 * 4, 0.1);
  EXPECT_TRUE(answer("M114 R", 1).empty());
}

TEST_F(MarlinEmulatorTest, SaysThatItIsBusyWhileItHomes) {
  power_up();
  const auto lines = answer("G28 Z", 12);
  EXPECT_EQ(lines.front(), "echo:busy: processing");
  EXPECT_EQ(lines[lines.size() - 2], "X:0.00 Y:0.00 Z:40.00 E:0.00 Count X:0 Y:0 Z:16000");
  EXPECT_EQ(lines.back(), "ok");
  EXPECT_EQ(z_mm(), 40);
}

TEST_F(MarlinEmulatorTest, FailsToHomeWhenItIsStopped) {
  power_up();
  (void)answer("G28 Z", 0.5);
  EXPECT_THAT(answer("\n\nM410", 2),
              ElementsAre("echo:Homing Failed", "Error:Printer halted. kill() called!"));
}

TEST_F(MarlinEmulatorTest, DropsMovesOfFewStepsWhereItIsBuiltSo) {
  board_.least_steps = 6;
  power_up();
  EXPECT_THAT(answer("G1 Z39.9975 F60"), ElementsAre("ok"));
  EXPECT_THAT(answer("M114 R").front(), HasSubstr("Count X:0 Y:0 Z:16000"));
  (void)answer("G1 Z39.9850 F60", 0.6);
  EXPECT_THAT(answer("M114 R").front(), HasSubstr("Z:15994"));
}

/// Clipped without a word once it has been homed; before, not at all.
TEST_F(MarlinEmulatorTest, ClipsToItsTravel) {
  power_up();
  (void)answer("G28 Z", 12);
  EXPECT_THAT(answer("G1 Z50 F240", 1), ElementsAre("ok"));
  EXPECT_EQ(z_mm(), 40);
}

TEST_F(MarlinEmulatorTest, SwitchesItsMotorsOffAtRest) {
  power_up();
  (void)answer("G28 Z", 12);
  (void)said(115);
  EXPECT_EQ(z_mm(), 40);
  (void)said(10);
  EXPECT_LT(z_mm(), 40);
}

}  // namespace
}  // namespace tactelier::devices
