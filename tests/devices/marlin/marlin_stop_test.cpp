// Stops of a printer: dead, whatever was on its way, and what comes afterwards.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/devices/support/marlin_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Somebody may act right before or behind a line that is sent, as another thread does, and spoil
/// it.
class NudgedLink final : public Link {
 public:
  using Before = std::function<void(Bytes&)>;
  NudgedLink(std::unique_ptr<Link> link, Before before, std::function<void()> behind)
      : link_(std::move(link)), before_(std::move(before)), behind_(std::move(behind)) {}
  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    return link_->receive(into, timeout);
  }
  Result<void> send(ByteView bytes, Timeout timeout) override {
    Bytes sent(bytes.begin(), bytes.end());
    before_(sent);
    auto gone = link_->send(sent, timeout);
    behind_();
    return gone;
  }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

 private:
  std::unique_ptr<Link> link_;
  Before before_;
  std::function<void()> behind_;
};

class MarlinStop : public testing::Test, protected MarlinWorld {
 protected:
  void SetUp() override {
    connector_ = [this](std::string_view url, Timeout) -> Result<std::unique_ptr<Link>> {
      auto link = world_.open(url);
      if (!link) return fail(link.error());
      return std::make_unique<NudgedLink>(
          std::move(*link),
          [this](Bytes& bytes) {
            const std::string text(bytes.begin(), bytes.end());
            if (nudge_ && text.find(nudge_at_) != text.npos) std::exchange(nudge_, nullptr)(bytes);
          },
          [this] {
            if (behind_) std::exchange(behind_, nullptr)();
          });
    };
    ASSERT_NO_FATAL_FAILURE(open_and_home());
  }
  void go_down(double speed_m_per_s = 2e-3) {
    ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 39e-3 - 2.5e-6}, 5e-3));
    ASSERT_TRUE(stage().wait_until_idle(Timeout(10'000)));
    ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, speed_m_per_s));
    ASSERT_TRUE(poll_for(2));
  }
  /// How far it goes down from here within that time.
  double on_mm(double time_s) {
    const double begin_mm = true_z_mm();
    double lowest_mm = begin_mm;
    for (int i = 0; i < static_cast<int>(time_s * 1e3); ++i) {
      world_.wait_until(world_.now_ns() + 1'000'000);
      lowest_mm = std::min(lowest_mm, true_z_mm());
    }
    return begin_mm - lowest_mm;
  }

  std::string nudge_at_;
  std::function<void(Bytes&)> nudge_;
  std::function<void()> behind_;
};

/// The bytes take 0.6 ms at 115200 baud, the main loop a millisecond.
TEST_F(MarlinStop, IsDeadWithinMilliseconds) {
  for (const double speed_m_per_s : {0.1e-3, 2e-3, 10e-3}) {
    ASSERT_NO_FATAL_FAILURE(go_down(speed_m_per_s));
    ASSERT_TRUE(stage().hold_now());
    EXPECT_LT(on_mm(5), m_to_mm(speed_m_per_s) * 5e-3);
    ASSERT_TRUE(stage().stop());
    stage().unlock();
    ASSERT_NO_FATAL_FAILURE(home());
  }
}

TEST_F(MarlinStop, CostsThePositionRaisesTheToolAndLocks) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  const auto stopped = stage().stop();
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_EQ(stage().position_doubt(), "it was stopped dead");
  EXPECT_NEAR(true_z_mm(), 36 + 3, 1.1);  // 5 mm, or to the safe height
  const auto locked = stage().jog({0, 0, -1e-3}, 1e-3);
  ASSERT_FALSE(locked);
  EXPECT_THAT(locked.error().message, HasSubstr("locked"));
  stage().unlock();
  EXPECT_THAT(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3).error().message, HasSubstr("home it"));
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_TRUE(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3));
}

TEST_F(MarlinStop, AtItsTopRaisesNoFurther) {
  ASSERT_TRUE(stage().abort());
  EXPECT_LE(true_z_mm(), 40 + 1e-9);
}

/// Two reports of rest from one place tell whoever watches that the stop was obeyed: what moves
/// afterwards is the raise.
TEST_F(MarlinStop, ShowsRestTwiceBeforeItRaises) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  std::vector<StageSample> told;
  stage().on_report([&](const StageSample& sample) { told.push_back(sample); });
  ASSERT_TRUE(stage().stop());
  const double stood_m =
      std::min_element(told.begin(), told.end(), [](const auto& a, const auto& b) {
        return a.position_m[2] < b.position_m[2];
      })->position_m[2];
  const auto rests = std::count_if(told.begin(), told.end(), [&](const StageSample& sample) {
    return sample.state == StageState::kIdle && sample.position_m[2] == stood_m;
  });
  EXPECT_GE(rests, 2);
  EXPECT_GT(told.back().position_m[2], stood_m + 4e-3);
}

TEST_F(MarlinStop, BeforeALineKeepsItFromBeingSent) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  ASSERT_TRUE(stage().hold_now());
  EXPECT_FALSE(stage().move_to({1e-3, 1e-3, 2e-3}, 2e-3));
  EXPECT_FALSE(stage().jog({0, 0, -1e-3}, 2e-3));
  EXPECT_LT(on_mm(5), 0.02);
  ASSERT_TRUE(stage().stop());
  EXPECT_LT(on_mm(5), 1e-9);
}

/// The firmware carries it out a second later (seen on its own code: 1.11 s): its answer is met
/// with another stop, before it begins.
TEST_F(MarlinStop, BehindALineThatWaitsIsRepeatedBeforeThatBegins) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  nudge_at_ = " G1 ";
  nudge_ = [this](Bytes&) { behind_ = [this] { EXPECT_TRUE(stage().hold_now()); }; };
  double on = 0, stood_mm = 0;
  while (nudge_) ASSERT_TRUE(poll_for(0.005));
  stood_mm = true_z_mm();
  for (int i = 0; i < 500; ++i) {
    (void)poll_for(0.01);
    on = std::max(on, stood_mm - true_z_mm());
  }
  EXPECT_LT(on, 0.02);
  ASSERT_TRUE(stage().stop());
}

TEST_F(MarlinStop, IsHeardBehindALineThatWasCutOff) {
  for (const auto* half : {"N", "N1 M", "N77 M4", "N77 M41", "M1", "G1 X"}) {
    ASSERT_NO_FATAL_FAILURE(go_down());
    auto link = world_.open("pty:marlin");
    ASSERT_TRUE((*link)->send(view_of(half), Timeout(10)));
    ASSERT_TRUE(stage().hold_now());
    EXPECT_LT(on_mm(3), 0.02) << half;
    (void)stage().stop();
    stage().unlock();
    for (int i = 0; i < 10 && !stage().home(); ++i) (void)poll_for(0.5);
    ASSERT_TRUE(stage().position_trusted());
  }
}

/// It comes from another thread while this one listens: reports go on once the firmware reads
/// lines.
TEST_F(MarlinStop, TellsItsPlaceAgainWithinASecondAndAHalf) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  ASSERT_TRUE(stage().hold_now());
  samples_.clear();
  const auto begun_ns = world_.now_ns();
  while (samples_.empty()) ASSERT_TRUE(poll_for(0.01));
  // It was counted when it was told, and not half a second before.
  EXPECT_LT(world_.now_ns() - samples_.front().host_time_ns, 50'000'000);
  while (samples_.back().state != StageState::kIdle) ASSERT_TRUE(poll_for(0.01));
  EXPECT_LT(world_.now_ns() - begun_ns, 1'500'000'000);
  EXPECT_FALSE(stage().silent());
}

/// Each makes the firmware deaf to lines for a second.
TEST_F(MarlinStop, PressedAgainAndAgainIsNoSilence) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  for (const double time_s : {0.7, 0.7, 0.1, 2.0}) {
    ASSERT_TRUE(stage().hold_now());
    if (time_s > 1) inject({FaultKind::kSlow, 0.02, 1, 0, 0.3});
    const auto polled = poll_for(time_s);
    ASSERT_TRUE(polled) << polled.error().message;
  }
  printer().mend();
  const auto stopped = stage().stop();
  EXPECT_TRUE(stopped) << stopped.error().message;
}

/// M112 would go on for 0.6 s and leave the motors without power.
TEST_F(MarlinStop, DeadNowIsTheSame) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  ASSERT_TRUE(stage().reset_now());
  EXPECT_LT(on_mm(5), 0.02);
  ASSERT_TRUE(stage().abort());
  ASSERT_NO_FATAL_FAILURE(home());
}

TEST_F(MarlinStop, AtRestIsOverWhenItIsAcknowledged) {
  ASSERT_TRUE(stage().stop());
  ASSERT_TRUE(stage().hold_now());  // STOP was pressed once more
  EXPECT_FALSE(stage().home());
  stage().unlock();
  ASSERT_NO_FATAL_FAILURE(home());
}

TEST_F(MarlinStop, BeforeHomingLetsItNotBegin) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, 5e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(60'000)));
  nudge_at_ = "G28 Z";
  nudge_ = [this](Bytes&) { EXPECT_TRUE(stage().hold_now()); };
  const auto homed = stage().home();
  ASSERT_FALSE(homed);
  EXPECT_FALSE(stage().position_trusted());
  const auto at_mm = printer().true_position_mm();
  world_.wait_until(world_.now_ns() + 60'000'000'000);
  EXPECT_EQ(printer().true_position_mm(), at_mm);
}

/// One second behind M410 the firmware would go on to the next part of homing.
TEST_F(MarlinStop, InTheMiddleOfHomingHaltsThePrinter) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, 5e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(60'000)));
  const auto begun_ns = world_.now_ns();
  nudge_at_ = "G28 Z";
  nudge_ = [this](Bytes&) { behind_ = [this] { EXPECT_TRUE(stage().hold_now()); }; };
  const auto homed = stage().home();
  ASSERT_FALSE(homed);
  EXPECT_THAT(homed.error().message, HasSubstr("reset button"));
  EXPECT_LT(world_.now_ns() - begun_ns, 10'000'000'000);
  EXPECT_FALSE(poll_for(0.2));
  EXPECT_TRUE(stage().silent());
}

TEST_F(MarlinStop, ALineThatWasSpoiledOnItsWayIsSentAgain) {
  nudge_at_ = " G1 ";
  nudge_ = [](Bytes& bytes) { bytes[bytes.size() / 2] ^= 0x10; };
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 36e-3}, 2e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(10'000)));
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
  EXPECT_EQ(stage().resent(), 1);
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(MarlinStop, ALineThatIsSpoiledAgainAndAgainEndsTheTrust) {
  nudge_at_ = " G1 ";
  std::function<void(Bytes&)> spoil = [&](Bytes& bytes) {
    bytes[bytes.size() / 2] ^= 0x10;
    nudge_ = spoil;
  };
  nudge_ = spoil;
  const auto moved = stage().move_to({1e-3, 1e-3, 36e-3}, 2e-3);
  ASSERT_FALSE(moved);
  EXPECT_THAT(moved.error().message, HasSubstr("was sent 3 times"));
  EXPECT_FALSE(stage().position_trusted());
  nudge_ = nullptr;
  ASSERT_NO_FATAL_FAILURE(home());
}

}  // namespace
}  // namespace tactelier::devices
