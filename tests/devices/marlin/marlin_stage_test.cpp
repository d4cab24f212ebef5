// The driver against the emulated printer, on simulated time and over a real pseudo-terminal.
#include "devices/marlin/marlin_stage.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "tests/devices/support/marlin_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class MarlinStageTest : public testing::Test, protected MarlinWorld {};

TEST_F(MarlinStageTest, TakesTravelAndSpeedsFromTheFirmware) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage().firmware(), HasSubstr("Marlin 2.1.2"));
  EXPECT_DOUBLE_EQ(stage().travel().high_m[2], 40e-3);
  EXPECT_DOUBLE_EQ(stage().travel().most_speed_m_per_s[2], 10e-3);
  EXPECT_DOUBLE_EQ(stage().travel().acceleration_m_per_s2[0], 0.1);
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(MarlinStageTest, KeepsTheMotorsPowered) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  EXPECT_EQ(printer().motors_off_s(), 0);
  const double z_mm = true_z_mm();
  ASSERT_TRUE(poll_for(300));
  EXPECT_EQ(true_z_mm(), z_mm);
}

TEST_F(MarlinStageTest, OpensABoardThatWasRunningAlready) {
  power_up();
  world_.wait_until(world_.now_ns() + 60'000'000'000);
  ASSERT_NO_FATAL_FAILURE(open());
}

TEST_F(MarlinStageTest, TrustsNoPositionBeforeHoming) {
  ASSERT_NO_FATAL_FAILURE(open());
  const auto moved = stage().move_to({10e-3, 10e-3, 30e-3}, 1e-3);
  ASSERT_FALSE(moved);
  EXPECT_THAT(moved.error().message, HasSubstr("home it first"));
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_TRUE(stage().position_trusted());
  // Off its switch by a millimetre and one step.
  EXPECT_NEAR(true_z_mm(), 39 - 1 / kStepsPerMm, 1e-9);
}

TEST_F(MarlinStageTest, MovesToPlacesOfTheMachinesFrame) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({10e-3, 20e-3, 35e-3}, 5e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(60'000)));
  const auto at_mm = printer().true_position_mm();
  EXPECT_NEAR(at_mm[0], 10, 1e-6);
  EXPECT_NEAR(at_mm[1], 20, 1e-6);
  EXPECT_NEAR(at_mm[2], 35, 1e-6);
}

TEST_F(MarlinStageTest, PutsItsZeroIntoTheRigsFrame) {
  options_.machine_zero_m = {-5e-3, 0, -50e-3};
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  EXPECT_NEAR(stage().travel().high_m[2], -10e-3, 1e-9);
  ASSERT_TRUE(stage().move_to({0, 1e-3, -20e-3}, 5e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(60'000)));
  EXPECT_NEAR(printer().true_position_mm()[0], 5, 1e-6);
  EXPECT_NEAR(true_z_mm(), 30, 1e-6);
}

TEST_F(MarlinStageTest, GoesASingleStep) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  const double z_mm = true_z_mm();
  ASSERT_TRUE(stage().jog({0, 0, -2.5e-6}, 0.1e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(2000)));
  EXPECT_NEAR(true_z_mm(), z_mm - 2.5e-3, 1e-9);
}

/// The firmware clips such a target to the end of the travel and says nothing.
TEST_F(MarlinStageTest, SendsNothingThatTheStageCantDo) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  const double z_mm = true_z_mm();
  EXPECT_THAT(stage().move_to({10e-3, 10e-3, 41e-3}, 1e-3).error().message,
              HasSubstr("Z 41.000 mm is outside"));
  EXPECT_THAT(stage().move_to({0, 0, 30e-3}, 11e-3).error().message,
              HasSubstr("11 mm/s is outside"));
  EXPECT_FALSE(stage().move_to({0, 0, 30e-3}, 1e-6));
  EXPECT_FALSE(stage().move_to({0, 0, NAN}, 1e-3));
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(true_z_mm(), z_mm);
}

TEST_F(MarlinStageTest, KeepsItsSpeedThoughTheWayIsSentInPieces) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({0, 0, 20e-3}, 4e-3));
  ASSERT_TRUE(poll_for(1));
  for (int i = 0; i < 20; ++i) {
    const double before_mm = true_z_mm();
    ASSERT_TRUE(poll_for(0.1));
    EXPECT_NEAR(before_mm - true_z_mm(), 0.4, 0.01);
  }
}

/// Stamps are those of the moment in which the steps were counted: 1 ms is 4 um here.
TEST_F(MarlinStageTest, TellsWhereItIsWhileItMoves) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  std::vector<std::pair<std::int64_t, double>> truth;
  ASSERT_TRUE(stage().move_to({0, 0, 20e-3}, 4e-3));
  samples_.clear();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(poll_for(0.001));
    truth.emplace_back(world_.now_ns(), true_z_mm());
  }
  ASSERT_GT(samples_.size(), 40U);
  double off_mm = 0;
  for (std::size_t i = 5; i < samples_.size(); ++i) {
    EXPECT_GT(samples_[i].host_time_ns, samples_[i - 1].host_time_ns);
    EXPECT_LT(samples_[i].host_time_ns - samples_[i - 1].host_time_ns, 100'000'000);
    const auto after = std::find_if(truth.begin(), truth.end(), [&](const auto& at) {
      return at.first >= samples_[i].host_time_ns;
    });
    if (after == truth.end()) break;
    EXPECT_NEAR(m_to_mm(samples_[i].position_m[2]), after->second, 0.015);
    off_mm +=
        (m_to_mm(samples_[i].position_m[2]) - after->second) / static_cast<double>(samples_.size());
    EXPECT_EQ(samples_[i].state, StageState::kRun);
    EXPECT_TRUE(samples_[i].trusted);
  }
  EXPECT_NEAR(off_mm, 0, 0.008);
}

TEST_F(MarlinStageTest, AnEndedJogKeepsThePositionAndGoesOnForLessThanItSays) {
  for (const double speed_m_per_s : {0.1e-3, 1e-3, 5e-3}) {
    ASSERT_NO_FATAL_FAILURE(open_and_home());
    ASSERT_TRUE(stage().jog({0, 0, -20e-3}, speed_m_per_s));
    ASSERT_TRUE(poll_for(1.5));
    const double told_mm = true_z_mm(), braking_s = stage().braking_s();
    const auto begun_ns = world_.now_ns();
    ASSERT_TRUE(stage().stop_jog());
    EXPECT_LT(static_cast<double>(world_.now_ns() - begun_ns) * 1e-9, braking_s + 0.2);
    const double on_mm = told_mm - true_z_mm();
    EXPECT_GT(on_mm, 0);
    EXPECT_LT(on_mm, m_to_mm(PlannedWays::run_on_m(speed_m_per_s, 0.1)) * 1.1);
    const double stood_mm = true_z_mm();
    world_.wait_until(world_.now_ns() + 1'000'000'000);
    EXPECT_EQ(true_z_mm(), stood_mm);
    EXPECT_TRUE(stage().position_trusted());
    EXPECT_EQ(stage().braking_s(), 0);
    ASSERT_TRUE(stage().jog({0, 0, 1e-3}, 1e-3));
    ASSERT_TRUE(stage().wait_until_idle(Timeout(5000)));
    EXPECT_NEAR(true_z_mm(), stood_mm + 1, 1e-6);
  }
}

/// Nobody is there to send the next piece: what docs/safety.md promises of a program that died.
TEST_F(MarlinStageTest, GoesNoFurtherThanWhatIsPlannedWhenNobodySendsAnyMore) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().jog({0, 0, -20e-3}, 2e-3));
  ASSERT_TRUE(poll_for(1.5));
  const double left_mm = true_z_mm();
  world_.wait_until(world_.now_ns() + 20'000'000'000);
  const double on_mm = left_mm - true_z_mm();
  EXPECT_LT(on_mm, m_to_mm(PlannedWays::run_on_m(2e-3, 0.1)) * 1.1);
  EXPECT_LT(on_mm, 0.4);
}

TEST_F(MarlinStageTest, GoesToAndFroWithoutStanding) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  const double z_mm = true_z_mm();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(stage().jog({0, 0, -1e-3}, 2e-3));
    ASSERT_TRUE(stage().jog({0, 0, 1e-3}, 2e-3));
  }
  const auto begun_ns = world_.now_ns();
  ASSERT_TRUE(stage().wait_until_idle(Timeout(20'000)));
  EXPECT_NEAR(true_z_mm(), z_mm, 1e-9);
  EXPECT_LT(static_cast<double>(world_.now_ns() - begun_ns) * 1e-9, 4.7);  // 8 x 0.52 s and a start
}

/// A move that waits for room would be carried out after a stop: of BLOCK_BUFFER_SIZE 8 seven
/// serve.
TEST_F(MarlinStageTest, NeverFillsThePlanner) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().jog({0, 0, -5e-3}, 5e-3));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(stage().jog({0, 0, -10e-6}, 5e-3));
  std::size_t most = 0;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(poll_for(0.001));
    most = std::max(most, printer().planned());
  }
  EXPECT_NEAR(true_z_mm(), 38.9975 - 6, 1e-6);
  EXPECT_GT(most, 2U);
  EXPECT_LT(most, 7U);
}

/// The printer rounds to its steps; the driver must know to which, or it never sees the end.
TEST_F(MarlinStageTest, KnowsTheEndOfAWayToTheStep) {
  board_.steps_per_mm = {93.17, 93.17, 1133.7};
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({25e-3, 25e-3, 20e-3}, 5e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(20'000)));
  for (int i = 0; i < 300; ++i) {
    const auto begun_ns = world_.now_ns();
    const double by_m = (i % 2 == 0 ? 1e-6 : -1e-6) * (i * 37 % 211 + 30);
    ASSERT_TRUE(stage().jog({by_m, 0, by_m / 3}, 2e-3));
    ASSERT_TRUE(stage().wait_until_idle(Timeout(20'000)));
    ASSERT_LT(world_.now_ns() - begun_ns, 500'000'000) << i;
  }
}

TEST_F(MarlinStageTest, RefusesToDriveWhatCantBeStopped) {
  board_.emergency_parser = false;
  power_up();
  const auto opened = MarlinStage::open(options_, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(opened.error().message,
              testing::AllOf(HasSubstr("EMERGENCY_PARSER"), HasSubstr("Configuration_adv.h")));
}

TEST_F(MarlinStageTest, RefusesMotorsThatAreNoAxes) {
  board_.corexy = true;
  power_up();
  const auto opened = MarlinStage::open(options_, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("CoreXY"));
}

TEST_F(MarlinStageTest, RefusesToHomeDownwards) {
  board_.homes_down = true;
  ASSERT_NO_FATAL_FAILURE(open());
  const double z_mm = true_z_mm();
  EXPECT_THAT(stage().home().error().message, HasSubstr("downwards, into the sensor"));
  EXPECT_EQ(true_z_mm(), z_mm);
}

TEST_F(MarlinStageTest, FindsOutThatAFirmwareTellsOnlyWhereItWasSent) {
  board_.realtime = false;
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage().home().error().message, HasSubstr("M114_REALTIME"));
  EXPECT_FALSE(stage().position_trusted());
}

TEST_F(MarlinStageTest, FindsOutThatAFirmwareDropsSingleSteps) {
  board_.least_steps = 6;  // Configuration_adv.h as it is delivered
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage().home().error().message, HasSubstr("MIN_STEPS_PER_SEGMENT 1"));
  EXPECT_FALSE(stage().position_trusted());
}

TEST(MarlinOverAPty, HomesMovesAndStops) {
  EmulatorHost host(20);  // twenty times faster than real
  MarlinEmulator printer(MarlinWorld::usual_board(), host.now_ns());
  const auto url = host.add_pty(printer);
  ASSERT_TRUE(url) << url.error().message;
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  MarlinOptions options;
  options.url = *url;
  options.timeout_scale = 20;
  auto stage = MarlinStage::open(options, system_connector());
  ASSERT_TRUE(stage) << stage.error().message;
  const auto homed = (*stage)->home();
  ASSERT_TRUE(homed) << homed.error().message;
  ASSERT_TRUE((*stage)->move_to({1e-3, 1e-3, 35e-3}, 5e-3));
  ASSERT_TRUE((*stage)->wait_until_idle(Timeout(10'000)));
  std::vector<StageSample> samples;
  ASSERT_TRUE((*stage)->poll(samples, Timeout(250)));
  ASSERT_FALSE(samples.empty());
  EXPECT_NEAR(samples.back().position_m[2], 35e-3, 1e-9);
  EXPECT_TRUE((*stage)->stop());
  EXPECT_FALSE((*stage)->position_trusted());
}

}  // namespace
}  // namespace tactelier::devices
