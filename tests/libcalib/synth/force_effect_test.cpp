// What the force sensor makes of the force (docs/virtual-bench.md 2, row "force sensor"), each
// effect alone.

#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

constexpr double kHour_s = 3600;

TEST(ForceEffect, NoiseAtRest) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.force.noise_N = lab.force.noise_N;
                                    e.force.noise_arm_m = lab.force.noise_arm_m;
                                  }),
                                  zero_for(10));
  // 10000 samples tell a deviation to 0.7 %; 3 % is four of these.
  for (const auto* axis : {"Fx", "Fy", "Fz"}) {
    const auto noise = recording.trace(StreamKind::kForce, axis, recording.zero());
    EXPECT_NEAR(noise.deviation(), 10e-3, 0.3e-3) << axis;
    EXPECT_NEAR(noise.mean(), 0, 0.4e-3) << axis;
  }
  EXPECT_NEAR(recording.trace(StreamKind::kForce, "Ty", recording.zero()).deviation(), 1e-4, 3e-6);
}

TEST(ForceEffect, MoreNoiseWhileMotorsStep) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.force.noise_N = lab.force.noise_N;
                                    e.force.noise_stepping_N = lab.force.noise_stepping_N;
                                  }),
                                  ramp_on(5, 0.5, 0.05, 1));
  // In the air of the slow approach the stage moves, before it and after it rests (and for 50 ms
  // after a step the motor still sings).
  const auto height = recording.height();
  const auto force = recording.force();
  std::vector<double> moving, resting;
  for (std::size_t i = 200; i + 200 < height.size(); ++i) {
    if (height.v[i] < 0) continue;
    if (height.v[i + 100] == height.v[i - 100])
      resting.push_back(force.v[i]);
    else if (std::abs(height.v[i + 1] - height.v[i - 1]) > 0)
      moving.push_back(force.v[i]);
  }
  ASSERT_GT(moving.size(), 3000U);
  ASSERT_GT(resting.size(), 1000U);
  // 3000 and 1000 samples: 1.3 and 2.2 % of the deviation; three of these.
  EXPECT_NEAR(Trace({}, moving).deviation(), 30e-3, 0.04 * 30e-3);
  EXPECT_NEAR(Trace({}, resting).deviation(), 10e-3, 0.07 * 10e-3);
}

TEST(ForceEffect, TheLowPassLagsByItsTimeConstant) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.force.low_pass_hz = lab.force.low_pass_hz; }),
      ramp_on(5, 0.5, 1));
  const auto press = recording.presses()[0];
  const auto force = recording.force({press.begin_s, press.end_s});
  const auto height = recording.height({press.begin_s, press.end_s});
  std::vector<double> lags_s;
  for (std::size_t i = 1; i < force.size(); ++i) {
    const double speed_m_per_s = -(height.v[i] - height.v[i - 1]) / 1e-3;
    if (std::abs(speed_m_per_s - 1e-3) > 2e-5 || force.v[i] < 0.2)
      continue;  // the constant stretch
    lags_s.push_back((-height.v[i] - force.v[i] / kPunch_N_per_m) / 1e-3);
  }
  ASSERT_GT(lags_s.size(), 200U);
  // Behind a ramp a first-order low-pass lags by 1/(2 pi 200 Hz) = 0.796 ms; 10 nm are 0.01 ms.
  EXPECT_NEAR(Trace({}, lags_s).mean(), 0.796e-3, 0.01e-3);
}

TEST(ForceEffect, APercentOfTheLoadShowsOnTheOtherAxes) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.force.cross_axis = lab.force.cross_axis; }),
      dwell_on("5"));
  const auto hold = recording.presses()[0].holds[0];
  const TimeRange range{hold.begin_s + 0.2, hold.end_s - 0.2};
  const double normal_N = recording.force(range).mean();
  EXPECT_NEAR(normal_N, 1, 1e-5);
  for (const auto* axis : {"Fx", "Fy"})
    EXPECT_NEAR(std::abs(recording.trace(StreamKind::kForce, axis, range).mean()) / normal_N, 0.01,
                1e-5);
}

TEST(ForceEffect, DriftsOnAfterWarmingUp) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.force.drift_N_per_s = lab.force.drift_N_per_s;
                                    e.force.warm_up_N = lab.force.warm_up_N;
                                    e.force.warm_up_s = 10;  // two minutes instead of four hours
                                  }),
                                  zero_for(120));
  const auto late = recording.force({100, 120});
  const auto line = line_through(late.t_s, late.v);
  const double sign = line.slope > 0 ? 1 : -1;
  // What is left of the warm-up after ten time constants: 20 mN e^-10 = 1 uN, over 20 s 0.05 uN/s
  // of 5.6. Extrapolated to the start the line shows the whole warm-up.
  EXPECT_NEAR(sign * line.slope * kHour_s, 20e-3, 0.4e-3);
  EXPECT_NEAR(sign * line.intercept, 20e-3, 0.02e-3);
  const double at_10_N = sign * (recording.force({9.95, 10.05}).mean() - line.slope * 10);
  EXPECT_NEAR(at_10_N, 20e-3 * (1 - std::exp(-1)), 0.02e-3);
}

TEST(ForceEffect, TheGainErrorSpreadsAsTheCertificateSays) {
  const auto effects =
      alone([](auto& e, const auto& lab) { e.force.gain_error = lab.force.gain_error; });
  double squares = 0;
  double certified = 0;
  constexpr int kRigs = 16;
  for (std::uint64_t seed = 1; seed <= kRigs; ++seed) {
    const EffectRecording recording(effects, dwell_on("5", 0.5, 0.3), elastic_pad(), seed);
    const auto hold = recording.presses()[0].holds[0];
    const TimeRange range{hold.begin_s + 0.1, hold.end_s - 0.1};
    const double gain =
        recording.force(range).mean() / (-recording.height(range).mean() * kPunch_N_per_m);
    EXPECT_NEAR(gain, recording.report().draws.force_gain, 2e-5) << seed;
    squares += (gain - 1) * (gain - 1) / kRigs;
    certified = *recording.session().metadata().force_sensor->gain_u_percent / 100;
  }
  // Sixteen draws tell a deviation to 18 %; two of these.
  EXPECT_NEAR(std::sqrt(squares), certified, 0.36 * certified);
}

TEST(ForceEffect, ReadsInWholeStepsOfItsResolution) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.force.resolution_N = lab.force.resolution_N; }),
      ramp_on(5, 0.3, 0.05));
  const auto press = recording.presses()[0];
  const auto force = recording.force({press.begin_s, press.end_s});
  int changed = 0;
  for (std::size_t i = 1; i < force.size(); ++i) {
    const double steps = force.v[i] * 160;  // 1/160 N
    EXPECT_NEAR(steps, std::round(steps), 1e-6);
    const double change = std::abs(force.v[i] - force.v[i - 1]);
    if (change > 0) {
      EXPECT_NEAR(change, 1.0 / 160, 1e-9);
      ++changed;
    }
  }
  EXPECT_NEAR(changed, 2 * 96, 2);  // 0.6 N up and down again
}

}  // namespace
}  // namespace tactelier::synth
