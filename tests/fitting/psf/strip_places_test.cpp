// A strip of point-like tactels pressed along its line: what it can't tell stays as stated, and the
// rest has intervals that hold. Readings made here.

#include "fitting/psf/strip_places.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "fitting/psf/psf_scatter.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/psf/weighted_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

// Standard, of the part of a force that spreads twice as wide.
constexpr double kTailsOfStrips = 0.15;
constexpr double kPitch_m = 5e-3, kSigma_m = 3.2e-3, kNoise = 2, kScatter = 0.01;
constexpr int kTactels = 8, kPresses = 80;
constexpr PsfModel kPoints{.form = PsfForm::kPoint, .free_turn = false};

SensorDescription strip(int rows, int columns) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  return sensor;
}

PsfProblem problem_of(const SensorDescription& sensor, double x_m, double y_m) {
  PsfProblem problem;
  problem.layout = PsfLayout::create(sensor).value();
  for (const double part : {-1.0, -0.4, 0.2, 1.0}) {
    PsfPress press;
    press.x_m = part * x_m;
    press.y_m = part * y_m;
    problem.presses.push_back(press);
  }
  return problem;
}

TEST(AcrossStrip, IsTheWayInWhichNeitherTactelsNorPressesDiffer) {
  const auto along_x = strip(1, kTactels), along_y = strip(kTactels, 1), array = strip(3, 4);
  EXPECT_EQ(across_strip(along_x, problem_of(along_x, 15e-3, 0)), (std::array{false, true}));
  EXPECT_EQ(across_strip(along_y, problem_of(along_y, 0, 15e-3)), (std::array{true, false}));
  // How readings fall beside the strip tells where it lies.
  EXPECT_EQ(across_strip(along_x, problem_of(along_x, 15e-3, 2.5e-3)), (std::array{false, false}));
  // Presses on one line of an array of more rows: the other rows tell.
  EXPECT_EQ(across_strip(array, problem_of(array, 7e-3, 0)), (std::array{false, false}));
}

/// Presses on the strip's line, each under another force and reading once per tactel.
PsfData drawn(std::uint64_t seed, std::vector<double>& slopes) {
  const auto sensor = strip(1, kTactels);
  PsfData data;
  auto& problem = data.problem;
  problem = {PsfLayout::create(sensor).value(), {PressFootprint{}}, {}, {}, 1, 1};
  RandomSource random(seed);
  const double wider = kTailsOfStrips * random.normal();
  std::vector<double> scale;
  for (int p = 0; p < kPresses; ++p) {
    PsfPress press;
    press.x_m = (random.uniform() - 0.5) * kTactels * kPitch_m;
    press.peak_N = 0.5 + 1.5 * random.uniform();
    problem.presses.push_back(press);
    scale.push_back(1 + kScatter * random.normal());
  }
  for (int t = 0; t < kTactels; ++t) {
    PsfTactel tactel{t, {}, {}, false, 0};
    slopes.push_back(800 + 1200 * random.uniform());
    for (std::uint32_t p = 0; p < kPresses; ++p) {
      const auto& press = problem.presses[p];
      const double away_m = (t - 0.5 * (kTactels - 1)) * kPitch_m - press.x_m;
      const auto spread = [&](double sigma_m) {
        return kPitch_m * kPitch_m / (2 * std::numbers::pi * sigma_m * sigma_m) *
               std::exp(-away_m * away_m / (2 * sigma_m * sigma_m));
      };
      const double share = (1 - wider) * spread(kSigma_m) + wider * spread(2 * kSigma_m);
      const double counts =
          slopes.back() * scale[p] * share * press.peak_N + kNoise * random.normal();
      tactel.rows.push_back({press.peak_N, 0, counts, 1 / (kNoise * kNoise), PsfRowKind::kFloored});
      tactel.groups.push_back({p, p, p + 1});
    }
    problem.tactels.push_back(std::move(tactel));
  }
  data.noise.assign(kTactels, std::vector<PsfRowNoise>(kPresses, {kNoise * kNoise, 0}));
  problem.across_strip = across_strip(sensor, problem);
  return data;
}

TEST(AcrossStrip, LeavesSpreadAndGainsOfAStripDetermined) {
  constexpr int kDrawings = 30;
  double spread = 0, gains = 0;
  for (int i = 0; i < kDrawings; ++i) {
    std::vector<double> slopes;
    auto data = drawn(static_cast<std::uint64_t>(300 + i), slopes);
    ASSERT_TRUE(data.problem.on_strip());
    const auto start = psf_start(data.problem, kPoints);
    const auto fit = fit_weighted(data, kPoints, start, kScatter, Job()).value();
    EXPECT_FALSE(at_limit(data.problem, fit));
    EXPECT_EQ(fit.state.frames[0].y_m, 0);
    const auto found = psf_uncertainty(data.problem, fit, {100, 1}).value();
    ASSERT_LT(found.condition.number, 1e3);
    const double error = fit.state.spread.m - 2 * std::log(kSigma_m);
    spread += error * error / found.covariance(0, 0) / kDrawings;
    for (std::size_t t = 0; t < slopes.size(); ++t) {
      const auto at = slope_column(fit, t);
      gains += std::pow(fit.state.slope[t] - slopes[t], 2) / found.covariance(at, at) /
               (kDrawings * kTactels);
    }
  }
  EXPECT_NEAR(std::sqrt(spread), 1, 0.25);
  EXPECT_NEAR(std::sqrt(gains), 1, 0.15);
}

}  // namespace
}  // namespace tactelier
