// Truth: oracles/05_response.json (SciPy), 01_errata.json (the seeds' numbers) and exact lines.
#include "fitting/response/affine_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "libcalib/models/response/affine.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using oracle::within;

ResponsePress oracle_press() {
  const auto columns = oracle::csv("05_affine.csv");
  return {columns.at("F_N"), columns.at("count"), 0};
}

TEST(AffineFit, MatchesTheOraclesCensoredFit) {
  const auto expected = oracle::json("05_response.json")["affine"]["censored_all"];
  const AffineSettings settings{Clip::kCensored, Clip::kCensored, 3840, 25, 0, 0.8 * 2.4};
  const auto fit = fit_affine(std::array{oracle_press()}, settings);
  ASSERT_TRUE(fit) << fit.error().message;
  const double threshold = expected["F_trigger_N"], gain = expected["kappa_N_per_count"],
               cost = expected["cost_half_sum_sq"];
  EXPECT_NEAR(fit->threshold_N, threshold, within(threshold, 1e-6));
  EXPECT_NEAR(fit->gain_N_per_count, gain, within(gain, 1e-6));
  EXPECT_NEAR(fit->cost, cost, within(cost, 1e-6));
}

TEST(AffineFit, WithForceNoiseFindsDemingsSlopeAndNotTheAttenuatedOne) {
  const auto expected = oracle::json("05_response.json")["deming"];
  const auto columns = oracle::csv("05_deming.csv");
  const ResponsePress press{columns.at("F_N"), columns.at("count"), 0};
  const AffineSettings settings{Clip::kNone, Clip::kNone, 0, 30, 0.05, 1.6};
  const auto fit = fit_affine(std::array{press}, settings);
  ASSERT_TRUE(fit) << fit.error().message;
  const double slope = expected["slope_deming"], intercept = expected["intercept_deming"];
  EXPECT_NEAR(1 / fit->gain_N_per_count, slope, within(slope, 1e-6));
  EXPECT_NEAR(-fit->threshold_N / fit->gain_N_per_count, intercept, within(intercept, 1e-6));
  auto exact = settings;
  exact.sigma_force_N = 0;
  const double attenuated = expected["slope_ols_c_on_F"];
  EXPECT_NEAR(1 / fit_affine(std::array{press}, exact)->gain_N_per_count, attenuated,
              within(attenuated, 1e-6));
}

TEST(AffineFit, FindsTheSeedsExactLine) {
  // S1: F = 0.2 N + kappa c, kappa = (1.8 - 0.2)/3840 N/count, readings end at 3840.
  const double kappa = oracle::json("05_response.json")["affine"]["truth"]["kappa_N_per_count"];
  ResponsePress press;
  for (int i = 0; i <= 240; ++i) {
    press.force_N.push_back(0.01 * i);
    press.counts.push_back(std::clamp((press.force_N.back() - 0.2) / kappa, 0.0, 3840.0));
  }
  const AffineSettings settings{Clip::kCensored, Clip::kCensored, 3840, 0.3, 0, 1.9};
  const auto fit = fit_affine(std::array{press}, settings);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->gain_N_per_count, 4.16666666666667e-4, 1e-14);
  EXPECT_NEAR(fit->threshold_N, 0.2, 1e-10);
  const AffineResponse response{0, fit->threshold_N, fit->gain_N_per_count, 3840};
  EXPECT_NEAR(response.force(1920, 1).force_N, 1.0, 1e-9);
  EXPECT_NEAR(response.saturation_force_N(), 1.8, 1e-9);
}

/// Loading ramp of a visible-offset tactel: o = 60, sigma 6 counts, F_t 0.2 N.
ResponsePress visible_press(RandomSource& random, double sigma_force_N) {
  ResponsePress press;
  press.offset_counts = 60;
  for (int i = 0; i < 400; ++i) {
    const double truth_N = 1.5 * i / 399.0;
    press.force_N.push_back(truth_N + sigma_force_N * random.normal());
    press.counts.push_back(
        std::round(60 + std::max(0.0, truth_N - 0.2) / 4e-4 + 6 * random.normal()));
  }
  return press;
}

TEST(AffineFit, TakesTheLargerOfOffsetAndLineWhereTheOffsetIsVisible) {
  RandomSource random(5);
  const auto press = visible_press(random, 0);
  const AffineSettings settings{Clip::kVisible, Clip::kNone, 0, 6, 0, 1.2};
  const auto fit = fit_affine(std::array{press}, settings);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->threshold_N, 0.2, 1e-3);
  EXPECT_NEAR(fit->gain_N_per_count, 4e-4, 1e-6);
  EXPECT_NEAR(2 * fit->cost / 398, 1, 0.2);
}

TEST(AffineFit, StaysUnbiasedWhenTheForceIsNoisyNextToTheDeadZone) {
  RandomSource random(6);
  const AffineSettings settings{Clip::kVisible, Clip::kNone, 0, 6, 0.01, 1.2};
  double threshold = 0, gain = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const auto fit = fit_affine(std::array{visible_press(random, 0.01)}, settings);
    ASSERT_TRUE(fit) << fit.error().message;
    threshold += fit->threshold_N / kRuns;
    gain += fit->gain_N_per_count / kRuns;
  }
  // Standard errors of these means: 0.15 mN and 1e-7 N/count.
  EXPECT_NEAR(threshold, 0.2, 6e-4);
  EXPECT_NEAR(gain, 4e-4, 4e-7);
}

TEST(AffineFit, SaysWhenTheThresholdRestsOnZero) {
  ResponsePress press;
  for (int i = 0; i < 100; ++i) {
    press.force_N.push_back(0.01 * i);
    press.counts.push_back(100 + 2000 * (press.force_N.back() + 0.05));
  }
  press.offset_counts = 100;
  const AffineSettings settings{Clip::kVisible, Clip::kNone, 0, 1, 0, 0.8};
  const auto fit = fit_affine(std::array{press}, settings);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_TRUE(fit->threshold_at_zero);
}

TEST(AffineFit, RefusesReadingsThatDoNotRise) {
  ResponsePress press;
  for (int i = 0; i < 100; ++i) {
    press.force_N.push_back(0.01 * i);
    press.counts.push_back(500 - 3 * i);
  }
  EXPECT_FALSE(fit_affine(std::array{press}, {Clip::kVisible, Clip::kNone, 0, 1, 0, 0.8}));
}

TEST(ForceNoise, MattersFromAFifthOfTheReadingNoiseOn) {
  EXPECT_FALSE(force_noise_matters(0.9e-4, 1, 5e-4));
  EXPECT_TRUE(force_noise_matters(1.1e-4, 1, 5e-4));
}

TEST(AffineResponse, AnswersWithARangeOutsideItsLine) {
  const AffineResponse response{60, 0.2, 4e-4, 3840};
  EXPECT_EQ(response.counts(0.1), 60);
  EXPECT_NEAR(response.counts(0.6), 1060, 1e-9);
  EXPECT_EQ(response.counts(9), 3840);
  EXPECT_EQ(response.force(70, 18).range, AffineResponse::Range::kBelowTrigger);
  EXPECT_EQ(response.force(3840, 18).range, AffineResponse::Range::kSaturated);
  EXPECT_NEAR(response.force(1060, 18).force_N, 0.6, 1e-12);
}

}  // namespace
}  // namespace tactelier
