// The driver against emulated Zaber axes, on simulated time and over a real pseudo-terminal.
#include "devices/zaber/zaber_stage.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "tests/devices/support/zaber_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class ZaberStageTest : public testing::Test, protected ZaberWorld {};

TEST_F(ZaberStageTest, TakesTravelAndSpeedsFromTheDevices) {
  ASSERT_NO_FATAL_FAILURE(open());
  ASSERT_EQ(stage().identities().size(), 1U);
  EXPECT_EQ(stage().identities()[0].firmware, "7.34");
  EXPECT_NEAR(stage().travel().low_m[2], 0, 1e-9);
  EXPECT_NEAR(stage().travel().high_m[2], 40e-3, 1e-9);
  EXPECT_NEAR(stage().travel().high_m[0], 50e-3, 1e-9);
  EXPECT_NEAR(stage().travel().most_speed_m_per_s[2], 10e-3, 1e-9);
  // The device keeps whole units of 10000/1.6384 microsteps/s^2: 131 for 0.1 m/s^2.
  EXPECT_NEAR(stage().travel().acceleration_m_per_s2[0], 0.1, 0.001);
  EXPECT_NEAR(stage().step_m()[2], 0.125e-6, 1e-15);
  EXPECT_FALSE(stage().position_trusted());
}

/// Checksums for whoever speaks next, and a hand at a knob moves nothing.
TEST_F(ZaberStageTest, TurnsChecksumsOnAndKnobsOff) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(axes().device_setting("comm.checksum"), "1");
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(axes().setting(axis, "knob.enable"), "0");
  EXPECT_EQ(axes().setting(2, "maxspeed"), "131072");  // ways carry their own
}

TEST_F(ZaberStageTest, WritesNothingWhenItIsOnlyToLook) {
  options_.write_settings = false;
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(axes().device_setting("comm.checksum"), "0");
  EXPECT_EQ(axes().setting(2, "knob.enable"), "1");
  for (const auto& command : axes().done()) EXPECT_THAT(command, testing::StartsWith("get "));
}

TEST_F(ZaberStageTest, TrustsNoPositionBeforeHoming) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage().move_to({10e-3, 10e-3, 30e-3}, 1e-3).error().message,
              HasSubstr("home it first"));
  ASSERT_NO_FATAL_FAILURE(home());
  EXPECT_TRUE(stage().position_trusted());
  EXPECT_DOUBLE_EQ(true_z_mm(), 40);
}

TEST_F(ZaberStageTest, HomesZBeforeTheOthers) {
  ASSERT_NO_FATAL_FAILURE(open());
  const double x_mm = axes().true_position_mm()[0];
  double z_when_x_moved = 0;
  stage().on_report([&](const StageSample& sample) {
    EXPECT_EQ(sample.state, sample.trusted ? StageState::kIdle : StageState::kHome);
    if (z_when_x_moved == 0 && axes().true_position_mm()[0] != x_mm) z_when_x_moved = true_z_mm();
  });
  const auto homed = stage().home();
  EXPECT_EQ(z_when_x_moved, 40);
  ASSERT_TRUE(homed) << homed.error().message;
}

TEST_F(ZaberStageTest, MovesToPlacesOfTheRigsFrame) {
  options_.machine_zero_m = {-25e-3, -25e-3, 40e-3};
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({-15e-3, -5e-3, 35e-3}));
  const auto at_mm = axes().true_position_mm();
  EXPECT_NEAR(at_mm[0], 10, 1e-6);
  EXPECT_NEAR(at_mm[1], 20, 1e-6);
  EXPECT_NEAR(at_mm[2], -5, 1e-6);
  EXPECT_NEAR(stage().travel().low_m[0], -25e-3, 1e-9);
}

TEST_F(ZaberStageTest, GoesASingleMicrostep) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
  ASSERT_TRUE(stage().jog({0, 0, -0.125e-6}, 0.1e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(2000)));
  EXPECT_NEAR(true_z_mm(), 39 - 0.125e-3, 1e-9);
}

TEST_F(ZaberStageTest, AnAxisWithATinyPartOfAWayIsNotLate) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
  // 1 um of z beside 20 mm of x in 8.8 s: 1.49 units of speed, of which 1 would take 13.1 s.
  const auto begun_ns = world_.now_ns();
  ASSERT_TRUE(stage().move_to({20e-3, 0, 39e-3 - 1e-6}, 20e-3 / 8.8));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(20'000)));
  EXPECT_LT(static_cast<double>(world_.now_ns() - begun_ns) * 1e-9, 9.2);
  EXPECT_NEAR(true_z_mm(), 39 - 1e-3, 1e-9);
}

TEST_F(ZaberStageTest, SmallJogsAddUpToTheirSum) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(stage().jog({0, 0, -0.4e-6}, 1e-3));  // 3.2 steps
  ASSERT_TRUE(stage().wait_until_idle(Timeout(20'000)));
  EXPECT_NEAR(true_z_mm(), 39 - 0.012, 0.07e-3);
}

TEST_F(ZaberStageTest, SendsNothingThatTheStageCantDo) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  const auto sent = axes().done().size();
  EXPECT_THAT(stage().move_to({10e-3, 10e-3, 41e-3}, 1e-3).error().message,
              HasSubstr("Z 41.000 mm is outside"));
  EXPECT_THAT(stage().move_to({0, 0, 30e-3}, 11e-3).error().message,
              HasSubstr("11 mm/s is outside"));
  EXPECT_FALSE(stage().move_to({0, 0, 30e-3}, 1e-9));
  EXPECT_FALSE(stage().move_to({0, 0, NAN}, 1e-3));
  EXPECT_EQ(axes().done().size(), sent);
}

TEST_F(ZaberStageTest, KeepsTheSpeedThatItWasAskedFor) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({0, 0, 20e-3}, 4e-3));
  ASSERT_TRUE(poll_for(1));
  for (int i = 0; i < 20; ++i) {
    const double before_mm = true_z_mm();
    const auto before_ns = world_.now_ns();
    ASSERT_TRUE(poll_for(0.1));
    const double time_s = static_cast<double>(world_.now_ns() - before_ns) * 1e-9;
    EXPECT_NEAR(before_mm - true_z_mm(), 4 * time_s, 0.003);
  }
}

/// The stamp is the middle of question and answer: 1 ms is 4 um here.
TEST_F(ZaberStageTest, TellsWhereItIsWhileItMoves) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  std::vector<std::pair<std::int64_t, double>> truth;
  ASSERT_TRUE(stage().move_to({0, 0, 20e-3}, 4e-3));
  samples_.clear();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(poll_for(0.001));
    truth.emplace_back(world_.now_ns(), true_z_mm());
  }
  ASSERT_GT(samples_.size(), 50U);
  for (std::size_t i = 5; i < samples_.size(); ++i) {
    EXPECT_GT(samples_[i].host_time_ns, samples_[i - 1].host_time_ns);
    EXPECT_LT(samples_[i].host_time_ns - samples_[i - 1].host_time_ns, 60'000'000);
    const auto after = std::find_if(truth.begin(), truth.end(), [&](const auto& at) {
      return at.first >= samples_[i].host_time_ns;
    });
    if (after == truth.end()) break;
    EXPECT_NEAR(m_to_mm(samples_[i].position_m[2]), after->second, 0.015);
    EXPECT_EQ(samples_[i].state, StageState::kRun);
    EXPECT_TRUE(samples_[i].trusted);
  }
}

/// The controller has no queue: a second move would replace the first.
TEST_F(ZaberStageTest, WaysThatWaitBeginWhenTheOneBeforeHasEnded) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({0, 0, 36e-3}, 5e-3));
  ASSERT_TRUE(stage().move_to({5e-3, 0, 36e-3}, 5e-3));
  ASSERT_TRUE(stage().jog({0, 0, 2e-3}, 1e-3));
  double lowest_mm = 40;
  bool sideways_above = false;
  for (int i = 0; i < 800; ++i) {
    ASSERT_TRUE(poll_for(0.01));
    lowest_mm = std::min(lowest_mm, true_z_mm());
    sideways_above |= axes().true_position_mm()[0] > 0 && lowest_mm > 36.0001;
  }
  EXPECT_FALSE(sideways_above);
  EXPECT_NEAR(lowest_mm, 36, 1e-6);
  EXPECT_NEAR(axes().true_position_mm()[0], 5, 1e-6);
  EXPECT_NEAR(true_z_mm(), 38, 1e-6);
  EXPECT_EQ(stage().state(), StageState::kIdle);
}

/// As a descent is extended while it is under way: the tip doesn't stop in between.
TEST_F(ZaberStageTest, AWayStraightOnGoesOnWithoutAStop) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
  ASSERT_TRUE(stage().jog({0, 0, -1e-3}, 1e-3));
  ASSERT_TRUE(poll_for(0.2));
  for (int i = 0; i < 30; ++i) {
    if (i % 5 == 0) {
      ASSERT_TRUE(stage().jog({0, 0, -0.5e-3}, 1e-3));
    }
    const double before_mm = true_z_mm();
    const auto before_ns = world_.now_ns();
    ASSERT_TRUE(poll_for(0.1));
    const double time_s = static_cast<double>(world_.now_ns() - before_ns) * 1e-9;
    EXPECT_NEAR(before_mm - true_z_mm(), time_s, 0.002);
  }
  ASSERT_TRUE(stage().wait_until_idle(Timeout(5000)));
  EXPECT_NEAR(true_z_mm(), 39 - 4, 1e-6);
}

/// At another speed, or back, it stands in between: it would be slower, or turn, too early.
TEST_F(ZaberStageTest, AWayAtAnotherSpeedWaits) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
  ASSERT_TRUE(stage().jog({0, 0, -1e-3}, 2e-3));
  ASSERT_TRUE(stage().jog({0, 0, -1e-3}, 0.5e-3));
  ASSERT_TRUE(stage().jog({0, 0, 1e-3}, 0.5e-3));
  ASSERT_TRUE(poll_for(0.3));
  EXPECT_NEAR(true_z_mm(), 39 - 0.58, 0.05);  // still fast
  double lowest_mm = 40;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(poll_for(0.01));
    lowest_mm = std::min(lowest_mm, true_z_mm());
  }
  EXPECT_NEAR(lowest_mm, 37, 1e-6);
  EXPECT_NEAR(true_z_mm(), 38, 1e-6);
}

/// Behind the first axis the second begins as late as one order and its answer take: 5 mm/s times
/// some milliseconds off the straight line, and none at the end.
TEST_F(ZaberStageTest, ASlantedWayIsNearlyStraight) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  ASSERT_TRUE(stage().move_to({20e-3, 10e-3, 40e-3}, 5e-3));
  double off_mm = 0, last_off_mm = 1;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(poll_for(0.01));
    const auto at_mm = axes().true_position_mm();
    last_off_mm = std::abs(at_mm[0] - 2 * at_mm[1]) / std::sqrt(5.0);
    off_mm = std::max(off_mm, last_off_mm);
  }
  EXPECT_EQ(stage().state(), StageState::kIdle);
  EXPECT_GT(off_mm, 0.005);
  EXPECT_LT(off_mm, 0.06);
  EXPECT_LT(last_off_mm, 0.001);
}

TEST_F(ZaberStageTest, AnEndedJogKeepsThePositionAndBrakes) {
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  for (const double speed_m_per_s : {0.1e-3, 1e-3, 5e-3}) {
    ASSERT_NO_FATAL_FAILURE(go_to({0, 0, 39e-3}));
    ASSERT_TRUE(stage().jog({0, 0, -20e-3}, speed_m_per_s));
    ASSERT_TRUE(poll_for(1.5));
    const double told_mm = true_z_mm(), braking_s = stage().braking_s();
    EXPECT_NEAR(braking_s, speed_m_per_s / 0.1, 1e-3);
    const auto begun_ns = world_.now_ns();
    ASSERT_TRUE(stage().stop_jog());
    EXPECT_LT(static_cast<double>(world_.now_ns() - begun_ns) * 1e-9, braking_s + 0.15);
    const double on_mm = told_mm - true_z_mm();
    EXPECT_LT(on_mm, m_to_mm(speed_m_per_s) * (braking_s / 2 + 8e-3));
    const double stood_mm = true_z_mm();
    world_.wait_until(world_.now_ns() + 1'000'000'000);
    EXPECT_EQ(true_z_mm(), stood_mm);
    EXPECT_TRUE(stage().position_trusted());
    EXPECT_EQ(stage().braking_s(), 0);
    ASSERT_TRUE(stage().jog({0, 0, -1e-3}, 5e-3));  // on from where it stands
    ASSERT_TRUE(stage().wait_until_idle(Timeout(5000)));
    EXPECT_NEAR(true_z_mm(), stood_mm - 1, 1e-3);
  }
}

TEST_F(ZaberStageTest, JogsBeforeHomingAsTheOperatorSees) {
  ASSERT_NO_FATAL_FAILURE(open());
  const double z_mm = true_z_mm();
  ASSERT_TRUE(stage().jog({0, 0, 1e-3}, 1e-3));
  ASSERT_TRUE(stage().jog({0, 0, 1e-3}, 1e-3));
  ASSERT_TRUE(stage().wait_until_idle(Timeout(5000)));
  EXPECT_NEAR(true_z_mm(), z_mm + 2, 1e-6);
}

TEST_F(ZaberStageTest, ReportsWhatEncodersMeasure) {
  board_.encoders = true;
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  EXPECT_TRUE(stage().measured());
  inject({FaultKind::kWrongData});  // 40 um that the motor has lost
  ASSERT_TRUE(poll_for(0.5));
  EXPECT_NEAR(samples_.back().position_m[2], 40e-3 - 40e-6, 1e-9);
  options_.encoders = false;
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  EXPECT_FALSE(stage().measured());
}

TEST_F(ZaberStageTest, MovesAChainAsOneStage) {
  board_.chained = true;
  ASSERT_NO_FATAL_FAILURE(open_and_home());
  EXPECT_EQ(stage().identities().size(), 3U);
  ASSERT_NO_FATAL_FAILURE(go_to({10e-3, 20e-3, 35e-3}));
  EXPECT_NEAR(axes().true_position_mm()[1], 20, 1e-6);
  EXPECT_NEAR(true_z_mm(), 35, 1e-6);
  ASSERT_TRUE(stage().move_to({0, 0, 30e-3}, 5e-3));
  ASSERT_TRUE(poll_for(0.5));
  ASSERT_TRUE(stage().stop());
  EXPECT_FALSE(axes().moving());
  EXPECT_TRUE(stage().position_trusted());
}

TEST_F(ZaberStageTest, RefusesOldFirmware) {
  board_.firmware = "7.24";
  EXPECT_THAT(try_to_open().error().message, HasSubstr("7.25 is needed"));
}

TEST_F(ZaberStageTest, RefusesAnotherResolutionThanUmPerStepIsStatedFor) {
  board_.resolution = 128;
  EXPECT_THAT(try_to_open().error().message, HasSubstr("128 microsteps per step"));
  options_.resolution = 128;
  EXPECT_TRUE(try_to_open());
}

TEST_F(ZaberStageTest, RefusesToHomeZDownwards) {
  board_.mm_per_step[2] = 0.000125;
  options_.machine_zero_m = {};
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(stage().home().error().message, HasSubstr("into the sensor"));
  for (const auto& command : axes().done()) EXPECT_NE(command, "home");
}

TEST_F(ZaberStageTest, RefusesAxesThatArentThere) {
  options_.axis = {1, 2, 4};
  EXPECT_THAT(try_to_open().error().message, HasSubstr("has 3 axes, and Z is to be its axis 4"));
  options_.axis = {1, 2, 2};
  EXPECT_THAT(try_to_open().error().message, HasSubstr("Y and Z are both"));
  options_.axis = {1, 2, 3};
  options_.device = {1, 1, 7};
  EXPECT_THAT(try_to_open().error().message, HasSubstr("device 7 doesn't answer"));
  stated_ = 0;
  options_.device = {1, 1, 1};
  EXPECT_THAT(try_to_open().error().message, HasSubstr("um_per_step of X is 0"));
}

/// Of an acceleration of 0 the manual says that it is none at all: nothing brakes.
TEST_F(ZaberStageTest, RefusesAnAxisThatDoesNotBrake) {
  ASSERT_NO_FATAL_FAILURE(open());
  auto link = world_.open("pty:zaber");
  ASSERT_TRUE((*link)->send(view_of("/1 2 set motion.decelonly 0\n"), Timeout(100)));
  world_.wait_until(world_.now_ns() + 100'000'000);
  EXPECT_THAT(try_to_open().error().message, HasSubstr("Y has no travel, speed or acceleration"));
}

TEST(ZaberStageOnAWire, HomesMovesAndStops) {
  auto board = ZaberWorld::usual_board();
  board.home_mm_per_s = 25;
  board.most_mm_per_s = {25, 25, 25};
  constexpr double kSpeed = 10;
  EmulatorHost host(kSpeed);
  ZaberEmulator axes(board, host.now_ns());
  const auto url = host.add_pty(axes);
  ASSERT_TRUE(url);
  const std::jthread running([&](const std::stop_token& stop) { host.run(stop); });
  ZaberOptions options;
  options.url = *url + "?baud=115200";
  options.m_per_step = {0.125e-6, 0.125e-6, -0.125e-6};
  options.timeout_scale = kSpeed;
  options.machine_zero_m = {0, 0, 40e-3};
  auto stage = ZaberStage::open(
      options, [](std::string_view at, Timeout timeout) { return open_link(at, timeout); });
  ASSERT_TRUE(stage) << stage.error().message;
  const auto homed = (*stage)->home();
  ASSERT_TRUE(homed) << homed.error().message;
  ASSERT_TRUE((*stage)->move_to({1e-3, 2e-3, 30e-3}, 20e-3));
  ASSERT_TRUE((*stage)->wait_until_idle(Timeout(10'000)));
  ASSERT_TRUE((*stage)->jog({0, 0, -25e-3}, 2e-3));
  std::jthread hand([&] { (void)(*stage)->hold_now(); });
  std::vector<StageSample> samples;
  (void)(*stage)->poll(samples, Timeout(300));
  const auto stopped = (*stage)->stop();
  EXPECT_TRUE(stopped) << stopped.error().message;
  EXPECT_TRUE((*stage)->position_trusted());
  EXPECT_EQ((*stage)->malformed(), 0);
}

}  // namespace
}  // namespace tactelier::devices
