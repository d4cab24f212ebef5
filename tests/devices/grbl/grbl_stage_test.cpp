// The driver against the emulated controller, on simulated time and over a real pseudo-terminal.
#include "devices/grbl/grbl_stage.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// A stage as it should be set up: homing, fast ramps.
const std::map<int, double> kRig{{22, 1},    {110, 1500}, {111, 1500}, {112, 600},
                                 {120, 100}, {121, 100},  {122, 100},  {130, 50},
                                 {131, 50},  {132, 40},   {25, 600},   {24, 60}};

class GrblStageTest : public testing::Test {
 protected:
  void power_up(GrblDialect dialect = GrblDialect::kGrbl, std::map<int, double> more = {}) {
    more.insert(kRig.begin(), kRig.end());
    grbl_ = std::make_unique<GrblEmulator>(
        GrblBoard{dialect, 115200, std::move(more), {-7, -3, -12}}, world_.now_ns());
    world_.add("pty:grbl", *grbl_, false);
  }
  void open() {
    auto opened = GrblStage::open(options_, world_.connector());
    ASSERT_TRUE(opened) << opened.error().message;
    stage_ = std::move(*opened);
  }
  void open_and_home() {
    power_up();
    ASSERT_NO_FATAL_FAILURE(open());
    const auto homed = stage_->home();
    ASSERT_TRUE(homed) << homed.error().message;
  }
  Result<void> poll_for(double time_s) {
    return stage_->poll(samples_, Timeout(static_cast<int>(time_s * 1e3)));
  }
  void inject(Fault fault) { grbl_->inject(fault, world_.now_ns()); }
  double true_z_mm() { return grbl_->true_position_mm()[2]; }

  SimulatedWorld world_;
  GrblOptions options_{"pty:grbl", 10, true, -1e-3, 5e-3, 5e-3};
  std::unique_ptr<GrblEmulator> grbl_;
  std::unique_ptr<GrblStage> stage_;
  std::vector<StageSample> samples_;
};

TEST_F(GrblStageTest, SetsAStageUpForIndentation) {
  power_up();
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(grbl_->setting(1), 255);
  EXPECT_EQ(grbl_->setting(10), 3);
  EXPECT_EQ(grbl_->setting(20), 1);
  EXPECT_DOUBLE_EQ(stage_->travel().low_m[2], -0.04);
  EXPECT_DOUBLE_EQ(stage_->travel().most_speed_m_per_s[2], 0.01);
}

TEST_F(GrblStageTest, LeavesSettingsAloneWhenToldTo) {
  options_.write_settings = false;
  power_up();
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(grbl_->setting(1), 25);
}

TEST_F(GrblStageTest, OpensABoardThatWasRunningAlready) {
  power_up();
  world_.wait_until(world_.now_ns() + 60'000'000'000);
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_FALSE(stage_->position_trusted());
}

TEST_F(GrblStageTest, TrustsNoPositionBeforeHoming) {
  power_up();
  ASSERT_NO_FATAL_FAILURE(open());
  const auto moved = stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(moved.error().message, HasSubstr("home it first"));
  ASSERT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->position_trusted());
  EXPECT_NEAR(true_z_mm(), -1, 1e-9);
}

/// The firmware resets itself then: "restarted by itself (power dip, reset button?)" sent people to
/// the power supply while a switch was unplugged.
TEST_F(GrblStageTest, AFailedHomingIsTheCauseAndNotTheRestartThatFollows) {
  grbl_ = std::make_unique<GrblEmulator>(
      GrblBoard{GrblDialect::kGrbl, 115200, kRig, {-7, -3, -12}, true}, world_.now_ns());
  world_.add("pty:grbl", *grbl_, false);
  ASSERT_NO_FATAL_FAILURE(open());
  const auto homed = stage_->home();
  ASSERT_FALSE(homed);
  EXPECT_THAT(homed.error().message, HasSubstr("alarm 9"));
  const auto after = poll_for(1);
  EXPECT_TRUE(after) << after.error().message;
  EXPECT_EQ(stage_->position_doubt(), "homing failed");
}

/// grbl-sim says a thing only when it gets a byte, and any wire may lose an answer's begin.
TEST_F(GrblStageTest, AsksAgainEveryQuarterOfASecondWhileAnAnswerIsAwaited) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kFreeze});
  const auto asked = grbl_->asked();
  EXPECT_FALSE(stage_->move_to({-10e-3, -20e-3, -5e-3}, 5e-3));
  // The first after a quarter; after 1 s without a word to that it is given up.
  EXPECT_GE(grbl_->asked() - asked, 4);
  EXPECT_LE(grbl_->asked() - asked, 5);
}

TEST_F(GrblStageTest, MovesToPlacesOfTheMachinesFrame) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-10e-3, -20e-3, -5e-3}, 5e-3));
  ASSERT_TRUE(stage_->wait_until_idle(Timeout(60'000)));
  const auto at_mm = grbl_->true_position_mm();
  EXPECT_NEAR(at_mm[0], -10, 1e-6);
  EXPECT_NEAR(at_mm[1], -20, 1e-6);
  EXPECT_NEAR(at_mm[2], -5, 1e-6);
}

TEST_F(GrblStageTest, SendsNothingThatTheStageCantDo) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  const auto far = stage_->move_to({-1e-3, -1e-3, -41e-3}, 1e-3);
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(far.error().message, HasSubstr("Z -41.000 mm is outside"));
  const auto fast = stage_->move_to({-1e-3, -1e-3, -2e-3}, 11e-3);
  ASSERT_FALSE(fast);
  EXPECT_THAT(fast.error().message, HasSubstr("11 mm/s is outside"));
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-6));
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, NAN}, 1e-3));
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_NEAR(true_z_mm(), -1, 1e-9);
}

TEST_F(GrblStageTest, ReportsTenTimesASecondWithTheStampBetweenRequestAndReply) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -11e-3}, 2e-3));
  ASSERT_TRUE(poll_for(4));
  EXPECT_NEAR(static_cast<double>(samples_.size()), 40, 2);
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    EXPECT_GT(samples_[i].host_time_ns, samples_[i - 1].host_time_ns);
    EXPECT_TRUE(samples_[i].trusted);
  }
}

TEST_F(GrblStageTest, KnowsWhereItIsBetweenReports) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -11e-3}, 2e-3));
  ASSERT_TRUE(poll_for(2));  // the reports of two seconds tell when it began
  double worst_m = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(stage_->poll(samples_, Timeout(10)));
    const double z_m = stage_->position_at(world_.now_ns())[2];
    worst_m = std::max(worst_m, std::abs(z_m - true_z_mm() * 1e-3));
  }
  // Reports are 0.2 mm apart; their stamps are off by up to half an answer's delay of 25 ms.
  EXPECT_LT(worst_m, 25e-6);
}

TEST_F(GrblStageTest, AJogThatEndsWhileItIsCancelledLeavesTheStageIdle) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  // 10 um take 10 ms; 50 ms are prepared, so the cancel comes too late to shorten them.
  ASSERT_TRUE(stage_->jog({0, 0, -10e-6}, 2e-3));
  ASSERT_TRUE(stage_->stop_jog());
  EXPECT_EQ(stage_->state(), StageState::kIdle);
}

TEST_F(GrblStageTest, JogsUntilReleased) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->jog({0, 0, -20e-3}, 2e-3));
  ASSERT_TRUE(poll_for(1));
  ASSERT_TRUE(stage_->stop_jog());
  const double stopped_mm = true_z_mm();
  EXPECT_NEAR(stopped_mm, -3, 0.3);
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(true_z_mm(), stopped_mm);
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(GrblStageTest, StopsWithoutLosingThePositionThenRetractsAndLocks) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -30e-3}, 2e-3));
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -35e-3}, 2e-3));  // waits behind it
  ASSERT_TRUE(poll_for(2));
  const auto stopped = stage_->stop();
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_TRUE(stage_->position_trusted());
  EXPECT_NEAR(true_z_mm(), -1, 1e-6);
  const auto again = stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("locked"));
  stage_->unlock();
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3));
}

TEST_F(GrblStageTest, StopsAtRestAsWell) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -5e-3}, 5e-3));
  ASSERT_TRUE(stage_->wait_until_idle(Timeout(10'000)));
  ASSERT_TRUE(stage_->stop());
  EXPECT_NEAR(true_z_mm(), -1, 1e-6);
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(GrblStageTest, AbortsAtOnceAndRaisesTheTool) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -30e-3}, 5e-3));
  ASSERT_TRUE(poll_for(2));
  const double at_mm = true_z_mm();
  const auto aborted = stage_->abort();
  ASSERT_TRUE(aborted) << aborted.error().message;
  EXPECT_NEAR(true_z_mm(), at_mm + 5, 0.1);
  EXPECT_FALSE(stage_->position_trusted());
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3));
  ASSERT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3));
}

TEST_F(GrblStageTest, TrustsNothingAfterALimitSwitch) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -30e-3}, 5e-3));
  inject({FaultKind::kAlarm, 0.5});
  const auto ended = poll_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(ended.error().message, HasSubstr("alarm 1: hard limit switch"));
  EXPECT_FALSE(stage_->position_trusted());
  EXPECT_THAT(stage_->position_doubt(), HasSubstr("hard limit"));
  // The firmware heeds nothing but a reset now.
  const auto homed = stage_->home();
  ASSERT_TRUE(homed) << homed.error().message;
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(GrblStageTest, TrustsNothingAfterTheControllerRestarted) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kReset, 0.3});
  const auto ended = poll_for(5);
  ASSERT_FALSE(ended);
  EXPECT_FALSE(poll_for(2) && stage_->position_trusted());
  EXPECT_FALSE(stage_->position_trusted());
}

TEST_F(GrblStageTest, TrustsNothingAfterAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kHangUp, 0.3});
  const auto ended = poll_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
  EXPECT_THAT(stage_->position_doubt(), HasSubstr("connection"));
}

TEST_F(GrblStageTest, IsSilentAndTrustsNothingUntilItIsHeardAndHomed) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kFreeze, 0.3, 1, 4});
  const auto ended = poll_for(3);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(ended.error().message, HasSubstr("nothing for 1 s"));
  for (int i = 0; i < 5; ++i) {  // a state, not an event that a caller could miss
    EXPECT_FALSE(poll_for(0.05));
    EXPECT_TRUE(stage_->silent());
    EXPECT_FALSE(stage_->position_trusted());
  }
  while (stage_->silent()) (void)poll_for(0.5);
  EXPECT_TRUE(poll_for(1));
  EXPECT_FALSE(stage_->position_trusted());
  EXPECT_FALSE(samples_.back().trusted);
  ASSERT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(GrblStageTest, TrustsNothingAfterALineWithoutAnAnswer) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kDrop});
  const auto moved = stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kTimeout);
  EXPECT_TRUE(stage_->silent());
  EXPECT_FALSE(stage_->position_trusted());
  EXPECT_THAT(stage_->position_doubt(), HasSubstr("no answer to 'G90"));
  EXPECT_TRUE(poll_for(0.5));
  EXPECT_FALSE(stage_->silent());
  ASSERT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3));
}

TEST_F(GrblStageTest, TakesNoLateAnswerForHavingHomed) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kLate, 0, 1, 0, 2.2});
  ASSERT_FALSE(stage_->move_to({-1e-3, -1e-3, -20e-3}, 1e-3));
  const auto begun_ns = world_.now_ns();
  ASSERT_TRUE(stage_->home());
  EXPECT_GT(world_.now_ns() - begun_ns, 1'000'000'000);
  EXPECT_NEAR(true_z_mm(), -1, 1e-9);
}

TEST_F(GrblStageTest, CountsDamagedReportsAndGoesOn) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kCorrupt, 0.3, 2});
  inject({FaultKind::kDrop, 1.5, 2});
  const auto polled = poll_for(4);
  EXPECT_TRUE(polled) << polled.error().message;
  EXPECT_EQ(stage_->malformed(), 2);
  EXPECT_GE(samples_.size(), 20U);
}

TEST_F(GrblStageTest, BearsRepeatedAndSlowAnswers) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  inject({FaultKind::kRepeat, 0, 5});
  inject({FaultKind::kSlow, 1, 1, 0, 0.2});
  EXPECT_TRUE(poll_for(3));
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 1e-3));
}

TEST_F(GrblStageTest, RefusesToHomeDownwardsOrWithoutSwitches) {
  power_up(GrblDialect::kGrbl, {{23, 4}});
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage_->home().error().message, HasSubstr("downwards"));
}

TEST_F(GrblStageTest, SaysThatHomingIsSwitchedOff) {
  power_up(GrblDialect::kGrbl, {{22, 0}});
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage_->home().error().message, HasSubstr("$22=1"));
}

TEST_F(GrblStageTest, RefusesAMachineSetToInches) {
  power_up(GrblDialect::kGrbl, {{13, 1}});
  const auto opened = GrblStage::open(options_, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("$13=0"));
}

TEST_F(GrblStageTest, SpeaksWithGrblHalAndFluidNc) {
  for (const auto dialect : {GrblDialect::kGrblHal, GrblDialect::kFluidNc}) {
    power_up(dialect);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(stage_->dialect(), dialect);
    ASSERT_TRUE(stage_->home());
    ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -5e-3}, 5e-3));
    ASSERT_TRUE(stage_->wait_until_idle(Timeout(10'000)));
    EXPECT_NEAR(true_z_mm(), -5, 1e-6);
    EXPECT_EQ(stage_->malformed(), 0);
  }
}

TEST_F(GrblStageTest, SaysThatNoGrblAnswers) {
  power_up();
  inject({FaultKind::kFreeze});
  const auto opened = GrblStage::open(options_, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message,
              testing::AllOf(HasSubstr("nothing answers at pty:grbl"), HasSubstr("right port")));
}

TEST(GrblOverAPty, HomesMovesAndStops) {
  EmulatorHost host(20);  // twenty times faster than real
  GrblEmulator grbl(GrblBoard{GrblDialect::kGrbl, 115200, kRig, {-1, -1, -2}}, host.now_ns());
  const auto url = host.add_pty(grbl);
  ASSERT_TRUE(url) << url.error().message;
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto stage = GrblStage::open({*url, 10, true, -1e-3, 5e-3, 5e-3}, system_connector());
  ASSERT_TRUE(stage) << stage.error().message;
  const auto homed = (*stage)->home();
  ASSERT_TRUE(homed) << homed.error().message;
  ASSERT_TRUE((*stage)->move_to({-1e-3, -1e-3, -2e-3}, 5e-3));
  ASSERT_TRUE((*stage)->wait_until_idle(Timeout(10'000)));
  std::vector<StageSample> samples;
  ASSERT_TRUE((*stage)->poll(samples, Timeout(250)));
  ASSERT_FALSE(samples.empty());
  EXPECT_NEAR(samples.back().position_m[2], -2e-3, 1e-9);
  EXPECT_TRUE((*stage)->stop());
}

}  // namespace
}  // namespace tactelier::devices
