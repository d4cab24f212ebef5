// A motor near resonance shakes hysteresis out of readings: presses simulated by a play operator,
// sample by sample, on a force that swings at the fastest speed alone.
#include "fitting/time/shaken_presses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace tactelier {
namespace {

constexpr double kLatency_s = 1.5e-3, kHalfBand_N = 0.05, kPeak_N = 2, kNoise_N = 0.02;
constexpr double kPi = std::numbers::pi;

struct Simulated {
  TimedSignal force, counts;
};

/// Up to 2 N and back at one rate, with a swing of 80 Hz; counts are 1000 per newton.
Simulated simulated(double rate_N_per_s, double amplitude_N, std::mt19937_64& random) {
  constexpr double kStep_s = 1e-4, kForce_s = 1e-3, kFrame_s = 3.7e-3, kRest_s = 0.2;
  const double way_s = kPeak_N / rate_N_per_s;
  const auto force_at = [&](double t_s) {
    const double at_s = t_s - kRest_s;
    if (at_s <= 0 || at_s >= 2 * way_s) return 0.0;
    const double course_N = rate_N_per_s * std::min(at_s, 2 * way_s - at_s);
    return course_N + std::min(amplitude_N, course_N / 2) * std::sin(2 * kPi * 80 * t_s);
  };
  std::normal_distribution<double> noise(0, kNoise_N), counts_noise(0, 5);
  Simulated press;
  double play_N = 0, next_force_s = 0, next_frame_s = 0;
  for (double t_s = 0; t_s < 2 * way_s + 2 * kRest_s; t_s += kStep_s) {
    const double felt_N = force_at(t_s - kLatency_s);
    play_N = std::max(felt_N - kHalfBand_N, std::min(felt_N + kHalfBand_N, play_N));
    if (t_s >= next_force_s) {
      press.force.time_s.push_back(t_s);
      press.force.value.push_back(force_at(t_s) + noise(random));
      next_force_s += kForce_s;
    }
    if (t_s >= next_frame_s) {
      press.counts.time_s.push_back(t_s);
      press.counts.value.push_back(1000 * play_N + counts_noise(random));
      next_frame_s += kFrame_s;
    }
  }
  return press;
}

LatencyMask mask() {
  LatencyMask mask;
  mask.min_force_N = 0.3;
  mask.max_gap_s = 0.01;
  return mask;
}

std::vector<PressLag> lags_of(double fastest_swings_N) {
  std::mt19937_64 random(17);
  std::vector<PressLag> lags;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (const double rate_N_per_s : {0.25, 0.75, 2.5, 7.5}) {
      const auto press = simulated(rate_N_per_s, rate_N_per_s > 5 ? fastest_swings_N : 0, random);
      const auto start = correlate(press.force, press.counts, mask(), 0.3);
      EXPECT_TRUE(start);
      const auto fit =
          fit_latency(smoothed(press.force, 3), press.counts, mask(), start->lag_s, 3, true);
      EXPECT_TRUE(fit);
      const auto swing = force_swing(press.force, mask().min_force_N);
      EXPECT_TRUE(swing);
      lags.push_back(
          {fit->lag_s, fit->u_lag_s, fit->rate_N_per_s, swing->amplitude_N, swing->course_N_per_s});
    }
  return lags;
}

TEST(ShakenPresses, SwingsAreToldFromCourseAndNoise) {
  std::mt19937_64 random(5);
  for (const double rate_N_per_s : {0.25, 7.5}) {
    const auto still = force_swing(simulated(rate_N_per_s, 0, random).force, 0.3);
    const auto shaken = force_swing(simulated(rate_N_per_s, 0.1, random).force, 0.3);
    ASSERT_TRUE(still && shaken);
    EXPECT_NEAR(still->amplitude_N, kNoise_N, 0.2 * kNoise_N) << rate_N_per_s;
    EXPECT_NEAR(std::sqrt(std::pow(shaken->amplitude_N, 2) - std::pow(still->amplitude_N, 2)), 0.1,
                0.015)
        << rate_N_per_s;
    if (rate_N_per_s < 1) continue;  // noise of the mean is a rate, too
    for (const auto& swing : {still, shaken})
      EXPECT_NEAR(swing->course_N_per_s, rate_N_per_s, 0.15 * rate_N_per_s);
  }
  EXPECT_FALSE(force_swing({{0, 0.1, 0.2, 0.3}, {1, 2, 1, 2}}, 0));
}

TEST(ShakenPresses, LatencyIsFoundWhereTheFastestShakeHysteresisOut) {
  for (const double swing_N : {0.03, 0.05, 0.08}) {
    const auto lags = lags_of(swing_N);
    const auto as_they_are = combine_lags(lags);
    EXPECT_TRUE(!as_they_are || as_they_are->latency_s < kLatency_s - 2e-3) << swing_N;
    const auto over = combine_shaken_lags(lags);
    ASSERT_TRUE(over) << over.error().message;
    EXPECT_NEAR(over->latency_s, kLatency_s, 2.5 * over->u_latency_s) << swing_N;
    EXPECT_LT(over->u_latency_s, 1.5e-3) << swing_N;
    EXPECT_NEAR(over->hysteresis_N, kHalfBand_N, 0.01) << swing_N;
  }
}

// The fastest alone may tell it: the others then are of one speed.
TEST(ShakenPresses, TellALatencyWhereTheOthersCannot) {
  auto lags = lags_of(0.08);
  std::erase_if(lags, [](const PressLag& lag) {
    return lag.course_N_per_s < 0.5 || (lag.course_N_per_s > 2 && lag.course_N_per_s < 5);
  });
  const auto over = combine_shaken_lags(lags);
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_NEAR(over->latency_s, kLatency_s, 2.5 * over->u_latency_s);
  EXPECT_GT(over->u_latency_s, 0.3e-3);  // by how much a swing is known
}

TEST(ShakenPresses, StillOnesAreJudgedAsEver) {
  const auto lags = lags_of(0);
  const auto over = combine_shaken_lags(lags);
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_NEAR(over->latency_s, kLatency_s, 2.5 * over->u_latency_s);
  EXPECT_LT(over->u_latency_s, 1e-3);
}

// Without hysteresis there is nothing to shake out, however a motor rings.
TEST(ShakenPresses, WithoutHysteresisEveryPressCountsAsItIs) {
  std::vector<PressLag> lags;
  for (const double rate_N_per_s : {0.3, 1.0, 3.0, 9.0})
    lags.push_back({kLatency_s, 1e-4, rate_N_per_s, 0.02 * rate_N_per_s});
  const auto over = combine_shaken_lags(lags);
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_DOUBLE_EQ(over->latency_s, combine_lags(lags)->latency_s);
  EXPECT_FALSE(combine_shaken_lags({}));
}

}  // namespace
}  // namespace tactelier
