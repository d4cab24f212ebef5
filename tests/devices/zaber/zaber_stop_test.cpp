// Stops of Zaber axes: they brake, whatever was on its way, and keep the position; what is trouble
// is stopped before it is told.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/devices/support/zaber_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Somebody may act right before or behind a line that is sent, as another thread does, and spoil
/// it.
class SpoiledLink final : public Link {
 public:
  using Before = std::function<void(Bytes&)>;
  SpoiledLink(std::unique_ptr<Link> link, Before before, std::function<void()> behind)
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

class ZaberStop : public testing::Test, protected ZaberWorld {
 protected:
  void SetUp() override {
    connector_ = [this](std::string_view url, Timeout) -> Result<std::unique_ptr<Link>> {
      auto link = world_.open(url);
      if (!link) return fail(link.error());
      return std::make_unique<SpoiledLink>(
          std::move(*link),
          [this](Bytes& bytes) {
            const std::string text(bytes.begin(), bytes.end());
            if (before_ && text.find(before_at_) != text.npos)
              std::exchange(before_, nullptr)(bytes);
          },
          [this] {
            if (behind_) std::exchange(behind_, nullptr)();
          });
    };
    ASSERT_NO_FATAL_FAILURE(open_and_home());
  }
  void go_down(double speed_m_per_s = 2e-3) {
    ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
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

  std::string before_at_;
  std::function<void(Bytes&)> before_;
  std::function<void()> behind_;
};

/// v^2/2a, and at most 4 ms until the controller acts: two lines at 115200 baud, and its own turn.
TEST_F(ZaberStop, BrakesWithinMilliseconds) {
  for (const double speed_m_per_s : {0.1e-3, 2e-3, 10e-3}) {
    ASSERT_NO_FATAL_FAILURE(go_down(speed_m_per_s));
    ASSERT_TRUE(stage().hold_now());
    const double braking_mm = m_to_mm(speed_m_per_s * speed_m_per_s / (2 * 0.1));
    const double on = on_mm(2);
    EXPECT_LT(on, braking_mm * 1.01 + m_to_mm(speed_m_per_s) * 4e-3 + 1e-3);
    EXPECT_GT(on, braking_mm * 0.9);
    ASSERT_TRUE(stage().stop());
    EXPECT_TRUE(stage().position_trusted());
    stage().unlock();
  }
}

TEST_F(ZaberStop, KeepsThePositionRaisesTheToolAndLocks) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  const auto stopped = stage().stop();
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
  EXPECT_THAT(stage().jog({0, 0, -1e-3}, 1e-3).error().message, HasSubstr("locked"));
  stage().unlock();
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 38e-3}));
  EXPECT_NEAR(true_z_mm(), 38, 1e-6);
}

TEST_F(ZaberStop, AboveTheSafeHeightStaysWhereItIs) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 38e-3}));
  ASSERT_TRUE(stage().stop());
  EXPECT_NEAR(true_z_mm(), 38, 1e-6);
}

TEST_F(ZaberStop, AnAbortIsDeadCostsThePositionAndRaises) {
  ASSERT_NO_FATAL_FAILURE(go_down(10e-3));
  const double told_mm = true_z_mm();
  double lowest_mm = told_mm;
  stage().on_report([&](const StageSample&) { lowest_mm = std::min(lowest_mm, true_z_mm()); });
  const auto aborted = stage().abort();
  ASSERT_TRUE(aborted) << aborted.error().message;
  EXPECT_LT(told_mm - lowest_mm, 0.06);  // braking would be 0.5 mm
  EXPECT_NEAR(true_z_mm(), lowest_mm + 5, 1e-3);
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_EQ(stage().position_doubt(), "it was stopped dead");
  stage().unlock();
  EXPECT_THAT(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3).error().message, HasSubstr("home it"));
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_TRUE(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3));
}

/// By whoever watches the stop, while the stage's own thread is stopping it.
TEST_F(ZaberStop, AResetCostsThePositionWhoeverSentIt) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  ASSERT_TRUE(stage().hold_now());
  ASSERT_TRUE(stage().reset_now());
  ASSERT_TRUE(stage().stop());
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_EQ(stage().position_doubt(), "it was stopped dead");
}

TEST_F(ZaberStop, AtItsTopRaisesNoFurther) {
  ASSERT_TRUE(stage().abort());
  EXPECT_DOUBLE_EQ(true_z_mm(), 40);
}

TEST_F(ZaberStop, ShowsRestTwiceBeforeItRaises) {
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
  EXPECT_NEAR(told.back().position_m[2], 36e-3, 1e-9);
}

TEST_F(ZaberStop, BeforeALineKeepsItFromBeingSent) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  ASSERT_TRUE(stage().hold_now());
  EXPECT_FALSE(stage().move_to({1e-3, 1e-3, 2e-3}, 2e-3));
  EXPECT_FALSE(stage().jog({0, 0, -1e-3}, 2e-3));
  EXPECT_LT(on_mm(5), 0.04);
  ASSERT_TRUE(stage().stop());
  EXPECT_LT(on_mm(5), 1e-9);
}

TEST_F(ZaberStop, ForgetsWaysThatWait) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3));
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, 1e-3));
  ASSERT_TRUE(poll_for(0.5));
  ASSERT_TRUE(stage().stop_jog());
  ASSERT_TRUE(poll_for(5));
  EXPECT_GT(true_z_mm(), 38.2);
}

TEST_F(ZaberStop, LeavesNothingThatWouldBeginWhenItIsOver) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 38e-3}, 1e-3));
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, 2e-3));
  ASSERT_TRUE(poll_for(0.5));
  ASSERT_TRUE(stage().hold_now());
  (void)poll_for(0.5);
  stage().unlock();
  ASSERT_TRUE(poll_for(5));
  EXPECT_GT(true_z_mm(), 38.2);
}

/// Right behind an order, before its answer: the controller takes them in that order.
TEST_F(ZaberStop, BehindAnOrderEndsIt) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
  before_at_ = "move abs";
  before_ = [this](Bytes&) { behind_ = [this] { EXPECT_TRUE(stage().hold_now()); }; };
  EXPECT_FALSE(stage().move_to({1e-3, 1e-3, 5e-3}, 2e-3));
  EXPECT_LT(on_mm(3), 0.05);
  ASSERT_TRUE(stage().stop());
}

/// Between two orders of one way: the second is not sent.
TEST_F(ZaberStop, BetweenTwoOrdersOfAWayKeepsTheSecondBack) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
  before_at_ = "/1 2 ";
  const auto is_second = [](const std::string& text) { return text.starts_with("move abs"); };
  const auto moves = [&] {
    return std::count_if(axes().done().begin(), axes().done().end(), is_second);
  };
  const auto before = moves();
  before_ = [this](Bytes& bytes) {
    EXPECT_TRUE(stage().hold_now());
    bytes.clear();  // as if the line had waited for the stop
  };
  EXPECT_FALSE(stage().move_to({5e-3, 5e-3, 39e-3}, 2e-3));
  (void)poll_for(1);
  EXPECT_EQ(moves(), before + 1);
  EXPECT_FALSE(axes().moving());
}

/// A device that finds a damaged line says nothing: the second of the two is still there.
TEST_F(ZaberStop, IsHeardThoughItsLineWasDamaged) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  before_at_ = "stop";
  before_ = [](Bytes& bytes) { bytes[6] ^= 0x10; };
  ASSERT_TRUE(stage().hold_now());
  EXPECT_LT(on_mm(2), 0.04);
}

/// And where both are gone it is sent again, until it is answered.
TEST_F(ZaberStop, IsRepeatedUntilItIsAnswered) {
  ASSERT_NO_FATAL_FAILURE(go_down());
  before_at_ = "stop";
  before_ = [](Bytes& bytes) { bytes.clear(); };
  ASSERT_TRUE(stage().hold_now());
  const double told_mm = true_z_mm();
  ASSERT_TRUE(stage().stop());
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
  EXPECT_GT(told_mm, 34);
  const auto stops = std::count(axes().done().begin(), axes().done().end(), "stop");
  EXPECT_GE(stops, 1);
  ASSERT_TRUE(poll_for(1));  // and not any more
  EXPECT_EQ(std::count(axes().done().begin(), axes().done().end(), "stop"), stops);
}

TEST_F(ZaberStop, InHomingEndsIt) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 20e-3}));
  stage().on_report([this](const StageSample& sample) {
    if (sample.position_m[2] > 25e-3) (void)stage().hold_now();
  });
  const auto homed = stage().home();
  ASSERT_FALSE(homed);
  EXPECT_THAT(homed.error().message, HasSubstr("told to stop"));
  stage().on_report({});
  EXPECT_FALSE(stage().position_trusted());
  ASSERT_TRUE(stage().stop());
  EXPECT_FALSE(axes().moving());
  EXPECT_LT(true_z_mm(), 32);  // not at its switch
  stage().unlock();
  ASSERT_NO_FATAL_FAILURE(home());
}

/// The stop is out before the stall is told, and stops the other axes too.
TEST_F(ZaberStop, GoesOutBeforeTroubleIsTold) {
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 39e-3}));
  ASSERT_TRUE(stage().move_to({40e-3, 1e-3, 30e-3}, 5e-3));
  ASSERT_TRUE(poll_for(1));
  inject({FaultKind::kAlarm});
  const auto ended = poll_for(1);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("stalled, and stopped (FS)"));
  world_.wait_until(world_.now_ns() + 500'000'000);
  EXPECT_FALSE(axes().moving());  // x would have gone on for 6 s
}

}  // namespace
}  // namespace tactelier::devices
