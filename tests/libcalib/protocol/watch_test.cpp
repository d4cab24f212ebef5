// What a rig notices while it follows a plan: force, saturation, and how it holds a force.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "libcalib/protocol/force_regulator.hpp"
#include "libcalib/protocol/force_watch.hpp"
#include "libcalib/protocol/saturation_watch.hpp"

namespace tactelier {
namespace {

void see(ForceWatch& watch, double force_N, int samples, bool in_free_air) {
  for (int i = 0; i < samples; ++i) watch.see(force_N, in_free_air);
}

TEST(ForceWatch, TaresInFreeAir) {
  ForceWatch watch;
  see(watch, -0.25, 500, true);  // the tool's weight
  EXPECT_NEAR(watch.force_N(), 0, 1e-12);
  EXPECT_NEAR(watch.bias_N(), -0.25, 1e-12);
  see(watch, 1.75, 200, false);
  EXPECT_NEAR(watch.force_N(), 2, 1e-6);
}

TEST(ForceWatch, AFewSamplesOfAirAreNoBias) {
  ForceWatch watch;
  see(watch, 0.5, 50, true);
  EXPECT_FALSE(watch.tared());
  see(watch, 0.5, 50, false);
  EXPECT_NEAR(watch.force_N(), 0.5, 1e-6);
}

// 12 bit, offset 60, gain 2000 counts/N, saturation at 3800: reached at 1.87 N.
double reading(double force_N) { return std::min(60 + 2000 * force_N, 3800.0); }

double seen_at_N(double noise_counts) {
  SaturationWatch watch;
  for (int i = 0; i < 20; ++i) watch.see(reading(0), 0);
  double force_N = 0;
  for (int frame = 0; !watch.saturated() && force_N < 10; ++frame) {
    force_N += 0.004;
    watch.see(reading(force_N) + noise_counts * std::sin(1.7 * frame), force_N);
  }
  return force_N;
}

TEST(SaturationWatch, StopsATenthBeyondTheForceWhereTheReadingStopped) {
  EXPECT_NEAR(seen_at_N(0), 1.1 * 1.87, 0.05);
  // Noise may lift the last rise by a hundredth of the range, 37 counts, and 12 counts of its own.
  EXPECT_NEAR(seen_at_N(12), 1.1 * 1.87, 0.05 + 1.1 * (37 + 12) / 2000.0 + 0.03);
}

/// Where each of twenty presses at 0.3 N/s stops: motors make 45 mN of noise, 9 mN at rest.
TEST(SaturationWatch, NoiseOfMotorsIsNoSaturation) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int press = 0; press < 20; ++press) {
    SaturationWatch watch;
    for (int i = 0; i < 100; ++i) watch.see(reading(0), 9e-3 * normal(random));
    double force_N = 0;
    while (!watch.saturated() && force_N < 10) {
      force_N += 0.3 / 270;
      watch.see(reading(force_N) + 12 * normal(random), force_N + 45e-3 * normal(random));
    }
    EXPECT_GT(force_N, 1.87);
    EXPECT_LT(force_N, 1.3 * 1.87);  // a tenth, and 0.1 N of noise
  }
}

TEST(SaturationWatch, AReadingThatNeverRisesIsNoSaturation) {
  SaturationWatch watch;
  for (int i = 0; i < 1000; ++i) watch.see(60, 0.004 * i);
  EXPECT_FALSE(watch.saturated());
}

TEST(SaturationWatch, ALinearRiseIsNoSaturation) {
  SaturationWatch watch;
  for (int i = 0; i < 1000; ++i) watch.see(60 + 3.0 * i, 0.004 * i);
  EXPECT_FALSE(watch.saturated());
}

// A spring of 3 N/mm pressed 0.3 mm deep holds 0.9 N; 1 N is wanted.
TEST(ForceRegulator, BringsASpringToItsForceWithinTheDeadBand) {
  ForceRegulator regulator;
  const double k = 3000;
  regulator.learn(0.9, 0.3e-3);
  double force_N = 0.9;
  for (int ms = 0; ms < 3000; ++ms) force_N = k * (0.3e-3 - regulator.step(1e-3, 1.0, force_N));
  EXPECT_NEAR(force_N, 1.0, 0.005 + 1e-9);
  EXPECT_LT(regulator.correction_m(), 0);  // deeper
}

// A pad of 1.5 MN/m under a plate, steps of 1 um: 1.5 N a step. It had pressed a pin of 2 N/mm.
TEST(ForceRegulator, RestsWhereOneStepWouldDoMoreThanWhatIsMissing) {
  ForceRegulator regulator(1e-6);
  regulator.learn(2, 1e-3);
  const double k = 1.5e6;
  const auto spring_N = [&](double correction_m) {
    return k * std::max(0.0, std::round((1e-6 - correction_m) / 1e-6) * 1e-6);
  };
  double force_N = spring_N(0), lowest_N = 1e9;
  for (int ms = 0; ms < 10000; ++ms) {
    force_N = spring_N(regulator.step(1e-3, 4.0, force_N));
    if (ms > 5000) lowest_N = std::min(lowest_N, force_N);
  }
  EXPECT_NEAR(force_N, 4.0, 0.8);
  EXPECT_NEAR(lowest_N, force_N, 1e-9);  // and stays there
}

TEST(ForceRegulator, NeverMovesMoreThanTwentyMicrometresAtALook) {
  ForceRegulator regulator;
  for (int ms = 0; ms < 199; ++ms) regulator.step(1e-3, 10, 0);  // one look
  EXPECT_NEAR(regulator.correction_m(), -20e-6, 1e-12);
}

}  // namespace
}  // namespace tactelier
