// Conditioning on rubber that is a tenth stiffer the first time (and does nothing else): what first
// presses and later ones are held with, without the step and with it.

#include <gmock/gmock.h>

#include <map>

#include "libcalib/pad/drawn_effects.hpp"
#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

/// Force over that of the last press of each place, first presses first.
struct Forces {
  std::vector<double> first, later;

  explicit Forces(const std::string& before) {
    const EffectRecording recording(
        alone([](auto& e, const auto& lab) {
          e.reading.first_cycle_softening = lab.reading.first_cycle_softening;
        }),
        before + dwell_on("5", 0.5, 0.5, 3) + "," + dwell_on("10", 0.4, 0.5, 3));
    std::vector<double> forces_N;
    for (const auto& press : recording.presses())
      if (press.usable())
        forces_N.push_back(
            recording.force({press.holds[0].begin_s + 0.1, press.holds[0].end_s}).mean());
    EXPECT_EQ(forces_N.size(), 6U);
    for (std::size_t i = 0; i < forces_N.size(); ++i)
      (i % 3 == 0 ? first : later).push_back(forces_N[i] / forces_N[i / 3 * 3 + 2]);
  }
};

TEST(ConditioningEffect, WithoutItFirstPressesAreATenthStiffer) {
  const Forces forces("");
  EXPECT_THAT(forces.first, testing::Each(testing::DoubleNear(1.1, 1e-3)));
  EXPECT_THAT(forces.later, testing::Each(testing::DoubleNear(1, 1e-4)));
}

TEST(ConditioningEffect, BehindItTheyAreLikeTheLaterOnes) {
  const Forces forces(R"({"do": "condition", "rest_s": 5},)");
  EXPECT_THAT(forces.first, testing::Each(testing::DoubleNear(1, 1e-4)));
  EXPECT_THAT(forces.later, testing::Each(testing::DoubleNear(1, 1e-4)));
}

TEST(ConditioningEffect, WhatGoesFurtherThanItIsVirginThere) {
  const Forces forces(R"({"do": "condition", "sites": [5, 10], "depth_mm": 0.3, "rest_s": 0},)");
  EXPECT_GT(forces.first[0], 1.05) << "0.5 mm are two thirds further than 0.3 mm";
}

/// Mean force of the first presses of five places over that of the two that follow, on preset lab.
double first_over_later(std::uint64_t seed, const std::string& before) {
  auto effects = pad::drawn_preset("lab", seed).value();
  effects.clock = pad::no_effects().clock;
  const EffectRecording recording(
      effects,
      before +
          R"({"do": "staircase", "sites": 5, "depths_mm": [0.6], "dwell_s": 0.5, "repeats": 3})",
      elastic_pad(5, 5), seed);
  double first = 0, later = 0;
  std::map<int, int> pressed;
  for (const auto& press : recording.presses()) {
    if (!press.usable()) continue;
    const auto& hold = press.holds[0];
    const double zero_N = recording.force({press.begin_s + 0.05, press.begin_s + 0.85}).mean();
    const double force_N = recording.force({hold.begin_s + 0.1, hold.end_s}).mean() - zero_N;
    (pressed[press.tactel.value()]++ == 0 ? first : later) += force_N;
  }
  return 2 * first / later;
}

TEST(ConditioningEffect, OnALabFirstPressesAreStifferAndBehindItTheyAreNot) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_GT(first_over_later(seed, ""), 1.04) << seed;
    EXPECT_NEAR(first_over_later(seed, R"({"do": "condition", "rest_s": 30},)"), 1, 2e-3) << seed;
  }
}

}  // namespace
}  // namespace tactelier::synth
