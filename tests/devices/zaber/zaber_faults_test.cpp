// Every kind of fault that the emulated Zaber axes know, and the state that it leads to.
#include <gmock/gmock.h>

#include "tests/devices/support/zaber_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class ZaberFaults : public testing::Test, protected ZaberWorld {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(open_and_home()); }
  void expect_usable_after_homing() {
    ASSERT_NO_FATAL_FAILURE(home());
    EXPECT_TRUE(stage().position_trusted());
    ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 37e-3}, 2e-3));
    EXPECT_NEAR(true_z_mm(), 37, 1e-6);
  }
};

TEST_F(ZaberFaults, DropCostsNothingButTime) {
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
  EXPECT_GT(stage().repeated(), 10);
}

TEST_F(ZaberFaults, LateAnswersMakeItSilentUntilTheyAreHeardAndItIsHomed) {
  inject({FaultKind::kLate, 0, 1, 0, 2.2});
  const auto polled = poll_for(2);
  ASSERT_FALSE(polled);
  EXPECT_EQ(polled.error().code, ErrorCode::kTimeout);
  EXPECT_FALSE(stage().position_trusted());
  while (stage().silent()) (void)poll_for(0.5);
  EXPECT_FALSE(stage().position_trusted());
  expect_usable_after_homing();
}

/// An answer that comes behind the next question is nobody's.
TEST_F(ZaberFaults, LateAnswersPassForNoOthers) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 30e-3}, 5e-3));
  inject({FaultKind::kLate, 0.2, 1, 0, 0.3});
  samples_.clear();
  ASSERT_TRUE(poll_for(1.5));
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    EXPECT_GT(samples_[i].host_time_ns, samples_[i - 1].host_time_ns);
    EXPECT_LE(samples_[i].position_m[2], samples_[i - 1].position_m[2]);
  }
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(ZaberFaults, RepeatedAnswersPassForNoOthers) {
  inject({FaultKind::kRepeat, 0, 1000});
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 36e-3}, 2e-3));
  EXPECT_NEAR(true_z_mm(), 36, 1e-6);
  EXPECT_GT(stage().strays(), 20);
  const auto begun_ns = world_.now_ns();
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_GT(world_.now_ns() - begun_ns, 800'000'000);
  EXPECT_DOUBLE_EQ(true_z_mm(), 40);
}

TEST_F(ZaberFaults, CorruptReportsAreCountedAndAskedForAgain) {
  inject({FaultKind::kCorrupt, 0.3, 3});
  const auto polled = poll_for(4);
  EXPECT_TRUE(polled) << polled.error().message;
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_EQ(stage().malformed(), 3);
  EXPECT_GE(samples_.size(), 20U);
  for (const auto& sample : samples_) EXPECT_EQ(sample.position_m[2], 40e-3);
}

/// Somebody else has turned them off: what comes then could be anything.
TEST_F(ZaberFaults, AnswersWithoutChecksumAreNotBelieved) {
  auto link = world_.open("pty:zaber");
  ASSERT_TRUE((*link)->send(view_of("/set comm.checksum 0\n"), Timeout(100)));
  const auto ended = poll_for(3);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_GT(stage().malformed(), 3);
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(ZaberFaults, FreezeIsSilenceUntilItIsHeardAndHomed) {
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

/// The answer is there, and nobody has read it.
TEST_F(ZaberFaults, AThreadThatWasHeldUpIsNoSilence) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 36e-3}, 2e-3));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(poll_for(0.026));
    world_.wait_until(world_.now_ns() + 1'500'000'000);
  }
  EXPECT_TRUE(poll_for(0.5));
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(ZaberFaults, SaturateIsNoFaultOfAStage) {
  inject({FaultKind::kSaturate});
  EXPECT_TRUE(poll_for(1));
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(ZaberFaults, AlarmIsAStallThatEndsTheWayAndTheTrust) {
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 10e-3}, 5e-3));
  inject({FaultKind::kAlarm, 2});
  const auto ended = poll_for(3);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(ended.error().message, HasSubstr("(FS)"));
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_THAT(stage().position_doubt(), HasSubstr("stalled"));
  const double stood_mm = true_z_mm();
  EXPECT_TRUE(poll_for(3));  // told once, though the flag is still there
  EXPECT_EQ(true_z_mm(), stood_mm);
  // Where it stalled the tip may press on something: up, by a few millimetres.
  ASSERT_TRUE(stage().stop());
  EXPECT_NEAR(true_z_mm(), stood_mm + 5, 1e-3);
  expect_usable_after_homing();
}

TEST_F(ZaberFaults, EachFlagOfTroubleEndsTheTrust) {
  for (const auto* flag : {"FD", "FQ", "FE", "WL", "WV", "WM", "NC"}) {
    axes().set_flag(2, flag, true);
    const auto ended = poll_for(0.5);
    ASSERT_FALSE(ended) << flag;
    EXPECT_EQ(ended.error().code, ErrorCode::kDeviceFault);
    EXPECT_THAT(ended.error().message, HasSubstr(fmt::format("({})", flag)));
    EXPECT_FALSE(stage().position_trusted());
    axes().set_flag(2, flag, false);
    ASSERT_NO_FATAL_FAILURE(home());
  }
}

/// What homing doesn't clear it says, and trusts nothing.
TEST_F(ZaberFaults, HomingEndsWhereTroubleStays) {
  axes().set_flag(1, "WV", true);
  EXPECT_FALSE(poll_for(0.5));
  const auto homed = stage().home();
  ASSERT_FALSE(homed);
  EXPECT_THAT(homed.error().message, HasSubstr("supply voltage"));
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(ZaberFaults, HomingThatLeavesAnAxisWithoutReferenceHasFailed) {
  stage().on_report([this](const StageSample&) { axes().set_flag(0, "WR", true); });
  const auto homed = stage().home();
  ASSERT_FALSE(homed);
  EXPECT_THAT(homed.error().message, HasSubstr("X after homing: it has no reference"));
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(ZaberFaults, ResetIsALostReference) {
  inject({FaultKind::kReset, 0.3});
  const auto ended = poll_for(5);
  ASSERT_FALSE(ended);
  EXPECT_FALSE(stage().position_trusted());
  for (int i = 0; i < 20 && stage().silent(); ++i) (void)poll_for(0.5);
  (void)poll_for(0.5);
  EXPECT_FALSE(stage().position_trusted());
  expect_usable_after_homing();
}

/// Even one so short that no answer is missed.
TEST_F(ZaberFaults, AReferenceThatIsGoneIsSeenByItsFlag) {
  axes().set_flag(0, "WR", true);
  const auto ended = poll_for(1);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("device 1 axis 1 has lost its reference (WR)"));
  EXPECT_FALSE(stage().position_trusted());
}

/// Somebody has drawn in the travel meanwhile: x, which was sent first, doesn't go on alone.
TEST_F(ZaberFaults, ARefusedOrderEndsTheWayAndSaysWhy) {
  auto link = world_.open("pty:zaber");
  ASSERT_TRUE((*link)->send(view_of("/1 3 set limit.max 1000\n"), Timeout(100)));
  world_.wait_until(world_.now_ns() + 100'000'000);
  const auto sent = stage().move_to({40e-3, 0, 30e-3}, 5e-3);
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(sent.error().message, HasSubstr("axis 3 refuses 'move abs 80000"));
  EXPECT_THAT(sent.error().message, HasSubstr("a value out of range (BADDATA)"));
  ASSERT_TRUE(poll_for(1));
  EXPECT_FALSE(axes().moving());
  EXPECT_LT(axes().true_position_mm()[0], 1);
  EXPECT_TRUE(stage().position_trusted());
  ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 0, 40e-3}));
}

TEST_F(ZaberFaults, HangUpIsABrokenConnection) {
  inject({FaultKind::kHangUp, 0.3});
  const auto ended = poll_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
  EXPECT_THAT(stage().position_doubt(), HasSubstr("connection"));
}

TEST_F(ZaberFaults, SlowAnswersMakeWaysSlowAndNothingElse) {
  for (const double delay_s : {0.1, 0.3}) {
    inject({FaultKind::kSlow, 0, 1, 0, delay_s});
    ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 36e-3 + delay_s * 1e-3}, 2e-3));
    EXPECT_NEAR(true_z_mm(), 36 + delay_s, 1e-6);
    samples_.clear();
    ASSERT_TRUE(poll_for(3));
    EXPECT_GT(samples_.size(), 4U);
    EXPECT_TRUE(stage().position_trusted());
    axes().mend();
  }
}

/// Without an encoder, steps that a motor lost show nowhere on the wire: docs/safety.md.
TEST_F(ZaberFaults, WrongDataIsLostStepsThatNobodySeesUntilHoming) {
  inject({FaultKind::kWrongData});
  ASSERT_TRUE(poll_for(1));
  EXPECT_NEAR(true_z_mm(), 40 - 0.04, 1e-9);
  EXPECT_EQ(samples_.back().position_m[2], 40e-3);
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_DOUBLE_EQ(true_z_mm(), 40);
}

/// It heeds no "stop": "estop" is left, and the position is lost.
TEST_F(ZaberFaults, DeafIsStoppedDead) {
  inject({FaultKind::kDeaf});
  ASSERT_TRUE(stage().move_to({1e-3, 1e-3, 5e-3}, 2e-3));
  ASSERT_TRUE(poll_for(3));
  const double told_mm = true_z_mm();
  const auto stopped = stage().stop();
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_GT(true_z_mm(), told_mm + 5 - 2.5);  // a second of waiting at 2 mm/s, and up 5 mm
  EXPECT_FALSE(stage().position_trusted());
  EXPECT_FALSE(stage().move_to({1e-3, 1e-3, 37e-3}, 2e-3));
  axes().mend();
  ASSERT_NO_FATAL_FAILURE(home());
}

TEST(ZaberSwitch, MissingEndsHomingInTrouble) {
  class World : public ZaberWorld {
   public:
    void run() {
      board_.switch_missing = true;
      ASSERT_NO_FATAL_FAILURE(open());
      const auto homed = stage().home();
      ASSERT_FALSE(homed);
      EXPECT_EQ(homed.error().code, ErrorCode::kDeviceFault);
      EXPECT_THAT(homed.error().message, HasSubstr("(FE)"));
      EXPECT_FALSE(stage().position_trusted());
    }
  } world;
  world.run();
}

TEST(ZaberNobody, AnswersAtThisPort) {
  class World : public ZaberWorld {
   public:
    void run() {
      power_up();
      inject({FaultKind::kFreeze});
      const auto opened = try_to_open();
      ASSERT_FALSE(opened);
      EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
      EXPECT_THAT(opened.error().message, HasSubstr("device 1 doesn't answer"));
    }
  } world;
  world.run();
}

/// A fourth axis that nobody uses has no reference for ever; ours have.
TEST(ZaberForeignAxis, WithoutReferenceIsNoneOfOurBusiness) {
  class World : public ZaberWorld {
   public:
    void run() {
      board_.fourth_axis = true;
      ASSERT_NO_FATAL_FAILURE(open_and_home());
      ASSERT_TRUE(poll_for(1));
      ASSERT_NO_FATAL_FAILURE(go_to({1e-3, 1e-3, 37e-3}));
      EXPECT_TRUE(stage().position_trusted());
      axes().set_flag(1, "WR", true);  // seen all the same
      EXPECT_THAT(poll_for(1).error().message, HasSubstr("axis 2 has lost its reference"));
    }
  } world;
  world.run();
}

}  // namespace
}  // namespace tactelier::devices
