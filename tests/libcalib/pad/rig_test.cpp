// Stage, force sensor and clocks, each effect alone.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "libcalib/pad/device_clock.hpp"
#include "libcalib/pad/drawn_effects.hpp"
#include "libcalib/pad/force_sensor.hpp"
#include "libcalib/pad/magnetic_axis.hpp"
#include "libcalib/pad/stage_motion.hpp"
#include "libcalib/protocol/motion.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier::pad {
namespace {

TEST(StageMotion, MovesInWholeSteps) {
  StageEffects effects;
  effects.step_m = 2.5e-6;
  StageMotion stage(effects, 1);
  const auto position = stage.step(1e-3, {0, 0, -11e-6});
  EXPECT_NEAR(position.actual_m[2], -10e-6, 1e-15);
  EXPECT_NEAR(position.reported_m[2], -10e-6, 1e-15);
}

TEST(StageMotion, BacklashLagsOnTheWayUpOnly) {
  StageEffects effects;
  effects.backlash_m = 20e-6;
  StageMotion stage(effects, 1);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, 0}).actual_m[2], 0, 1e-15);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, -1e-3}).actual_m[2], -1e-3, 1e-15);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, -0.99e-3}).actual_m[2], -1e-3, 1e-15);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, -0.9e-3}).actual_m[2], -0.92e-3, 1e-15);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, -0.9e-3}).reported_m[2], -0.9e-3, 1e-15);
  EXPECT_NEAR(stage.step(1e-3, {0, 0, -1e-3}).actual_m[2], -1e-3, 1e-15);
}

TEST(StageMotion, MicrostepErrorSwingsByItsAmplitudeOverAFullStep) {
  StageEffects effects;
  effects.step_m = 2.5e-6;
  effects.microstep_error_m = 5e-6;
  StageMotion stage(effects, 3);
  double most = 0, least = 0, first = 0, later = 0;
  for (int i = 0; i <= 32; ++i) {
    const auto p = stage.step(1e-3, {0, 0, -2.5e-6 * i});
    const double error = p.actual_m[2] - p.reported_m[2];
    most = std::max(most, error);
    least = std::min(least, error);
    if (i == 0) first = error;
    if (i == 16) later = error;
  }
  EXPECT_NEAR(most, 5e-6, 0.2e-6);
  EXPECT_NEAR(least, -5e-6, 0.2e-6);
  EXPECT_NEAR(later, first, 1e-12);  // 16 microsteps are one full step
}

TEST(StageMotion, WithoutStepsThereAreNoMicrosteps) {
  StageEffects effects;
  effects.microstep_error_m = 5e-6;
  StageMotion stage(effects, 3);
  EXPECT_EQ(stage.step(1e-3, {0, 0, -1e-3}).actual_m[2], -1e-3);
}

TEST(StageMotion, LosesStepsAtTheirRateWhileZMoves) {
  StageEffects effects;
  effects.lost_steps_per_hour = 100;
  effects.lost_steps_m = 40e-6;
  StageMotion stage(effects, 5);
  StagePosition position;
  for (int i = 0; i < 3600 * 4; ++i)  // four hours of motion in steps of a second
    position = stage.step(1, {0, 0, i % 2 ? -1e-3 : 0});
  const double events = stage.lost_m() / 40e-6;
  EXPECT_NEAR(events, 400, 4 * 20);
  EXPECT_NEAR(position.actual_m[2] - position.reported_m[2], stage.lost_m(), 1e-12);
  for (int i = 0; i < 100000; ++i) position = stage.step(1, {0, 0, -1e-3});
  EXPECT_NEAR(stage.lost_m() / 40e-6, events, 1e-9);  // at rest nothing is lost
}

/// A stage whose y axis rings as the oracle's, towards which the screw drives.
StageMotion rung_stage(const nlohmann::json& oracle) {
  StageEffects effects;
  effects.step_m = oracle["step_um"].get<double>() * 1e-6;
  effects.backlash_m = oracle["play_um"].get<double>() * 1e-6;
  effects.ring_least_hz = effects.ring_most_hz = oracle["ring_hz"];
  effects.ring_damping_least = effects.ring_damping_most = oracle["damping"];
  return {effects, 1};
}

// tests/oracles/gen_17_rung_steps.py: when each step is due in closed form, SciPy's DOP853.
TEST(StageMotion, BeginsStepsWhenTheyAreDueAndRingsAsSciPySays) {
  const auto oracle = oracle::json("17_rung_steps.json");
  auto stage = rung_stage(oracle);
  const double way_m = oracle["way_mm"].get<double>() * 1e-3;
  const double speed = oracle["speed_mm_s"].get<double>() * 1e-3;
  const double acceleration = oracle["acceleration_mm_s2"].get<double>() * 1e-3;
  const auto there = Motion::line({0, 0, 0}, {0, way_m, 0}, speed, acceleration);
  const auto back = Motion::line({0, way_m, 0}, {0, 0, 0}, speed, acceleration);
  const double there_s = oracle["begin_s"][0], back_s = oracle["begin_s"][1];
  const std::vector<double> expected_um = oracle["field_um_by_tick"];
  constexpr int kPieces = 5;  // of a tick: a step is placed by a straight line within each
  const double piece_s = oracle["tick_s"].get<double>() / kPieces;
  double largest_um = 0, largest_late_um = 0;
  for (int i = 0; i < kPieces * static_cast<int>(expected_um.size()); ++i) {
    const double t_s = i * piece_s;
    const auto told_m =
        t_s < back_s ? there.position_m(t_s - there_s) : back.position_m(t_s - back_s);
    const auto place_um = 1e6 * stage.step(piece_s, told_m).actual_m[1];
    if (i % kPieces != 0) continue;
    const auto tick = static_cast<std::size_t>(i / kPieces);
    largest_um = std::max(largest_um, std::abs(place_um - expected_um[tick]));
    if (tick > 0)
      largest_late_um = std::max(largest_late_um, std::abs(place_um - expected_um[tick - 1]));
  }
  EXPECT_LT(largest_um, 5e-3);
  EXPECT_GT(largest_late_um, 1);  // half a millisecond later it would show
}

TEST(StageMotion, DrawsHowItRingsByAxisAndSeedAndLeavesAllElseAsItWas) {
  StageEffects effects = lab().stage;
  EXPECT_FALSE(StageMotion(effects, 1).rung()[0]);
  let_steps_ring(effects);
  std::set<double> frequencies_hz;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const StageMotion stage(effects, seed);
    for (const auto& axis : stage.rung()) {
      frequencies_hz.insert(axis->frequency_hz());
      EXPECT_GE(axis->frequency_hz(), 50);
      EXPECT_LE(axis->frequency_hz(), 200);
      EXPECT_GE(axis->damping_ratio(), 0.05);
      EXPECT_LE(axis->damping_ratio(), 0.3);
    }
  }
  EXPECT_EQ(frequencies_hz.size(), 9U);
  // At rest a stage that rings stands where the other does: phases of the microstep error included.
  StageMotion ticks(lab().stage, 4), rung(effects, 4);
  StagePosition a, b;
  for (int i = 0; i < 2000; ++i) {
    a = ticks.step(1e-3, {0, std::min(i, 500) * 1e-6, 0});
    b = rung.step(1e-3, {0, std::min(i, 500) * 1e-6, 0});
  }
  EXPECT_NEAR(a.actual_m[1], b.actual_m[1], 1e-11);
}

/// How far the axis is from where it is sent, at most, on a way at this speed and a moment after.
double furthest_behind_m(const Effects& effects, std::uint64_t seed, std::size_t axis,
                         double speed_m_per_s) {
  StageMotion stage(effects.stage, seed);
  Vector3 told_m{0, 0, 0};
  double furthest_m = 0;
  constexpr int kWay = 7500, kAll = 8000;
  for (int i = 0; i < kAll; ++i) {
    const double speeding = std::min(i, kWay - i) * 1e-4 * 0.1 / speed_m_per_s;  // 0.1 m/s^2
    told_m[axis] += (axis == 2 ? -1 : 1) * std::clamp(speeding, 0.0, 1.0) * speed_m_per_s * 1e-4;
    const auto actual_m = stage.step(1e-4, told_m).actual_m;
    furthest_m = std::max(furthest_m, std::abs(actual_m[axis] - told_m[axis]));
  }
  return furthest_m;
}

// A rotor that its field lets go is caught a field's period (160 um) further on, or never.
TEST(StageMotion, RingsWithoutLosingSteps) {
  for (const std::string_view name : {"lab", "rough"})
    for (std::uint64_t seed = 911; seed < 927; ++seed) {
      auto effects = *drawn_preset(name, seed);
      let_steps_ring(effects.stage);
      effects.stage.command_delay_s = 0;
      effects.stage.late_start_least_s = effects.stage.late_start_most_s = 0;
      effects.stage.lost_steps_per_hour = 0;
      const double error_m = 1.3 * effects.stage.microstep_error_m + effects.stage.backlash_m;
      for (const std::size_t axis : {1U, 2U})
        for (const double speed_m_per_s : {2e-3, 5e-3, axis == 2 ? 8e-3 : 25e-3})
          EXPECT_LT(furthest_behind_m(effects, seed, axis, speed_m_per_s), 80e-6 + error_m)
              << name << seed << axis << speed_m_per_s;
    }
}

TEST(StageMotion, RingsOnFineStepsToo) {
  auto effects = lab().stage;
  let_steps_ring(effects);
  effects.step_m = 0.1e-6;
  const StageMotion stage(effects, 1);
  ASSERT_TRUE(stage.rung()[0]);
  EXPECT_GT(stage.rung()[0]->frequency_hz(), 200);
}

TEST(MagneticAxis, SwingsOnTheFieldAsSciPySays) {
  const auto oracle = oracle::json("17_rung_steps.json");
  MagneticAxis axis(oracle["ring_hz"], oracle["damping"], oracle["field_um"].get<double>() * 1e-6);
  axis.rest_at(oracle["released_from_um"].get<double>() * 1e-6);
  const std::vector<double> expected_um = oracle["released_um"];
  for (std::size_t i = 0; i < expected_um.size(); ++i) {
    EXPECT_NEAR(1e6 * axis.place_m(), expected_um[i], 1e-4) << i;
    axis.follow(oracle["tick_s"], 0);
  }
}

TEST(StageMotion, SaysWhetherMotorsStep) {
  StageMotion stage({}, 1);
  EXPECT_FALSE(stage.step(1e-3, {0, 0, 0}).stepping);
  EXPECT_TRUE(stage.step(1e-3, {1e-3, 0, 0}).stepping);
  for (int i = 0; i < 49; ++i) EXPECT_TRUE(stage.step(1e-3, {1e-3, 0, 0}).stepping);
  EXPECT_FALSE(stage.step(2e-3, {1e-3, 0, 0}).stepping);
}

TEST(ForceSensor, WithoutEffectsItTellsTheTruth) {
  ForceSensor sensor({}, 1);
  const Wrench truth{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(sensor.sample(10, 1e-3, truth, true), truth);
}

TEST(ForceSensor, NoiseIsLargerWhileMotorsStep) {
  ForceSensorEffects effects;
  effects.noise_N = 10e-3;
  effects.noise_stepping_N = 30e-3;
  effects.noise_arm_m = 10e-3;
  ForceSensor sensor(effects, 1);
  for (const bool stepping : {false, true}) {
    Wrench squares{};
    for (int i = 0; i < 20000; ++i) {
      const auto reading = sensor.sample(0, 1e-3, {}, stepping);
      for (std::size_t k = 0; k < 6; ++k) squares[k] += reading[k] * reading[k] / 20000;
    }
    const double expected = stepping ? 30e-3 : 10e-3;
    EXPECT_NEAR(std::sqrt(squares[2]), expected, 0.03 * expected);
    EXPECT_NEAR(std::sqrt(squares[5]), expected * 10e-3, 0.03 * expected * 10e-3);
  }
}

TEST(ForceSensor, LowPassReachesTwoThirdsAfterItsTimeConstant) {
  ForceSensorEffects effects;
  effects.low_pass_hz = 100 / (2 * 3.14159265358979324);  // tau = 10 ms
  ForceSensor sensor(effects, 1);
  double reading = 0;
  for (int i = 0; i < 11; ++i) reading = sensor.sample(0, 1e-3, {0, 0, 1, 0, 0, 0}, false)[2];
  // The step is a ramp over the first millisecond: 1 - e^-1 (1 - e^-0.1) / 0.1 after 11 ms.
  EXPECT_NEAR(reading, 1 - std::exp(-1) * (1 - std::exp(-0.1)) / 0.1, 1e-12);
}

TEST(ForceSensor, LowPassLagsBehindARampByItsTimeConstant) {
  ForceSensorEffects effects;
  effects.low_pass_hz = 200;
  ForceSensor sensor(effects, 1);
  double reading = 0;
  for (int i = 0; i <= 100; ++i)
    reading = sensor.sample(0, 1e-3, {0, 0, 1e-3 * i, 0, 0, 0}, false)[2];
  EXPECT_NEAR(0.1 - reading, 1 / (2 * 3.14159265358979324 * 200), 1e-9);
}

TEST(ForceSensor, CrossAxisPutsAPercentOfTheLoadOnTheOthers) {
  ForceSensorEffects effects;
  effects.cross_axis = 0.01;
  ForceSensor sensor(effects, 1);
  const auto reading = sensor.sample(0, 1e-3, {0, 0, 5, 0, 0, 0}, false);
  EXPECT_NEAR(std::abs(reading[0]), 0.05, 1e-12);
  EXPECT_NEAR(std::abs(reading[1]), 0.05, 1e-12);
  EXPECT_NEAR(reading[2], 5, 1e-12);
}

TEST(ForceSensor, DriftsAndWarmsUp) {
  ForceSensorEffects effects;
  effects.drift_N_per_s = 20e-3 / 3600;
  effects.warm_up_N = 15e-3;
  ForceSensor sensor(effects, 1);
  const double after = std::abs(sensor.sample(3600, 1e-3, {}, false)[2]);
  EXPECT_NEAR(after, 20e-3 + 15e-3 * (1 - std::exp(-3)), 1e-12);
}

TEST(ForceSensor, GainErrorsSpreadAsTheCertificateSays) {
  ForceSensorEffects effects;
  effects.gain_error = 0.01;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    ForceSensor sensor(effects, seed);
    const double error = sensor.sample(0, 1e-3, {0, 0, 2, 0, 0, 0}, false)[2] / 2 - 1;
    EXPECT_NEAR(error, sensor.gain() - 1, 1e-12);
    squares += error * error / 2000;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.01, 0.0006);
}

TEST(ForceSensor, RoundsToItsResolution) {
  ForceSensorEffects effects;
  effects.resolution_N = 0.01;
  ForceSensor sensor(effects, 1);
  EXPECT_NEAR(sensor.sample(0, 1e-3, {0, 0, 1.2349, 0, 0, 0}, false)[2], 1.23, 1e-12);
}

TEST(DeviceClock, OwnClocksRunFastOrSlowWithinTheirLimit) {
  const ClockEffects effects{true, 50, 2000, 1000, 32, 1e-3, 1e-3};
  std::set<double> skews;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    DeviceClock clock(effects, effects.array_ppm, seed, "tactile");
    EXPECT_LT(std::abs(clock.skew()), 2000e-6);
    skews.insert(clock.skew());
    EXPECT_NEAR(clock.at_s(100) - clock.at_s(0), 100 * (1 + clock.skew()), 1e-9);
  }
  EXPECT_EQ(skews.size(), 100U);
  EXPECT_LT(*skews.begin(), -1800e-6);
  EXPECT_GT(*skews.rbegin(), 1800e-6);
}

TEST(DeviceClock, MicrosecondCountersWrapAround) {
  ClockEffects effects;
  effects.own = true;
  effects.counter_bits = 32;
  DeviceClock clock(effects, 0, 1, "tactile");
  EXPECT_EQ(clock.stamp(1.5).counter, 1500000U);
  EXPECT_EQ(clock.stamp(4294.967296 + 2e-6).counter, 2U);
  EXPECT_NEAR(clock.stamp(5000).device_s, 5000, 1e-9);
}

TEST(DeviceClock, ArrivalsAreLateByTransportAndJitter) {
  ClockEffects effects;
  effects.own = true;
  effects.transport_s = 2e-3;
  effects.jitter_s = 1e-3;
  DeviceClock clock(effects, 0, 1, "tactile");
  double sum = 0, least = 1;
  for (int i = 0; i < 10000; ++i) {
    const double late = clock.stamp(i).host_s - i;
    sum += late;
    least = std::min(least, late);
  }
  EXPECT_GE(least, 2e-3 - 1e-9);
  EXPECT_NEAR(least, 2e-3, 1e-5);
  EXPECT_NEAR(sum / 10000, 3e-3, 5e-5);
}

TEST(DeviceClock, ASharedClockIsTrueTime) {
  DeviceClock clock({}, 2000, 1, "tactile");
  EXPECT_EQ(clock.stamp(12.25).device_s, 12.25);
  EXPECT_EQ(clock.stamp(12.25).host_s, 12.25);
}

}  // namespace
}  // namespace tactelier::pad
