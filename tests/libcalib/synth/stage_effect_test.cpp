// What a stage does to a recording (docs/virtual-bench.md 2, row "stage"), each effect alone.

#include <numbers>

#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

constexpr double kMicron = 1e-6;

/// Samples between two times in which the value changed, and by how much.
std::vector<double> changes(const Trace& trace, double least) {
  std::vector<double> found;
  for (std::size_t i = 1; i < trace.size(); ++i)
    if (std::abs(trace.v[i] - trace.v[i - 1]) > least) found.push_back(trace.v[i] - trace.v[i - 1]);
  return found;
}

/// From touch to the turning point, and from there to release.
struct Ramp {
  TimeRange down;
  TimeRange up;
};

Ramp ramp_of(const EffectRecording& recording, const Press& press) {
  const auto force = recording.force({press.begin_s, press.end_s});
  const auto peak = std::max_element(force.v.begin(), force.v.end()) - force.v.begin();
  std::size_t touch = 0;
  std::size_t release = force.size() - 1;
  while (force.v[touch] <= 0) ++touch;
  while (force.v[release] <= 0) --release;
  const double peak_s = force.t_s[static_cast<std::size_t>(peak)];
  return {{force.t_s[touch], peak_s}, {peak_s, force.t_s[release]}};
}

/// Where the stage said it was when the force passed through a value.
double height_at_force_m(const EffectRecording& recording, TimeRange range, double force_N) {
  const auto force = recording.force(range);
  const auto height = recording.height(range);
  for (std::size_t i = 1; i < force.size(); ++i) {
    const double a = force.v[i - 1] - force_N;
    const double b = force.v[i] - force_N;
    if ((a <= 0) == (b <= 0)) continue;
    return height.at(force.t_s[i - 1] + (force.t_s[i] - force.t_s[i - 1]) * a / (a - b));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(StageEffect, StepsShowInPositionAndForce) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.stage.step_m = lab.stage.step_m; }),
      ramp_on(5, 0.4, 0.1));
  const auto down = ramp_of(recording, recording.presses()[0]).down;
  // 10 nm is the recording's unit of position, 1 uN that of force: far below a step. A step takes
  // 25 ms at 0.1 mm/s, so no two fall into one sample.
  const auto steps = changes(recording.height(down), 0.1 * kMicron);
  ASSERT_GT(steps.size(), 100U);
  for (const double step : steps) EXPECT_NEAR(step, -2.5 * kMicron, 0.011 * kMicron);
  const auto forces_N = changes(recording.force({down.begin_s + 0.05, down.end_s}), 1e-3);
  EXPECT_NEAR(static_cast<double>(forces_N.size()), static_cast<double>(steps.size()), 3);
  for (const double step_N : forces_N)
    EXPECT_NEAR(step_N / kPunch_N_per_m, 2.5 * kMicron, 0.002 * kMicron);
}

TEST(StageEffect, MicrostepErrorSwingsOverAFullStep) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.stage.step_m = lab.stage.step_m;
                                    e.stage.microstep_error_m = lab.stage.microstep_error_m;
                                  }),
                                  ramp_on(5, 0.6, 0.1));
  const auto down = ramp_of(recording, recording.presses()[0]).down;
  const auto force = recording.force(down);
  const auto height = recording.height(down);
  // Twelve whole periods of 16 * 2.5 um: the projections are exact but for where samples lie within
  // the period (a step lasts 25 ms: 400 samples per period), so 1 %.
  const auto amplitude = [&](double period_m) {
    double in_phase = 0;
    double quadrature = 0;
    double n = 0;
    for (std::size_t i = 0; i < height.size(); ++i) {
      if (height.v[i] > -0.05e-3 || height.v[i] <= -0.05e-3 - 12 * 40 * kMicron) continue;
      const double error_m = -force.v[i] / kPunch_N_per_m - height.v[i];
      in_phase += error_m * std::sin(2 * std::numbers::pi * height.v[i] / period_m);
      quadrature += error_m * std::cos(2 * std::numbers::pi * height.v[i] / period_m);
      ++n;
    }
    return 2 * std::hypot(in_phase, quadrature) / n;
  };
  EXPECT_NEAR(amplitude(40 * kMicron), 5 * kMicron, 0.05 * kMicron);
  EXPECT_LT(amplitude(20 * kMicron), 0.05 * kMicron);
}

TEST(StageEffect, BacklashPartsTheWayUpFromTheWayDown) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.stage.backlash_m = lab.stage.backlash_m; }),
      ramp_on(5, 0.5, 0.5));
  const auto ramp = ramp_of(recording, recording.presses()[0]);
  for (const double force_N : {0.2, 0.5, 0.8}) {
    const double lag_m = height_at_force_m(recording, ramp.up, force_N) -
                         height_at_force_m(recording, ramp.down, force_N);
    EXPECT_NEAR(lag_m, 20 * kMicron, 0.03 * kMicron) << force_N;  // three units of the recording
  }
}

TEST(StageEffect, PollsComeTenTimesASecondAndAreAnsweredLate) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.stage.report_hz = lab.stage.report_hz;
                                    e.stage.answer_min_s = lab.stage.answer_min_s;
                                    e.stage.answer_max_s = lab.stage.answer_max_s;
                                  }),
                                  ramp_on(5, 1, 0.1, 4));
  const auto polls = recording.height();
  EXPECT_NEAR(recording.session().stream(StreamKind::kStage)->rate_hz().value(), 10, 0.01);
  double earliest_s = 1;
  double latest_s = 0;
  for (std::size_t i = 0; i < polls.size(); ++i) {  // stamps: the middle of request and reply
    const double after_s = polls.t_s[i] - 0.1 * static_cast<double>(i);
    earliest_s = std::min(earliest_s, after_s);
    latest_s = std::max(latest_s, after_s);
  }
  // Answers of 5 to 20 ms, uniform; of some 700 the extremes come within 1 % of the range.
  EXPECT_NEAR(2 * earliest_s, 5e-3, 0.2e-3);
  EXPECT_NEAR(2 * latest_s, 20e-3, 0.2e-3);
  // The position was latched somewhere between: the exact force, at 0.1 mm/s, says when.
  double most_s = 0;
  for (const auto& press : recording.presses()) {
    const auto down = ramp_of(recording, press).down;
    const auto force = recording.force(down);
    const auto height = recording.height({down.begin_s + 0.2, down.end_s - 0.2});
    for (std::size_t i = 0; i < height.size(); ++i) {
      const double error_m = height.v[i] + force.at(height.t_s[i]) / kPunch_N_per_m;
      most_s = std::max(most_s, std::abs(error_m) / 0.1e-3);
    }
  }
  EXPECT_GT(most_s, 7e-3);
  EXPECT_LT(most_s, 10e-3 + 0.2e-3);  // half of the longest answer; 10 nm are 0.1 ms
}

TEST(StageEffect, LostStepsShiftEveryPressAfterThem) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.stage.lost_steps_m = lab.stage.lost_steps_m;
                                    e.stage.lost_steps_per_hour = 500;  // of motion along z
                                  }),
                                  ramp_on(5, 1.8, 1, 40));
  double before_m = 0;
  double last_s = 0;
  double events = 0;
  for (const auto& press : recording.presses()) {
    const auto height = recording.height({press.begin_s, press.end_s});
    const auto force = recording.force({press.begin_s, press.end_s});
    // At the same reported depth, mid-ramp, every time: what the force lacks has been lost.
    const auto deep =
        std::find_if(height.v.begin(), height.v.end(), [](double z) { return z < -1.7e-3; });
    ASSERT_NE(deep, height.v.end());
    const auto i = static_cast<std::size_t>(deep - height.v.begin());
    const double lost_m = -height.v[i] - force.v[i] / kPunch_N_per_m;
    const double lost = (lost_m - before_m) / (40 * kMicron);
    EXPECT_NEAR(lost, std::round(lost), 0.001);  // 16 microsteps of 2.5 um each
    EXPECT_GE(lost, -0.001);
    events += lost;
    before_m = lost_m;
    last_s = height.t_s[i];
  }
  const auto all = recording.height({0, last_s});
  double moving_s = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    moving_s += all.v[i] == all.v[i - 1] ? 0 : all.t_s[i] - all.t_s[i - 1];
  const double expected = moving_s * 500 / 3600;
  EXPECT_GT(expected, 15);
  EXPECT_NEAR(events, expected, 3 * std::sqrt(expected));  // Poisson
}

TEST(StageEffect, MotionPreparedAheadGoesOnAfterAStop) {
  const std::string until_force = R"({"do": "scan", "tactels": [5], "speed_mm_s": 0.5,
                                      "until": {"force_N": 0.5, "depth_mm": 1}})";
  const auto deepest_m = [&](const pad::Effects& effects) {
    const EffectRecording recording(effects, until_force);
    return recording.height().min();
  };
  const double prompt_m = deepest_m(pad::no_effects());
  const double late_m = deepest_m(alone(
      [](auto& e, const auto& lab) { e.stage.prepared_ahead_s = lab.stage.prepared_ahead_s; }));
  EXPECT_NEAR((prompt_m - late_m) / 0.5e-3, 50e-3, 0.05e-3);  // 10 nm at 0.5 mm/s, twice
  // A ramp that is over before the stop takes effect ends as if it had been stopped.
  const EffectRecording over(alone([](auto& e, const auto& lab) {
                               e.stage.prepared_ahead_s = lab.stage.prepared_ahead_s;
                             }),
                             R"({"do": "scan", "tactels": [5, 6], "speed_mm_s": 0.5,
                                 "until": {"force_N": 0.99, "depth_mm": 0.5}})");
  EXPECT_EQ(over.presses().size(), 2U);
  EXPECT_NEAR(over.height().min(), -0.5e-3, 0.01 * kMicron);
}

TEST(StageEffect, MovesWithinTheStagesSpeedAndAcceleration) {
  const EffectRecording recording(alone([](auto&, const auto&) {}), dwell_on("0, 11", 0.5, 0.2));
  double fastest_xy_m_per_s = 0;
  double fastest_z_m_per_s = 0;
  double hardest_m_per_s2 = 0;
  const auto axes = {"x", "y", "z"};
  std::vector<Trace> traces;
  for (const auto* axis : axes) traces.push_back(recording.trace(StreamKind::kStage, axis));
  const double dt_s = 1e-3;
  for (std::size_t i = 20; i + 20 < traces[0].size(); ++i) {
    double v[3];
    double a = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& at_m = traces[k].v;
      v[k] = (at_m[i + 1] - at_m[i - 1]) / (2 * dt_s);
      // Over 40 ms: 10 nm of rounding are 25 um/s2.
      const double second = (at_m[i + 20] - 2 * at_m[i] + at_m[i - 20]) / (400 * dt_s * dt_s);
      a += second * second;
    }
    fastest_xy_m_per_s = std::max(fastest_xy_m_per_s, std::hypot(v[0], v[1]));
    fastest_z_m_per_s = std::max(fastest_z_m_per_s, std::abs(v[2]));
    hardest_m_per_s2 = std::max(hardest_m_per_s2, std::sqrt(a));
  }
  EXPECT_NEAR(hardest_m_per_s2, 0.1, 0.001);
  EXPECT_LT(fastest_z_m_per_s, 8e-3 + 1e-5);
  EXPECT_NEAR(fastest_xy_m_per_s, 25e-3, 1e-5);  // 12 mm are far enough to reach it
}

}  // namespace
}  // namespace tactelier::synth
