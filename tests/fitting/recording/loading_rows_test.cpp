// A staircase as rubber answers it: each step is a ramp, in each dwell the force falls with the
// logarithm of time while hysteresis would hold a reading up.

#include "fitting/recording/loading_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr double kRate_hz = 270, kNoise_N = 0.015;
constexpr std::size_t kRamp = 54, kDwell = 1350;  // rows

struct Staircase {
  PressData data;
  PressContact contact;
  std::vector<double> above_N;  // the noiseless force over the highest before

  explicit Staircase(int steps) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise_N(0, kNoise_N);
    double highest_N = 0, begun_N = 0;
    for (int step = 0; step < steps; ++step)
      for (std::size_t i = 0; i < kRamp + kDwell; ++i) {
        const double top_N = 0.7 * (step + 1);
        const double dwelt_s = (static_cast<double>(i) - static_cast<double>(kRamp)) / kRate_hz;
        const double force_N =
            i < kRamp ? begun_N + (top_N - begun_N) * static_cast<double>(i + 1) / kRamp
                      : top_N - 0.035 * std::log10(1 + dwelt_s / 0.01);
        if (i + 1 == kRamp + kDwell) begun_N = force_N;
        above_N.push_back(force_N - highest_N);
        highest_N = std::max(highest_N, force_N);
        data.time_s.push_back(static_cast<double>(data.time_s.size()) / kRate_hz);
        data.force_N.push_back(force_N + noise_N(random));
      }
    data.period_s = 1 / kRate_hz;
    data.peak = static_cast<std::size_t>(
        std::max_element(data.force_N.begin(), data.force_N.end()) - data.force_N.begin());
    contact.sigma_force_N = kNoise_N;
  }
};

/// Judged row by row against the highest before, with 6 sigma of 15 mN, more than a second of each
/// dwell passes for loading.
TEST(LoadingRows, OfAStaircaseAreItsRampsAndNotItsDwells) {
  const Staircase stairs(6);
  const auto rows = loading_rows(stairs.data, stairs.contact, 0, stairs.data.peak);
  std::size_t rising = 0, latest = 0;
  double lowest_N = 0;
  for (const auto row : rows) {
    const auto in_step = row % (kRamp + kDwell);
    if (in_step < kRamp)
      ++rising;
    else
      latest = std::max(latest, in_step - kRamp);
    lowest_N = std::min(lowest_N, stairs.above_N[row]);
  }
  EXPECT_LT(static_cast<double>(latest) / kRate_hz, 0.15);
  EXPECT_GT(lowest_N, -0.06);
  EXPECT_GT(rising, 6 * kRamp * 3 / 4);
}

TEST(LoadingRows, OfARampAreAllOfIt) {
  const Staircase stairs(1);
  const auto rows = loading_rows(stairs.data, stairs.contact, 0, kRamp - 1);
  EXPECT_EQ(rows.size(), kRamp);
}

/// Of a table with a few readings a level no mean is taken.
TEST(LoadingRows, OfFewReadingsEachStandsForItself) {
  PressData data;
  data.time_s = {0, 1, 2, 3, 4, 5};
  data.force_N = {0, 1, 2, 1.5, 2.5, 3};
  data.period_s = 1;
  data.peak = 5;
  PressContact contact;
  contact.sigma_force_N = 0.01;
  EXPECT_EQ(loading_rows(data, contact, 0, 5), (std::vector<std::size_t>{0, 1, 2, 4, 5}));
  EXPECT_EQ(loading_rows(data, contact, 1, 9), (std::vector<std::size_t>{1, 2, 4, 5}));
  EXPECT_TRUE(loading_rows(data, contact, 6, 9).empty());
}

}  // namespace
}  // namespace tactelier
