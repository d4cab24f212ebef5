// What stays of a press: rows whose means the model can give.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_evaluate.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kSlope = 4000, kIntercept = 800, kShare = 0.5;  // dead below 0.4 N

double reading(double force_N) { return std::max(0.0, kSlope * kShare * force_N - kIntercept); }

/// Holds of 400 readings at 0.3, 0.6 ... 2.1 N, with 15 readings from each to the next.
PressData staircase() {
  PressData data;
  data.counts.resize(1);
  const auto add = [&](double force_N) {
    data.time_s.push_back(static_cast<double>(data.time_s.size()) / 300);
    data.force_N.push_back(force_N);
    data.counts[0].push_back(reading(force_N));
  };
  for (int i = 0; i < 30; ++i) add(0);
  for (int step = 1; step <= 7; ++step) {
    for (int i = 1; i <= 15; ++i) add(0.3 * (step - 1 + i / 15.0));
    for (int i = 0; i < 400; ++i) add(0.3 * step);
  }
  data.peak = data.rows() - 1;
  return data;
}

TEST(PsfRows, NoRowMixesTheHoldsOfAStaircase) {
  const auto data = staircase();
  PressContact contact;
  contact.time_s = 0.1;
  const auto loading = psf_loading(data, contact);
  PsfTactel tactel;
  std::vector<PsfRowNoise> noise;
  add_rows(data, loading, 0, 0, {.noise_counts = 2}, tactel, noise);
  ASSERT_GT(tactel.rows.size(), 20U);
  double most = 0;
  for (auto row : tactel.rows) {
    row.weight = 1;
    most = std::max(most, std::abs(psf_residual(row, kSlope, kIntercept, kShare)));
  }
  EXPECT_LT(most, 2);  // counts, of 3400; a row over two holds about the threshold is 100 off
}

// A motor that steps makes ten times the noise of one that rests: taken for forces that a row
// covers, it put the spread of simulated pads 0.5 % off.
TEST(PsfRows, NoiseOfSteppingMotorsIsNoRangeOfForces) {
  constexpr double kRest_N = 4e-3, kStepping_N = 40e-3, kRise_N = 1.6e-3;  // a reading
  constexpr int kBefore = 200, kRamp = 960;
  RandomSource random(5);
  PressData data;
  data.counts.resize(1);
  for (int i = -kBefore; i < kRamp; ++i) {
    const double force_N = kRise_N * std::max(0, i);
    data.time_s.push_back(static_cast<double>(i + kBefore) / 300);
    data.force_N.push_back(force_N + (i < 0 ? kRest_N : kStepping_N) * random.normal());
    data.counts[0].push_back(reading(force_N));
  }
  data.peak = data.rows() - 1;
  PressContact contact;
  contact.time_s = static_cast<double>(kBefore) / 300;
  contact.sigma_force_N = kStepping_N;
  const auto loading = psf_loading(data, contact);
  PsfTactel tactel;
  std::vector<PsfRowNoise> noise;
  add_rows(data, loading, 0, 0, {.noise_counts = 2}, tactel, noise);
  ASSERT_GT(tactel.rows.size(), 20U);
  double mean_N = 0;
  for (const auto& row : tactel.rows)
    mean_N += row.half_range_N / static_cast<double>(tactel.rows.size());
  const double rises_N = kRise_N * kRamp / static_cast<double>(tactel.rows.size()) / 2;
  EXPECT_NEAR(mean_N, rises_N, 0.3 * rises_N);
}

TEST(PsfRows, AnOffsetTakenFromFewReadingsWeighsOnEveryRow) {
  const auto data = staircase();
  PressContact contact;
  contact.time_s = 0.1;
  const auto loading = psf_loading(data, contact);
  PsfTactel tactel;
  std::vector<PsfRowNoise> noise;
  add_rows(data, loading, 0, 0, {.offset_variance_counts2 = 0.25, .noise_counts = 2}, tactel,
           noise);
  for (const auto& each : noise) EXPECT_GT(each.counts2, 0.25);
}

}  // namespace
}  // namespace tactelier
