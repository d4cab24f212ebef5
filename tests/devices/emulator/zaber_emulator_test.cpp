// The emulated Zaber devices say and do what the ASCII Protocol Manual says (docs/rigs/zaber.md).
#include "devices/emulator/zaber_emulator.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "devices/emulator/simulated_world.hpp"
#include "devices/zaber/zaber_protocol.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;

class ZaberEmulatorTest : public testing::Test {
 protected:
  void SetUp() override { power_up(); }
  void power_up() {
    axes_ = std::make_unique<ZaberEmulator>(board_, world_.now_ns());
    world_.add("pty:zaber", *axes_, false);
    auto link = world_.open("pty:zaber");
    ASSERT_TRUE(link);
    link_ = std::move(*link);
    (void)said(1.5);
  }
  std::vector<std::string> said(double time_s) {
    const auto until_ns = world_.now_ns() + std::llround(time_s * 1e9);
    while (world_.now_ns() < until_ns) {
      std::array<std::uint8_t, 4096> bytes{};
      const auto left = std::max<std::int64_t>(1, (until_ns - world_.now_ns()) / 1'000'000);
      if (const auto got = link_->receive(bytes, Timeout(left)))
        text_.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
    }
    std::vector<std::string> lines;
    for (auto end = text_.find("\r\n"); end != text_.npos; end = text_.find("\r\n")) {
      lines.push_back(text_.substr(0, end));
      text_.erase(0, end + 2);
    }
    return lines;
  }
  std::vector<std::string> answer(std::string_view line, double time_s = 0.05) {
    EXPECT_TRUE(link_->send(view_of(fmt::format("{}\n", line)), Timeout(100)));
    return said(time_s);
  }
  double z_mm() const { return axes_->true_position_mm()[2]; }
  void home() {
    (void)answer("/1 home");
    (void)said(60);
  }

  ZaberBoard board_;
  SimulatedWorld world_;
  std::unique_ptr<ZaberEmulator> axes_;
  std::unique_ptr<Link> link_;
  std::string text_;
};

/// "Message Format": no address is every device, no axis is all.
TEST_F(ZaberEmulatorTest, AnswersByAddressAxisAndId) {
  EXPECT_THAT(answer("/"), ElementsAre("@01 0 OK IDLE WR 0"));
  EXPECT_THAT(answer("/1"), ElementsAre("@01 0 OK IDLE WR 0"));
  EXPECT_THAT(answer("/1 2 7"), ElementsAre("@01 2 07 OK IDLE WR 0"));
  EXPECT_TRUE(answer("/2").empty());
  EXPECT_THAT(answer("/1 4"), ElementsAre("@01 4 RJ IDLE WR BADAXIS"));
  EXPECT_THAT(answer("/1 nonsense"), ElementsAre("@01 0 RJ IDLE WR BADCOMMAND"));
  EXPECT_THAT(answer("/get system.axiscount"), ElementsAre("@01 0 OK IDLE WR 3"));
  EXPECT_THAT(answer("/1 0 get pos"), ElementsAre("@01 0 OK IDLE WR 0 0 0"));
}

/// "Checksumming": a wrong one is met with silence; replies have one when they are told to.
TEST_F(ZaberEmulatorTest, HeedsChecksums) {
  EXPECT_THAT(answer("/01 tools echo:8F"), ElementsAre("@01 0 OK IDLE WR 0"));
  EXPECT_TRUE(answer("/01 tools echo:8E").empty());
  (void)answer("/set comm.checksum 1");
  const auto lines = answer("/1 0 7 get limit.max");
  ASSERT_EQ(lines.size(), 1U);
  const auto line = parse_zaber_line(lines[0]);
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->checked);
  EXPECT_EQ(line->data, "800000 800000 400000");
}

TEST_F(ZaberEmulatorTest, HomesToTheEndsWhereItsCountsBegin) {
  EXPECT_DOUBLE_EQ(z_mm(), -5);
  EXPECT_THAT(answer("/1 3 home"), ElementsAre("@01 3 OK BUSY WR 0"));
  EXPECT_THAT(answer("/1", 30), ElementsAre("@01 0 OK BUSY WR 0"));
  EXPECT_DOUBLE_EQ(z_mm(), 0);
  EXPECT_THAT(answer("/1 3"), ElementsAre("@01 3 OK IDLE -- 0"));
  EXPECT_THAT(answer("/1"), ElementsAre("@01 0 OK IDLE WR 0"));  // of the other axes
}

/// "move": with speed and acceleration; a target out of the limits is refused.
TEST_F(ZaberEmulatorTest, MovesAtTheSpeedThatIsAskedFor) {
  home();
  EXPECT_THAT(answer("/1 3 move abs 80000 131072 131"), ElementsAre("@01 3 OK BUSY -- 0"));
  // 80000 microsteps/s of 0.125 um are 10 mm/s; after the ramp of 0.1 s.
  (void)said(0.25);
  const double before_mm = z_mm();
  (void)said(0.5);
  EXPECT_NEAR(z_mm() - before_mm, -5, 0.02);
  (void)said(5);
  EXPECT_DOUBLE_EQ(z_mm(), -10);
  EXPECT_THAT(answer("/1 3 move abs 400001"), ElementsAre("@01 3 RJ IDLE -- BADDATA"));
  EXPECT_THAT(answer("/1 3 move abs -1"), ElementsAre("@01 3 RJ IDLE -- BADDATA"));
  EXPECT_THAT(answer("/1 3 move rel -8000"), ElementsAre("@01 3 OK BUSY -- 0"));
  (void)said(5);
  EXPECT_DOUBLE_EQ(z_mm(), -9);
  EXPECT_THAT(answer("/1 3 move vel -131072"), ElementsAre("@01 3 OK BUSY -- 0"));
  (void)said(5);
  EXPECT_DOUBLE_EQ(z_mm(), 0);
}

/// "stop" decelerates, "estop" doesn't; a motion that was ended leaves the notice NI.
TEST_F(ZaberEmulatorTest, StopsInTwoWays) {
  home();
  for (const bool dead : {false, true}) {
    (void)answer("/1 3 move abs 300000 131072 131", 1);
    const double told_mm = z_mm();
    EXPECT_THAT(answer(dead ? "/estop" : "/stop"),
                ElementsAre(dead ? "@01 0 OK IDLE NI 0" : "@01 0 OK BUSY NI 0"));
    (void)said(3);
    const double on_mm = told_mm - z_mm();
    EXPECT_NEAR(on_mm, dead ? 0.02 : 0.52, 0.03);  // v^2/2a = 0.5 mm, and 2 ms of reading
    (void)answer("/1 3 move abs 0", 10);
  }
  EXPECT_THAT(answer("/1 3"), ElementsAre("@01 3 OK IDLE -- 0"));
}

TEST_F(ZaberEmulatorTest, ReplacesAMoveByAnother) {
  home();
  (void)answer("/1 3 move abs 300000", 0.2);
  EXPECT_THAT(answer("/1 3 move abs 8000", 10), ElementsAre("@01 3 OK BUSY NI 0"));
  EXPECT_DOUBLE_EQ(z_mm(), -1);
}

/// "warnings": how many, and which; "warnings clear".
TEST_F(ZaberEmulatorTest, TellsWarningsByTheirPriority) {
  home();
  axes_->inject({FaultKind::kAlarm}, world_.now_ns());
  (void)said(0.1);
  EXPECT_THAT(answer("/1"), ElementsAre("@01 0 OK IDLE FS 0"));
  EXPECT_THAT(answer("/1 3 warnings"), ElementsAre("@01 3 OK IDLE FS 01 FS"));
  EXPECT_THAT(answer("/1 warnings clear"), ElementsAre("@01 0 OK IDLE -- 00"));
  axes_->inject({FaultKind::kReset}, world_.now_ns());
  (void)said(2);
  EXPECT_THAT(answer("/1"), ElementsAre("@01 0 OK IDLE WR 0"));
}

TEST_F(ZaberEmulatorTest, AlertsWhenItIsToldTo) {
  home();
  (void)answer("/set comm.alert 1");
  EXPECT_THAT(answer("/1 2 move rel 800", 1), ElementsAre("@01 2 OK BUSY -- 0", "!01 2 IDLE --"));
}

class ZaberChainTest : public ZaberEmulatorTest {
  void SetUp() override {
    board_.chained = true;
    power_up();
  }
};

/// "stop" without an address reaches all of them in one line.
TEST_F(ZaberChainTest, AnswersDeviceByDevice) {
  EXPECT_THAT(
      answer("/0 0 5 get pos"),
      ElementsAre("@01 0 05 OK IDLE WR 0", "@02 0 05 OK IDLE WR 0", "@03 0 05 OK IDLE WR 0"));
  EXPECT_THAT(answer("/3 1 home"), ElementsAre("@03 1 OK BUSY WR 0"));
  EXPECT_THAT(answer("/stop").size(), 3U);
  (void)said(2);
  EXPECT_FALSE(axes_->moving());
  EXPECT_LT(z_mm(), -0.1);  // it did not arrive
}

}  // namespace
}  // namespace tactelier::devices
