// Rigs drawn by seed: ranges, doubling, and what the effects do that only drawn rigs have.

#include "libcalib/pad/drawn_effects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "libcalib/pad/command_delay.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/pad/stage_motion.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

TEST(DrawnEffects, AreWithinTheirRangesAndAnotherSeedsAreOthers) {
  for (const auto& constant : rig_constants()) {
    std::set<double> values;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      auto effects = drawn_preset("lab", seed).value();
      const double value = constant.in(effects) * constant.per_SI;
      EXPECT_GE(value, constant.low) << constant.name;
      EXPECT_LE(value, constant.high) << constant.name;
      values.insert(value);
    }
    EXPECT_EQ(values.size(), 20U) << constant.name;
    EXPECT_GT(*values.rbegin() - *values.begin(), 0.5 * (constant.high - constant.low))
        << constant.name;
  }
}

TEST(DrawnEffects, OfRoughAreTwiceThoseOfLab) {
  auto lab = drawn_preset("lab", 7).value();
  auto rough = drawn_preset("rough", 7).value();
  for (const auto& constant : rig_constants())
    EXPECT_NEAR(constant.in(rough), constant.rough * constant.in(lab),
                1e-12 * std::abs(constant.in(rough)))
        << constant.name;
  EXPECT_DOUBLE_EQ(rough.reading.ghosting, 2 * lab.reading.ghosting);
  EXPECT_DOUBLE_EQ(rough.stage.step_m, 2 * lab.stage.step_m);
  EXPECT_DOUBLE_EQ(rough.force.low_pass_hz, lab.force.low_pass_hz / 2);
  // A certificate states it.
  EXPECT_DOUBLE_EQ(rough.force.gain_error, lab.force.gain_error);
}

TEST(DrawnEffects, OfCleanAreNone) {
  const auto drawn = drawn_preset("clean", 3).value();
  const auto plain = clean();
  EXPECT_EQ(drawn.stage.backlash_m, 0);
  EXPECT_EQ(drawn.stage.command_delay_s, 0);
  EXPECT_EQ(drawn.reading.ghosting, 0);
  EXPECT_FALSE(drawn.force.axes_differ);
  EXPECT_EQ(drawn.force.noise_N, plain.force.noise_N);
  EXPECT_FALSE(drawn_preset("messy", 3));
}

/// Along x at 1 mm/s from 0.5 s on, a rest, then on.
double told_m(double t_s) {
  return 1e-3 * (std::clamp(t_s - 0.5, 0.0, 1.0) + std::clamp(t_s - 2.5, 0.0, 1.0));
}

TEST(CommandDelay, ShiftsTheWholePathAndAFirstLineMore) {
  StageEffects effects;
  effects.command_delay_s = 4e-3;
  effects.late_start_least_s = 1e-3;
  effects.late_start_most_s = 9e-3;
  CommandDelay delay(effects, 5);
  double late_first_s = 0, late_second_s = 0;
  for (int i = 1; i <= 4000; ++i) {
    const double t_s = i * 1e-3;
    const double at_m = delay.follow(1e-3, {told_m(t_s), 0, 0})[0];
    const double late_s = (told_m(t_s) - at_m) / 1e-3;
    if (i == 1000) late_first_s = late_s;
    if (i == 3000) late_second_s = late_s;
    const bool under_way = i > 1000 && i < 1500, at_rest = i > 1520 && i < 2500;
    if (under_way || at_rest) {
      EXPECT_NEAR(late_s, under_way ? late_first_s : 0, 1e-9) << i;
    }
    EXPECT_GE(late_s, -1e-9);
  }
  for (const double late_s : {late_first_s, late_second_s}) {
    EXPECT_GT(late_s, 5e-3);
    EXPECT_LT(late_s, 13e-3);
  }
  EXPECT_GT(std::abs(late_first_s - late_second_s), 1e-5);
}

TEST(StageMotion, HasASecondHarmonicOfTheMicrostepError) {
  StageEffects effects;
  effects.step_m = 2.5e-6;
  effects.microstep_error_m = 4e-6;
  effects.microstep_second = 0.25;
  StageMotion stage(effects, 2);
  double cosine = 0, sine = 0;  // of twice per 40 um, over ten full steps
  const int steps = 160;
  for (int i = 0; i < steps; ++i) {
    const double at_m = i * 2.5e-6;
    const double off_m = stage.step(1e-3, {at_m, 0, 0}).actual_m[0] - at_m;
    const double turn_rad = 4 * 3.14159265358979324 * at_m / 40e-6;
    cosine += 2 * off_m * std::cos(turn_rad) / steps;
    sine += 2 * off_m * std::sin(turn_rad) / steps;
  }
  EXPECT_NEAR(std::hypot(cosine, sine), 1e-6, 1e-9);
}

TEST(ForceSensor, HasAGainOfItsOwnOnEachAxis) {
  ForceSensorEffects effects;
  effects.gain_error = 0.01;
  const ForceSensor common(effects, 1);
  effects.axes_differ = true;
  const ForceSensor own(effects, 1);
  EXPECT_EQ(own.gain(), common.gain());
  EXPECT_EQ(common.gains()[1], common.gain());
  const auto& gains = own.gains();
  EXPECT_EQ(std::set<double>(gains.begin(), gains.end()).size(), 6U);
}

// 1 um/N of tape under a spring of 2000 N/m: 0.2 % softer; the plate beside shows none of it.
TEST(Pad, GivesWayOnWhatItIsMountedOn) {
  auto truth = plain_truth();
  const auto pressed_N = [&](double mount_m_per_N, Target target) {
    auto effects = no_effects();
    effects.compliance.mount_m_per_N = mount_m_per_N;
    auto pad = Pad::create(truth, effects, {}, 1).value();
    pad.set_target(target, 0.0);
    PadOutput out;
    for (int i = 0; i <= 1000; ++i) pad.advance(1e-3, {0, 0, -i * 0.5e-6}, out);
    return pad.state().force_N;
  };
  const double rigid_N = pressed_N(0, Target::kPad);
  const double taped_N = pressed_N(1e-6, Target::kPad);
  const double k_N_per_m = rigid_N / 0.5e-3;
  EXPECT_NEAR(taped_N / rigid_N, 1 / (1 + 1e-6 * k_N_per_m), 1e-6);
  EXPECT_EQ(pressed_N(1e-6, Target::kRigidPlate), pressed_N(0, Target::kRigidPlate));
}

}  // namespace
}  // namespace tactelier::pad
