#include "devices/supervision/force_envelope.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kCeiling_N = 4;
constexpr double kTouch_N = 0.05;

/// F = c d^exponent: 3 N at 1 mm.
double force_N(double depth_m, double exponent) {
  return depth_m <= 0 ? 0 : 3 * std::pow(depth_m / 1e-3, exponent);
}

/// A first press under a tip that nobody knows: steps of 20 um, then as far as the envelope says.
/// Never may a queued piece end above the ceiling, whatever the exponent.
class UnknownContact : public testing::TestWithParam<double> {};

TEST_P(UnknownContact, NoPieceOfAFirstPressEndsAboveTheCeiling) {
  const double exponent = GetParam();
  ForceEnvelope seen;
  seen.begin_press();
  double depth_m = 0;
  int pieces = 0;
  while (force_N(depth_m, exponent) < 0.9 * kCeiling_N) {
    const double now_N = force_N(depth_m, exponent);
    const double reach_m = std::max(20e-6, seen.reach_m(-depth_m, now_N, kCeiling_N));
    const double end_m = depth_m + reach_m;
    ASSERT_LT(force_N(end_m, exponent), kCeiling_N + 0.1) << "from " << depth_m * 1e6 << " um";
    for (; depth_m < end_m; depth_m += 2e-6)
      if (force_N(depth_m, exponent) > kTouch_N) seen.see(-depth_m, force_N(depth_m, exponent));
    ASSERT_LT(++pieces, 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Exponents, UnknownContact, testing::Values(1.0, 1.5, 2.0, 2.5, 3.0));

TEST(ForceEnvelope, KnowsNothingBeforeTwentyMicrometres) {
  ForceEnvelope seen;
  EXPECT_EQ(seen.reach_m(0, 0, kCeiling_N), 0);
  seen.see(0, kTouch_N);
  seen.see(-10e-6, 0.2);
  EXPECT_FALSE(seen.known());
  seen.see(-25e-6, 0.3);
  EXPECT_TRUE(seen.known());
}

TEST(ForceEnvelope, AKnownContactIsReachedToHalfTheCeilingInOnePiece) {
  ForceEnvelope seen;
  for (int i = 0; i <= 1000; ++i) seen.see(-1e-6 * i, 3e-3 * i);  // 3 N/mm
  seen.begin_press();
  EXPECT_NEAR(seen.reach_m(0.5e-3, 0, kCeiling_N), 0.667e-3, 15e-6);  // 2 N, to a few bins
  // Once it has been felt to be like the others, the rest follows.
  seen.see(0, kTouch_N);
  seen.see(-0.6e-3, 1.8);
  EXPECT_NEAR(seen.reach_m(-0.6e-3, 1.8, kCeiling_N), 0.367e-3, 15e-6);  // 1.1 N more
}

TEST(ForceEnvelope, NothingIsLeftAtTheCeiling) {
  ForceEnvelope seen;
  for (int i = 0; i <= 1000; ++i) seen.see(-1e-6 * i, 3e-3 * i);
  EXPECT_EQ(seen.reach_m(-1e-3, 4.1, kCeiling_N), 0);
}

TEST(ForceEnvelope, IsTwiceTheSteepestRise) {
  ForceEnvelope seen;
  for (int i = 0; i <= 400; ++i) {
    const double depth_m = 2.5e-6 * i;
    seen.see(-depth_m, 2000 * depth_m + 1e6 * depth_m * depth_m);  // 4 N/mm at 1 mm
  }
  EXPECT_NEAR(seen.bound_N_per_m(), 2 * 4000, 500);
}

}  // namespace
}  // namespace tactelier::rig
