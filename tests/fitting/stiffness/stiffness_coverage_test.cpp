// Do the 95 % intervals hold the truth in 95 % of repeated recordings? Presses are made here, by
// formulas that share nothing with the fit.

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"
#include "fitting/stiffness/stiffness_press.hpp"
#include "fitting/stiffness/stiffness_sites.hpp"

namespace tactelier {
namespace {

constexpr double kTruth_N_per_m = 2000;

struct PressBench {
  double press_scatter = 0;   // relative, from press to press
  double tactel_scatter = 0;  // relative, from tactel to tactel (kept over repetitions)
  double u_z0_m = 4e-6;
  double noise_N = 0.01;
  double rho = 0.9;  // of neighbouring force samples
};

/// A ramp to 1 mm with 400 samples; the contact point that the fit is told is off by some um.
LoadingFit ramp(const PressBench& bench, double k_N_per_m, RandomSource& random) {
  LoadingBranch branch{{}, {}, true, false};
  const double z0_error_m = bench.u_z0_m * random.normal();
  double noise = random.normal();
  for (int i = 1; i <= 400; ++i) {
    const double depth_m = 2.5e-6 * i;
    noise = bench.rho * noise + std::sqrt(1 - bench.rho * bench.rho) * random.normal();
    branch.depth_m.push_back(depth_m - z0_error_m);
    branch.force_N.push_back(k_N_per_m * depth_m + bench.noise_N * noise);
  }
  return fit_loading(branch, bench.u_z0_m, 3e-3).value();
}

bool holds(const Estimate& estimate, double truth) {
  const auto p = identified(estimate, "N/m", "stiffness");
  return (*p.ci95)[0] <= truth && truth <= (*p.ci95)[1];
}

/// Percent of 400 recordings whose interval for the mean stiffness holds the mean of the tactels.
double coverage(const PressBench& bench, int tactels, int repeats, std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<double> truths;
  double mean = 0;
  for (int i = 0; i < tactels; ++i) {
    truths.push_back(kTruth_N_per_m * (1 + bench.tactel_scatter * random.normal()));
    mean += truths.back() / tactels;
  }
  constexpr int kRecordings = 400;
  int held = 0;
  for (int recording = 0; recording < kRecordings; ++recording) {
    std::vector<PressValue> presses;
    for (int tactel = 0; tactel < tactels; ++tactel)
      for (int repeat = 0; repeat < repeats; ++repeat) {
        const double k =
            truths[static_cast<std::size_t>(tactel)] * (1 + bench.press_scatter * random.normal());
        presses.push_back(
            {fmt::format("tactel {}", tactel), "", ramp(bench, k, random).k_punch.value()});
      }
    if (holds(mean_over_sites(presses).mean, mean)) ++held;
  }
  return 100.0 * held / kRecordings;
}

void expect_honest(double percent) {
  EXPECT_GE(percent, 90);
  EXPECT_LE(percent, 99);
  ::testing::Test::RecordProperty("coverage_percent", std::to_string(percent));
}

TEST(StiffnessCoverage, FiveRepeatsOnOneTactel) {
  expect_honest(coverage({.press_scatter = 0.02}, 1, 5, 11));
}

TEST(StiffnessCoverage, ThreeRepeatsOnOneTactel) {
  expect_honest(coverage({.press_scatter = 0.02}, 1, 3, 12));
}

TEST(StiffnessCoverage, FiveRepeatsOnFiveDifferentTactels) {
  expect_honest(coverage({.press_scatter = 0.02, .tactel_scatter = 0.1}, 5, 5, 13));
}

TEST(StiffnessCoverage, OnePressOnEachOfTwentyLikeTactels) {
  expect_honest(coverage({.press_scatter = 0.02}, 20, 1, 14));
}

TEST(StiffnessCoverage, OnePressWithCorrelatedNoiseAndAContactPointOffByItsError) {
  expect_honest(coverage({}, 1, 1, 15));
}

TEST(StiffnessCoverage, OnePressWhereTheNoiseDominates) {
  expect_honest(coverage({.u_z0_m = 0, .noise_N = 0.05}, 1, 1, 16));
}

}  // namespace
}  // namespace tactelier
