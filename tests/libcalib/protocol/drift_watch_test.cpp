// The drift of a zero and how well it is known, against lines by hand and against drawn noise.

#include "libcalib/protocol/drift_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tactelier {
namespace {

constexpr double kLimit_N_per_s = 2e-3 / 60;

/// Watches means of a second until it says "still" or half an hour is over.
struct Watched {
  DriftWatch watch{kLimit_N_per_s};
  std::optional<double> still_s;

  template <class Zero>
  Watched(std::uint32_t seed, double noise_N, const Zero& zero_N) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, noise_N);
    for (int i = 0; i < 1800 && !still_s; ++i) {
      watch.add(i, zero_N(i) + noise(random));
      if (watch.still()) still_s = i;
    }
  }
};

TEST(DriftWatch, SaysNothingBeforeAMinuteAndThenTheSlopeOfTheLine) {
  DriftWatch watch(kLimit_N_per_s);
  for (int i = 0; i < 60; ++i) watch.add(i, 0.3 - 1e-4 * i);
  EXPECT_FALSE(watch.drift());
  watch.add(60, 0.3 - 1e-4 * 60);
  ASSERT_TRUE(watch.drift());
  EXPECT_NEAR(watch.drift()->per_s, -1e-4, 1e-15);
  EXPECT_NEAR(watch.drift()->u_per_s, 0, 1e-12);
  EXPECT_NEAR(watch.drift()->watched_s, 60, 1e-12);
  EXPECT_FALSE(watch.still());
}

TEST(DriftWatch, UncertaintyOfWorkedNoise) {
  // 61 means that alternate by +-1 mN: s^2 = 61e-6 / 59 (the slope of it is nearly 0), stt =
  // 61 (61^2 - 1) / 12 = 18910 s^2, and noise that alternates is not correlated upwards.
  DriftWatch watch(kLimit_N_per_s);
  for (int i = 0; i <= 60; ++i) watch.add(i, i % 2 == 0 ? 1e-3 : -1e-3);
  ASSERT_TRUE(watch.drift());
  EXPECT_NEAR(watch.drift()->u_per_s, std::sqrt(61e-6 / 59 / 18910), 2e-9);
}

TEST(DriftWatch, ItsUncertaintyIsTheScatterOfWhatItFinds) {
  // 15 mN of noise at 1000 per second: 0.5 mN from mean to mean.
  constexpr int kSeeds = 300;
  double squares = 0, u = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    std::normal_distribution<double> noise(0, 0.5e-3);
    DriftWatch watch(kLimit_N_per_s);
    for (int i = 0; i <= 60; ++i) watch.add(i, noise(random));
    ASSERT_TRUE(watch.drift());
    squares += watch.drift()->per_s * watch.drift()->per_s / kSeeds;
    u += watch.drift()->u_per_s / kSeeds;
  }
  EXPECT_NEAR(u / std::sqrt(squares), 1, 0.15);
}

TEST(DriftWatch, ADriftAtTheLimitIsHardlyEverCalledStillHoweverLongItIsWatched) {
  // 15 mN at 7 per second: 5.7 mN from mean to mean. A slope that is exactly the limit for half an
  // hour, looked at 1740 times.
  int wrong = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed)
    wrong += Watched(seed, 5.7e-3, [](int i) { return kLimit_N_per_s * i; }).still_s ? 1 : 0;
  EXPECT_LE(wrong, 5);
}

TEST(DriftWatch, NoiseDecidesHowLongAStillZeroMustBeWatched) {
  const auto still = [](int) { return 0.1; };
  double quiet_s = 0, noisy_s = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Watched quiet(seed, 0.5e-3, still), noisy(seed, 5.7e-3, still);
    ASSERT_TRUE(quiet.still_s && noisy.still_s) << seed;
    quiet_s = std::max(quiet_s, *quiet.still_s);
    noisy_s += *noisy.still_s / 20;
  }
  EXPECT_EQ(quiet_s, 60) << "u is 3.7e-6 N/s, a ninth of the limit, at once";
  EXPECT_GT(noisy_s, 120) << "u after 60 s is 4.2e-5 N/s, more than the limit";
}

TEST(DriftWatch, AWarmUpIsStillWhenItHasFallenAndNotBefore) {
  // 40 mN with 300 s: 8 mN/min at first, 2 mN/min after 300 ln 4 = 416 s.
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Watched watched(seed, 0.5e-3, [](int i) { return -0.04 * std::exp(-i / 300.0); });
    ASSERT_TRUE(watched.still_s);
    EXPECT_GT(*watched.still_s, 416) << seed;
    EXPECT_LT(*watched.still_s, 720) << seed;
  }
}

TEST(DriftWatch, ADriftThatTurnsRoundIsNotStillWhereItsHalvesContradict) {
  // Falls by 6 mN/min, then rises by as much: the line through all of it is level.
  const Watched watched(1, 0.2e-3,
                        [](int i) { return 1e-4 * std::abs(i - 100) + (i > 400 ? 1e-4 : 0) * i; });
  EXPECT_FALSE(watched.still_s);
}

TEST(DriftWatch, ADriftThatHasEndedIsForgottenBeforeItHasLeftTheWindow) {
  // 20 mN/min for 200 s, then nothing: the window holds 300 s.
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Watched watched(seed, 0.5e-3, [](int i) { return 20e-3 / 60 * std::min(i, 200); });
    ASSERT_TRUE(watched.still_s) << seed;
    EXPECT_GT(*watched.still_s, 200) << seed;
    EXPECT_LT(*watched.still_s, 400) << seed;
  }
}

TEST(DriftWatch, TimeLeftFollowsTheDecay) {
  // Decay of 300 s from 8 mN/min: the limit is met at 416 s, 166 s from here.
  double mean_s = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.2e-3);
    DriftWatch watch(kLimit_N_per_s);
    for (int i = 0; i <= 250; ++i) watch.add(i, -0.04 * std::exp(-i / 300.0) + noise(random));
    ASSERT_TRUE(watch.left_s()) << seed;
    mean_s += *watch.left_s() / 20;
  }
  EXPECT_NEAR(mean_s, 166, 40);
  DriftWatch steady(kLimit_N_per_s);
  for (int i = 0; i <= 250; ++i) steady.add(i, 1e-3 * i);
  EXPECT_FALSE(steady.left_s()) << "it doesn't fall";
}

}  // namespace
}  // namespace tactelier
