#include "libcalib/pad/readout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

constexpr double kFrame_s = 0.01;

/// One row of tactels that are linear to 1000 counts per newton, from 100 to 3840 counts.
PadTruth row_truth(int columns = 1) {
  PadTruth truth;
  truth.sensor = grid_sensor(1, columns, 3.4e-3);
  TactelTruth tactel;
  tactel.offset_counts = 100;
  tactel.gain_N_per_count = 1e-3;
  tactel.saturation_counts = 3840;
  truth.tactels.assign(static_cast<std::size_t>(columns), tactel);
  return truth;
}

ReadingEffects exact() { return no_effects().reading; }

/// Reads its tactels frame after frame.
struct Array {
  PadTruth truth;
  Readout readout;
  std::vector<double> counts;
  int frame = 0;

  Array(const PadTruth& t, const ReadingEffects& effects, std::uint64_t seed = 1)
      : truth(t), readout(t, effects, kFrame_s, seed), counts(t.tactels.size()) {
    readout.set_shares(std::vector<double>(counts.size(), 1.0));
  }
  double read(double contact_N) {
    readout.read(kFrame_s * frame++, contact_N, 0, counts.size(), counts);
    return counts[0];
  }
};

TEST(Readout, IsAffineBetweenThresholdAndSaturation) {
  auto truth = row_truth();
  truth.tactels[0].threshold_N = 0.2;
  Array array(truth, exact());
  EXPECT_EQ(array.read(0), 100);
  EXPECT_EQ(array.read(0.2), 100);
  EXPECT_NEAR(array.read(1.2), 1100, 1e-9);
  EXPECT_EQ(array.read(5), 3840);
}

TEST(Readout, CountsAreWholeAndWithinTheConverter) {
  auto effects = exact();
  effects.quantised = true;
  Array array(row_truth(), effects);
  EXPECT_EQ(array.read(0.1234), 223);
  auto truth = row_truth();
  truth.tactels[0].saturation_counts = 9999;
  Array wide(truth, effects);
  EXPECT_EQ(wide.read(20), 4095);
}

TEST(Readout, AFallingSensorReadsDownwards) {
  auto truth = row_truth();
  truth.sensor.falling = true;
  Array array(truth, exact());
  EXPECT_NEAR(array.read(0.5), 4095 - 600, 1e-9);
}

TEST(Readout, NoiseHasItsDeviation) {
  auto effects = exact();
  effects.noise_counts = 8;
  Array array(row_truth(), effects);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = array.read(1) - 1100;
    sum += x / 20000;
    squares += x * x / 20000;
  }
  EXPECT_NEAR(sum, 0, 0.25);
  EXPECT_NEAR(std::sqrt(squares), 8, 0.2);
}

TEST(Readout, MainsHumIsASineOfFiftyHertz) {
  auto effects = exact();
  effects.hum_counts = 8;
  Readout readout(row_truth(), effects, 1e-3, 1);
  std::vector<double> counts(1);
  double in_phase = 0, quadrature = 0;
  for (int i = 0; i < 1000; ++i) {
    readout.read(i * 1e-3, 0, 0, 1, counts);
    const double angle = 2 * std::numbers::pi * 50 * i * 1e-3;
    in_phase += (counts[0] - 100) * std::sin(angle) / 500;
    quadrature += (counts[0] - 100) * std::cos(angle) / 500;
  }
  EXPECT_NEAR(std::hypot(in_phase, quadrature), 8, 1e-9);
}

TEST(Readout, GhostsAppearAlongRowAndColumn) {
  auto truth = row_truth();
  truth.sensor = grid_sensor(3, 3, 3.4e-3);
  truth.tactels.assign(9, truth.tactels[0]);
  auto effects = exact();
  effects.ghosting = 0.01;
  Readout readout(truth, effects, kFrame_s, 1);
  std::vector<double> shares(9, 0.0), counts(9);
  shares[4] = 1;
  readout.set_shares(shares);
  readout.read(0, 2, 0, 9, counts);
  EXPECT_NEAR(counts[4], 2100, 1e-9);
  for (const std::size_t cross : {1U, 3U, 5U, 7U}) EXPECT_NEAR(counts[cross], 120, 1e-9);
  for (const std::size_t corner : {0U, 2U, 6U, 8U}) EXPECT_NEAR(counts[corner], 100, 1e-9);
}

TEST(Readout, PressesScatterByFourPercent) {
  auto effects = exact();
  effects.press_scatter = 0.04;
  Array array(row_truth(), effects);
  double squares = 0;
  for (int i = 0; i < 5000; ++i) {
    array.readout.begin_press();
    const double x = (array.read(1) - 1100) / 1000;
    EXPECT_NEAR(array.read(2) - 100, 2000 * (1 + x), 1e-6);  // the same within a press
    squares += x * x / 5000;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.04, 0.002);
}

TEST(Readout, WhatLiesOnThePadGhostsLikeAPress) {
  auto truth = row_truth();
  truth.sensor = grid_sensor(3, 3, 3.4e-3);
  truth.tactels.assign(9, truth.tactels[0]);
  auto effects = exact();
  effects.ghosting = 0.01;
  Readout readout(truth, effects, kFrame_s, 1);
  std::vector<double> forces_N(9, 0.0), counts(9);
  forces_N[4] = 2;
  forces_N[5] = 1;
  readout.lay_N(forces_N);
  readout.read(0, 0, 0, 9, counts);
  // 1000 counts per newton above 100, and 1 % of all others of row and column.
  const std::array expected{100.0, 120.0, 110.0, 130.0, 2110.0, 1120.0, 100.0, 120.0, 110.0};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(counts[i], expected[i], 1e-9) << i;
  readout.lift();
  readout.read(kFrame_s, 0, 0, 9, counts);
  EXPECT_EQ(counts[4], 100);
}

TEST(Readout, WhatIsLaidOnScattersFromOneTimeToTheNext) {
  auto effects = exact();
  effects.press_scatter = 0.04;
  Array array(row_truth(), effects);
  double squares = 0;
  for (int i = 0; i < 5000; ++i) {
    array.readout.lay_N(std::vector{1.0});
    squares += std::pow((array.read(0) - 1100) / 1000, 2) / 5000;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.04, 0.002);
}

TEST(Readout, HysteresisIsTenPercentOfFullScale) {
  auto effects = exact();
  effects.hysteresis = 0.1;
  Array array(row_truth(), effects);  // full scale 3.74 N
  double most = 0;
  for (int i = 0; i <= 370; ++i) EXPECT_NEAR(array.read(0.01 * i), 100 + 10.0 * i, 1e-6);
  for (int i = 370; i >= 0; --i) most = std::max(most, array.read(0.01 * i) - (100 + 10.0 * i));
  EXPECT_NEAR(most, 374, 1e-6);
  EXPECT_NEAR(array.read(0), 100, 1e-9);  // closes at zero load
}

TEST(Readout, PlayOperatorsFollowTheOraclesTrace) {
  const auto hysteresis = oracle("05_response.json")["hysteresis"];
  auto truth = row_truth();
  truth.tactels[0] = {};
  truth.tactels[0].gain_N_per_count = 1;  // the weights are counts per newton
  truth.tactels[0].saturation_counts = 1e9;
  truth.sensor.adc = {};
  truth.play.thresholds_N = hysteresis["thresholds_N"].get<std::vector<double>>();
  truth.play.weights = hysteresis["weights_count_per_N"].get<std::vector<double>>();
  // The oracle counts its states from the middle of their width, ours follow a first loading.
  double shift = 0, widest_N = 0;
  for (std::size_t k = 0; k < truth.play.weights.size(); ++k) {
    shift += truth.play.weights[k] * truth.play.thresholds_N[k];
    widest_N = std::max(widest_N, truth.play.thresholds_N[k]);
  }
  Array array(truth, exact());
  bool passed = false;
  for (const auto& row : oracle_rows("05_play.csv")) {
    passed = passed || row[0] >= widest_N;
    const double counts = array.read(row[0]);
    if (passed) {
      ASSERT_NEAR(counts - shift, row[1], 1e-6) << row[0];
    }
  }
  EXPECT_TRUE(passed);
}

TEST(Readout, CreepAddsTwoPercentPerDecade) {
  auto effects = exact();
  effects.creep_per_decade = 0.02;
  Array array(row_truth(), effects);
  array.read(0);
  for (int i = 1; i <= 100001; ++i) {  // 1000 s
    const double t = (i - 1) * kFrame_s;
    const double counts = array.read(2) - 100;
    if (i == 101 || i == 1001 || i == 10001 || i == 100001) {
      EXPECT_NEAR(counts / 2000, 1 + 0.02 * std::log10(1 + t), 5e-4) << t;
    }
  }
}

TEST(Readout, ZeroReturnsSlowly) {
  auto effects = exact();
  effects.zero_return = 0.01;
  effects.zero_return_s = 20;
  Array array(row_truth(), effects);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(array.read(2), 2100, 1e-9);
  EXPECT_NEAR(array.read(0), 100 + 20, 0.02);
  for (int i = 1; i < 2000; ++i) array.read(0);
  EXPECT_NEAR(array.read(0), 100 + 20 * std::exp(-1), 0.02);
}

TEST(Readout, WarmthTakesSensitivity) {
  auto effects = exact();
  effects.temperature_per_K = -0.003;
  effects.temperature_swing_K = 1.5;
  Readout readout(row_truth(), effects, kFrame_s, 1);
  readout.set_shares(std::vector<double>{1});
  std::vector<double> counts(1);
  readout.read(900, 2, 0, 1, counts);  // a quarter of an hour's swing: +1.5 K
  EXPECT_NEAR(readout.warmer_K(900), 1.5, 1e-12);
  EXPECT_NEAR(counts[0], 100 + 2000 * (1 - 0.0045), 1e-9);
}

TEST(Readout, HasOneDeadOneStuckAndOneNoisyTactel) {
  auto effects = exact();
  effects.noise_counts = 2;
  effects.dead = effects.stuck = effects.noisy = 1;
  effects.noisy_counts = 80;
  Array array(row_truth(20), effects);
  std::vector<double> low(20, 1e9), high(20, -1e9);
  for (int i = 0; i < 200; ++i) {
    array.read(i < 100 ? 0 : 2);
    for (std::size_t k = 0; k < 20; ++k) {
      low[k] = std::min(low[k], array.counts[k]);
      high[k] = std::max(high[k], array.counts[k]);
    }
  }
  int dead = 0, stuck = 0, noisy = 0, sound = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    const double span = high[k] - low[k];
    if (span == 0)
      ++stuck;
    else if (span < 20 && high[k] < 120)
      ++dead;
    else if (span < 2040)
      ++sound;
    else
      ++noisy;
  }
  EXPECT_EQ(std::vector({dead, stuck, noisy, sound}), std::vector({1, 1, 1, 17}));
}

TEST(Readout, AMonotoneCurveIsReadThroughItsKnots) {
  auto truth = row_truth();
  truth.tactels[0].curve = {{0.1, 100}, {1, 1000}, {2, 1500}};
  Array array(truth, exact());
  EXPECT_EQ(array.read(0.05), 100);
  EXPECT_NEAR(array.read(0.55), 550, 1e-9);
  EXPECT_NEAR(array.read(1.5), 1250, 1e-9);
}

TEST(Readout, OneEffectsNoiseDoesNotDependOnAnother) {
  auto effects = exact();
  effects.noise_counts = 2;
  Array alone(row_truth(4), effects, 9);
  effects.press_scatter = 0.04;
  effects.hum_counts = 0;
  effects.dead = 1;
  Array together(row_truth(4), effects, 9);
  together.readout.begin_press();
  for (int i = 0; i < 10; ++i) {
    alone.read(0);
    together.read(0);
    EXPECT_EQ(alone.counts, together.counts);
  }
}

}  // namespace
}  // namespace tactelier::pad
