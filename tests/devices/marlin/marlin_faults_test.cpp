// Every kind of fault that the emulated printer knows, and the state that it leads to.
#include <gmock/gmock.h>

#include "tests/devices/support/marlin_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class MarlinFaults : public testing::Test, protected MarlinWorld {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(open_and_home()); }
  /// A minute of trying: what homing leads to, once it is possible again.
  void expect_usable_after_homing() {
    ASSERT_NO_FATAL_FAILURE(home());
    EXPECT_TRUE(stage().position_trusted());
    ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 37e-3}, 2e-3));
    ASSERT_TRUE(stage().wait_until_idle(Timeout(10'000)));
    EXPECT_NEAR(true_z_mm(), 37, 1e-6);
  }
};

/// An "ok" or a report that never came: the next numbered line proves that the one before was
/// taken.
TEST_F(MarlinFaults, DropCostsNothingButTime) {
  for (int i = 0; i < 12; ++i) {
    inject({FaultKind::kDrop, 0.05 * i, 1});
    const auto polled = poll_for(0.7);
    EXPECT_TRUE(polled) << polled.error().message;
  }
  inject({FaultKind::kDrop, 0, 1});
  const auto moved = stage().move_to({1e-3, 1e-3, 36e-3}, 2e-3);
  ASSERT_TRUE(moved) << moved.error().message;
  inject({FaultKind::kDrop, 0.5, 2});
  ASSERT_TRUE(stage().wait_until_idle(Timeout(10'000)));
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
}

TEST_F(MarlinFaults, LateAnswersMakeItSilentUntilTheyAreHeardAndItIsHomed) {
  inject({FaultKind::kLate, 0, 1, 0, 2.2});
  const auto polled = poll_for(2);
  ASSERT_FALSE(polled);
  EXPECT_EQ(polled.error().code, ErrorCode::kTimeout);
  EXPECT_FALSE(stage().position_trusted());
  while (stage().silent()) (void)poll_for(0.5);
  EXPECT_FALSE(stage().position_trusted());
  expect_usable_after_homing();
}

TEST_F(MarlinFaults, RepeatedAnswersPassForNoOthers) {
  inject({FaultKind::kRepeat, 0, 40});
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 36e-3}, 2e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(10'000)));
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
  inject({FaultKind::kRepeat, 0, 1000});
  const auto begun_ns = world_.now_ns();
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_GT(world_.now_ns() - begun_ns, 4'000'000'000);
  EXPECT_NEAR(true_z_mm(), 39 - 1 / kStepsPerMm, 1e-9);
}

TEST_F(MarlinFaults, CorruptReportsAreCountedAndAskedForAgain) {
  inject({FaultKind::kCorrupt, 0.3, 3});
  const auto polled = poll_for(4);
  EXPECT_TRUE(polled) << polled.error().message;
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_GE(samples_.size(), 20U);
  for (const auto& sample : samples_) EXPECT_NEAR(sample.position_m[2], 38.9975e-3, 1e-9);
}

TEST_F(MarlinFaults, FreezeIsSilenceUntilItIsHeardAndHomed) {
  inject({FaultKind::kFreeze, 0.3, 1, 4});
  const auto ended = poll_for(3);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(ended.error().message, HasSubstr("nothing for 1 s"));
  for (int i = 0; i < 5; ++i) {  // a state, not an event that a caller could miss
    EXPECT_FALSE(poll_for(0.05));
    EXPECT_TRUE(stage().silent());
    EXPECT_FALSE(stage().position_trusted());
  }
  while (stage().silent()) (void)poll_for(0.5);
  EXPECT_TRUE(poll_for(1));
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_FALSE(samples_.back().trusted);
  expect_usable_after_homing();
}

/// In the middle of a way: what is planned is gone, and no more.
TEST_F(MarlinFaults, FreezeUnderWayEndsTheWay) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 10e-3}, 2e-3));
  ASSERT_TRUE(poll_for(2));
  const double frozen_mm = true_z_mm();
  inject({FaultKind::kFreeze, 0, 1, 60});
  ASSERT_FALSE(poll_for(3));
  EXPECT_LT(frozen_mm - true_z_mm(), 0.5);
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(MarlinFaults, SaturateIsNoFaultOfAStage) {
  inject({FaultKind::kSaturate});
  EXPECT_TRUE(poll_for(1));
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(MarlinFaults, AlarmIsALimitSwitchThatEndsTheWayAndTheTrust) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 10e-3}, 5e-3));
  inject({FaultKind::kAlarm, 0.5});
  const auto ended = poll_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(ended.error().message, HasSubstr("limit switch was hit"));
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_THAT(stage().position_doubt(), HasSubstr("limit switch"));
  const double stood_mm = true_z_mm();
  EXPECT_TRUE(poll_for(3));
  EXPECT_EQ(true_z_mm(), stood_mm);
  expect_usable_after_homing();
}

TEST_F(MarlinFaults, ResetIsARestartByItself) {
  inject({FaultKind::kReset, 0.3});
  const auto ended = poll_for(5);
  ASSERT_FALSE(ended);
  EXPECT_FALSE(stage().position_trusted());
  for (int i = 0; i < 20 && stage().silent(); ++i) (void)poll_for(0.5);
  (void)poll_for(0.5);
  EXPECT_FALSE(stage().position_trusted());
  ASSERT_NO_FATAL_FAILURE(expect_usable_after_homing());
  EXPECT_EQ(printer().motors_off_s(), 0);  // told again
}

TEST_F(MarlinFaults, HangUpIsABrokenConnection) {
  inject({FaultKind::kHangUp, 0.3});
  const auto ended = poll_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
  EXPECT_THAT(stage().position_doubt(), HasSubstr("connection"));
}

TEST_F(MarlinFaults, SlowAnswersMakeWaysSlowAndNothingElse) {
  for (const double delay_s : {0.1, 0.3}) {
    inject({FaultKind::kSlow, 0, 1, 0, delay_s});
    ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 36e-3 + delay_s * 1e-3}, 2e-3));
    ASSERT_TRUE(stage().wait_until_idle(Timeout(60'000)));
    EXPECT_NEAR(true_z_mm(), 36 + delay_s, 1e-6);
    samples_.clear();
    ASSERT_TRUE(poll_for(3));
    EXPECT_GT(samples_.size(), 4U);
    EXPECT_TRUE(stage().position_trusted());
    printer().mend();
  }
}

/// Steps that a motor lost show nowhere on the wire: docs/safety.md.
TEST_F(MarlinFaults, WrongDataIsLostStepsThatNobodySeesUntilHoming) {
  inject({FaultKind::kWrongData});
  ASSERT_TRUE(poll_for(1));
  EXPECT_NEAR(true_z_mm(), 38.9975 + 0.1, 1e-9);
  EXPECT_NEAR(samples_.back().position_m[2], 38.9975e-3, 1e-9);
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_NEAR(true_z_mm(), 38.9975, 1e-9);
}

/// It hears no M410: it goes to the end of what is planned, and no further.
TEST_F(MarlinFaults, DeafStandsAfterWhatIsPlanned) {
  inject({FaultKind::kDeaf});
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 10e-3}, 2e-3));
  ASSERT_TRUE(poll_for(5));
  const double told_mm = true_z_mm();
  const auto aborted = stage().abort();
  ASSERT_TRUE(aborted) << aborted.error().message;
  EXPECT_GT(true_z_mm(), told_mm + 5 - 0.4);
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_FALSE(stage().move_to({1e-3, 1e-3, 37e-3}, 2e-3));
  ASSERT_NO_FATAL_FAILURE(home());
}

TEST(MarlinSwitch, MissingHaltsThePrinter) {
  class World : public MarlinWorld {
   public:
    void run() {
      board_.switch_missing = true;
      ASSERT_NO_FATAL_FAILURE(open());
      const auto homed = stage().home();
      ASSERT_FALSE(homed);
      EXPECT_EQ(homed.error().code, ErrorCode::kDeviceFault);
      EXPECT_THAT(homed.error().message, HasSubstr("reset button"));
      EXPECT_THAT(stage().position_doubt(), HasSubstr("has halted"));
      EXPECT_FALSE(poll_for(0.2));
      EXPECT_TRUE(stage().silent());  // so that acknowledging opens it anew
      EXPECT_THAT(stage().home().error().message, HasSubstr("halted"));
      EXPECT_THAT(stage().abort().error().message, HasSubstr("halted"));
    }
  } world;
  world.run();
}

TEST(MarlinNobody, AnswersAtThisPort) {
  class World : public MarlinWorld {
   public:
    void run() {
      power_up();
      inject({FaultKind::kFreeze});
      const auto opened = MarlinStage::open(options_, world_.connector());
      ASSERT_FALSE(opened);
      EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
      EXPECT_THAT(opened.error().message, HasSubstr("nothing answers at pty:marlin"));
    }
  } world;
  world.run();
}

}  // namespace
}  // namespace tactelier::devices
