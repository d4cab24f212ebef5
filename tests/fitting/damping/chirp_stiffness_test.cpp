// A swing about a preload whose stiffness is known at every frequency.

#include "fitting/damping/chirp_stiffness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// 20 µm about 0.6 mm, 0.1 to 10 Hz in 60 s; F = k x + c v, rows every 5 ms.
RatePress chirp(double k, double c, double noise_N) {
  RandomSource random(1);
  RatePress press;
  press.chirp = true;
  const double length_s = 60, rate = std::log(100.0) / length_s;
  for (std::size_t i = 0; i < 12000; ++i) {
    const double t = 5e-3 * static_cast<double>(i);
    const double phase = 2 * std::numbers::pi * 0.1 * std::expm1(rate * t) / rate;
    const double w = 2 * std::numbers::pi * 0.1 * std::exp(rate * t);
    RateRow row;
    row.depth_m = 6e-4 + 2e-5 * std::sin(phase);
    row.force_N = k * row.depth_m + c * 2e-5 * w * std::cos(phase) + noise_N * random.normal();
    press.rows.push_back(row);
    press.path.time_s.push_back(t);
    press.path.depth_m.push_back(row.depth_m);
    press.means.push_back({i, i + 1});
  }
  return press;
}

TEST(ChirpStiffness, StoresTheSpringAndLosesWhatGoesWithFrequency) {
  const auto found = chirp_stiffness(chirp(1800, 9, 1e-4));
  ASSERT_EQ(found.size(), 4U);  // half decades from 0.1 to 10 Hz
  for (const auto& at : found) {
    EXPECT_NEAR(at.storage_N_per_m, 1800, 5 * at.u_storage_N_per_m + 1);
    const double loss = 9 * 2 * std::numbers::pi * at.frequency_hz;
    EXPECT_NEAR(at.loss_N_per_m, loss, 5 * at.u_loss_N_per_m + 0.02 * loss);
    EXPECT_GE(at.cycles, 3U);
  }
  EXPECT_LT(found.front().frequency_hz, 0.3);
  EXPECT_GT(found.back().frequency_hz, 5);
}

TEST(ChirpStiffness, OfAPureSpringLosesNothing) {
  for (const auto& at : chirp_stiffness(chirp(1800, 0, 1e-4)))
    EXPECT_NEAR(at.loss_N_per_m, 0, 5 * at.u_loss_N_per_m + 1);
}

TEST(ChirpStiffness, LeavesOutCyclesWithHoles) {
  auto press = chirp(1800, 9, 0);
  press.rows.erase(press.rows.begin() + 6000, press.rows.begin() + 9000);
  press.means.erase(press.means.begin() + 6000, press.means.begin() + 9000);
  for (const auto& at : chirp_stiffness(press))
    EXPECT_NEAR(at.storage_N_per_m, 1800, 5) << at.frequency_hz;
}

TEST(ChirpStiffness, OfARampIsNothing) {
  auto press = chirp(1800, 9, 0);
  press.chirp = false;
  EXPECT_TRUE(chirp_stiffness(press).empty());
}

}  // namespace
}  // namespace tactelier
