// How the dialects differ when they are told to stop, in plain bytes (devices/emulator/
// grbl_dialect.hpp has the places in the firmwares).
#include <gmock/gmock.h>

#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;
using testing::Not;

/// In mm along x, at rest.
constexpr double kPlanned_mm = 30, kPlannedTwice_mm = 50;

class GrblDialects : public testing::TestWithParam<GrblDialect> {
 protected:
  void SetUp() override {
    grbl_ = std::make_unique<GrblEmulator>(
        GrblBoard{GetParam(), 115200, {{10, 3}, {110, 3000}, {120, 500}}, {}}, world_.now_ns());
    world_.add("pty:grbl", *grbl_, false);
    link_ = std::move(*world_.open("pty:grbl"));
    (void)hear(2);
  }
  std::string hear(double time_s) {
    std::string text;
    Bytes bytes(4096);
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world_.now_ns() < end_ns) {
      const auto got = link_->receive(bytes, Timeout(1));
      if (got) text.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
    }
    return text;
  }
  std::string ask(std::string_view bytes, double time_s) {
    EXPECT_TRUE(link_->send(view_of(bytes), Timeout(1)));
    return hear(time_s);
  }
  std::string state() {
    const auto report = ask("?", 0.05);
    return report.substr(1, report.find('|') - 1);
  }
  double x_mm() const { return grbl_->true_position_mm()[0]; }
  bool hal() const { return GetParam() == GrblDialect::kGrblHal; }
  bool fluid() const { return GetParam() == GrblDialect::kFluidNc; }
  /// Half a second of a jog to 30 mm at 10 mm/s.
  void set_off() {
    EXPECT_EQ(ask("$J=G91X30F600\n", 0.5), "ok\r\n");
    EXPECT_EQ(state(), "Jog");
  }

  SimulatedWorld world_;
  std::unique_ptr<GrblEmulator> grbl_;
  std::unique_ptr<Link> link_;
};

TEST_P(GrblDialects, HoldInAJog) {
  set_off();
  EXPECT_EQ(ask("!", 5), "");
  EXPECT_EQ(state(), "Idle");  // never Hold
  if (hal())
    EXPECT_NEAR(x_mm(), kPlanned_mm, 0.01);
  else
    EXPECT_LT(x_mm(), 8);
}

TEST_P(GrblDialects, JogCancelInAJog) {
  set_off();
  EXPECT_EQ(ask("\x85", 5), "");
  EXPECT_EQ(state(), "Idle");
  EXPECT_LT(x_mm(), 8);
  EXPECT_EQ(ask("$J=G91X1F600\n", 1), "ok\r\n");
}

TEST_P(GrblDialects, StaysInJogWhileItIsCancelled) {
  set_off();
  EXPECT_THAT(ask("!\x85?", 0.03), HasSubstr("<Jog|"));
}

TEST_P(GrblDialects, HoldOfGCodeLastsUntilAReset) {
  EXPECT_EQ(ask("G91G1X30F600\n", 0.5), "ok\r\n");
  EXPECT_EQ(ask("!\x85", 1), "");
  EXPECT_EQ(state(), "Hold:0");
  EXPECT_EQ(ask("$J=G91X1F600\n", 1), "");
  EXPECT_THAT(ask("\x18", 1), Not(HasSubstr("ALARM")));
  EXPECT_EQ(state(), "Idle");
  EXPECT_LT(x_mm(), 8);
}

TEST_P(GrblDialects, HoldAtRestKeepsLinesWaiting) {
  EXPECT_EQ(ask("!", 0.1), "");
  EXPECT_EQ(state(), "Hold:0");
  EXPECT_EQ(ask("$J=G91X1F600\n", 0.1), "");
  EXPECT_EQ(ask("~", 1), "ok\r\n");
  EXPECT_NEAR(x_mm(), 1, 0.01);
}

TEST_P(GrblDialects, JogCancelAtRestDoesNothing) {
  EXPECT_EQ(ask("\x85", 0.1), "");
  EXPECT_EQ(state(), "Idle");
  EXPECT_EQ(ask("$J=G91X1F600\n", 1), "ok\r\n");
}

TEST_P(GrblDialects, ALineInTheParserWhenAJogIsCancelled) {
  set_off();
  const auto said = ask("$J=G91X20F600\n!\x85", 6);
  EXPECT_EQ(said, "ok\r\n");
  if (hal() || fluid())
    EXPECT_LT(x_mm(), 8);
  else
    EXPECT_NEAR(x_mm(), kPlannedTwice_mm, 0.01);  // to the end it was given before the stop
  EXPECT_EQ(state(), "Idle");
}

TEST_P(GrblDialects, ALineNotYetReadWhenAJogIsCancelled) {
  set_off();
  EXPECT_EQ(ask("!\x85", 0.002), "");
  const auto said = ask("$J=G91X20F600\n", 0.002);  // read once it has stopped
  EXPECT_EQ(said, "");
  EXPECT_EQ(hear(6), "ok\r\n");
  EXPECT_GT(x_mm(), hal() ? 25 : 20);
}

TEST_P(GrblDialects, LinesBeforeAJogCancelAreGoneWithGrblHalOnly) {
  set_off();
  const auto said = ask("$J=G91X0.1F600\n$J=G91X20F600\n\x85", 6);
  EXPECT_EQ(said, hal() ? "ok\r\n" : "ok\r\nok\r\n");
  if (hal())
    EXPECT_LT(x_mm(), 8);
  else
    EXPECT_GT(x_mm(), 20);
}

TEST_P(GrblDialects, AStopRightBehindTheLineThatSetsItOff) {
  const auto said = ask("$J=G91X30F600\n!\x85", 5);
  if (fluid()) {
    EXPECT_EQ(said, "ok\r\n");
    EXPECT_NEAR(x_mm(), kPlanned_mm, 0.01);  // both bytes are lost
  } else {
    EXPECT_EQ(said, "");
    EXPECT_EQ(state(), "Hold:0");
    EXPECT_EQ(x_mm(), 0);
  }
}

TEST_P(GrblDialects, ADeafOneHearsNothingButAReset) {
  set_off();
  grbl_->inject({FaultKind::kDeaf}, world_.now_ns());
  EXPECT_EQ(ask("!\x85", 1), "");
  EXPECT_EQ(state(), "Jog");
  EXPECT_THAT(ask("\x18", 1), HasSubstr("ALARM:3"));
  EXPECT_EQ(state(), "Alarm");
}

std::string name_of(const testing::TestParamInfo<GrblDialect>& info) {
  constexpr std::array kNames{"Grbl", "GrblHal", "FluidNc"};
  return kNames[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Dialects, GrblDialects,
                         testing::Values(GrblDialect::kGrbl, GrblDialect::kGrblHal,
                                         GrblDialect::kFluidNc),
                         name_of);

}  // namespace
}  // namespace tactelier::devices
