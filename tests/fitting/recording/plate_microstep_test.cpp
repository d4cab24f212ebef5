// Presses of a rigid plate by a stage with microsteps, made here: a frame of 6 um/N that seats by
// 5 um, as soft as 5 um of microstep error.

#include "fitting/recording/plate_microstep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kC1 = 6e-6, kC2 = 5e-6, kF0_N = 0.5;
constexpr double kStep_m = 2.5e-6, kPeriod_m = 16 * kStep_m;
constexpr double kBacklash_m = 17e-6;
constexpr double kPeak_N = 15;

double error_m(double nut_m, double amplitude_m) {
  return amplitude_m * std::sin(2 * std::numbers::pi * nut_m / kPeriod_m + 1);
}

/// Force of a frame that is bent so far.
double force_N(double bent_m) {
  double low_N = 0, high_N = 2 * kPeak_N;
  for (int i = 0; i < 60; ++i) {
    const double middle_N = (low_N + high_N) / 2;
    const double there_m = kC1 * middle_N - kC2 * std::expm1(-middle_N / kF0_N);
    (there_m < bent_m ? low_N : high_N) = middle_N;
  }
  return low_N;
}

/// In and out, in steps; while going up the nut stays behind by the backlash.
PlatePress press(double amplitude_m) {
  constexpr double kTouch_m = 3e-3;
  PlatePress made;
  const auto add = [&](double travel_m, double nut_m) {
    const double bent_m = nut_m - error_m(nut_m, amplitude_m) - kTouch_m;
    if (bent_m < 1e-6) return;
    made.travel_m.push_back(travel_m);
    made.force_N.push_back(force_N(bent_m));
  };
  const double bottom_m = kTouch_m + kC1 * kPeak_N + kC2;
  for (double nut_m = kTouch_m; nut_m < bottom_m; nut_m += 0.1e-6) add(nut_m, nut_m);
  for (double nut_m = bottom_m; nut_m > kTouch_m; nut_m -= 0.1e-6) add(nut_m - kBacklash_m, nut_m);
  return made;
}

PlateFit fit_loading(const PlatePress& whole) {
  return fit_plate(std::array{loading_branch(whole)}).value();
}

TEST(PlateMicrostep, IsFoundByItsPeriodAndSize) {
  const auto loading = loading_branch(press(5e-6));
  const auto found = find_plate_microstep({&loading, 1}, kStep_m);
  EXPECT_NEAR(found.period_m, kPeriod_m, 1e-12);
  EXPECT_NEAR(std::hypot(found.sine_m, found.cosine_m), 5e-6, 0.3e-6);
}

TEST(PlateMicrostep, OutOfItTheFrameShowsWhatItBendsAndHowItSeats) {
  auto whole = press(5e-6);
  const auto spoilt = fit_loading(whole);
  EXPECT_GT(std::abs(spoilt.compliance.c1_m_per_N / kC1 - 1), 0.01);
  const auto loading = loading_branch(whole);
  take_off(find_plate_microstep({&loading, 1}, kStep_m), kBacklash_m, whole);
  const auto fit = fit_loading(whole);
  EXPECT_NEAR(fit.compliance.c1_m_per_N, kC1, 0.005 * kC1);
  EXPECT_TRUE(fit.seating);
  EXPECT_NEAR(fit.compliance.c2_m, kC2, 0.1 * kC2);
}

TEST(PlateMicrostep, OnTheWayOutTheNutStandsDeeperByTheBacklash) {
  auto whole = press(5e-6);
  const auto loading = loading_branch(whole);
  take_off(find_plate_microstep({&loading, 1}, kStep_m), kBacklash_m, whole);
  // At equal forces both branches lie apart by the backlash alone.
  const auto ways = plate_ways(std::array{whole});
  ASSERT_EQ(ways.size(), 2U);
  const auto fit = fit_plate(ways).value();
  EXPECT_NEAR(fit.z0_m[0] - fit.z0_m[1], kBacklash_m, 0.3e-6);
  EXPECT_LT(fit.rms_m, 0.4e-6);
}

TEST(PlateMicrostep, WithoutOneNothingIsTakenOut) {
  const auto whole = press(0);
  const auto loading = loading_branch(whole);
  EXPECT_EQ(find_plate_microstep({&loading, 1}, kStep_m).period_m, 0);
  EXPECT_EQ(find_plate_microstep({&loading, 1}, 0).period_m, 0);  // no steps
}

}  // namespace
}  // namespace tactelier
