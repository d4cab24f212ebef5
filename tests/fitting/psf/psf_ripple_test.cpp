// What a ripple of the force does to readings that follow its crests; pads that are pressed at two
// speeds are made here by a play operator on the swinging force.
#include "fitting/psf/psf_ripple.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/psf/psf_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// One tactel, two presses: 1 and 2 N on it, of which the second ripples by 10 mN + 2 %.
PsfProblem two_presses(double of_ripple) {
  PsfProblem problem;
  for (const double part : {1.0, 2.0}) {
    PsfPress press;
    press.peak_N = part;
    press.ripple_N = of_ripple * 0.01;
    press.ripple_growth = of_ripple * 0.02;
    problem.presses.push_back(press);
  }
  PsfTactel tactel;
  for (std::uint32_t press = 0; press < 2; ++press) {
    PsfRow row;
    row.force_N = problem.presses[press].peak_N;
    tactel.rows.push_back(row);
    tactel.groups.push_back({press, press, press + 1});
  }
  problem.tactels.push_back(tactel);
  return problem;
}

TEST(PsfRipple, RaisesForcesByHalfOfTheMostThatReadingsMayKeep) {
  auto problem = two_presses(1);
  follow_crests(0.2, problem);
  EXPECT_NEAR(problem.tactels[0].rows[0].force_N, 1 + 0.75 * 0.03, 1e-12);
  EXPECT_NEAR(problem.tactels[0].rows[1].force_N, 2 + 0.75 * 0.05, 1e-12);
  EXPECT_NEAR(problem.ripple.u, 1 / std::sqrt(12.0), 1e-8);
  EXPECT_NEAR(most_raised(problem), 1.5 * (0.03 + 0.025) / 2, 1e-12);
}

TEST(PsfRipple, RaisesByNoMoreThanHalfOfTheHysteresis) {
  auto problem = two_presses(1);  // 1.5 A/F 4.5 and 3.75 %
  follow_crests(0.05, problem);
  EXPECT_NEAR(problem.tactels[0].rows[0].force_N, 1 + 0.5 * 0.025, 1e-12);
  EXPECT_NEAR(problem.tactels[0].rows[1].force_N, 2 + 0.5 * 0.05, 1e-12);
  auto without = two_presses(1);
  follow_crests(0, without);
  EXPECT_EQ(without.tactels[0].rows[1].force_N, 2);
  EXPECT_EQ(without.ripple.u, 0);
}

TEST(PsfRipple, LeavesSteadyForcesAlone) {
  auto problem = two_presses(0.02);
  follow_crests(0.2, problem);
  EXPECT_EQ(problem.tactels[0].rows[1].force_N, 2);
  EXPECT_EQ(problem.ripple.u, 0);
}

namespace two_speeds {

constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.7e-3;
constexpr int kSide = 5;  // tactels
constexpr double kPeak_N = 3, kThreshold_N = 0.06, kNoise = 3, kSlope = 4000;
constexpr double kFilter = 1.4;  // swing over what the sensor tells of it

double share_of(double from_press_m) {
  const double at = from_press_m / (std::sqrt(2.0) * kSigma_m);
  const double half = kPitch_m / 2 / (std::sqrt(2.0) * kSigma_m);
  return 0.5 * (std::erf(at + half) - std::erf(at - half));
}

/// Each tactel pressed twice, in turn at a speed whose steps make the force swing by `told[0]` of
/// itself, as the sensor tells it, and at one of `told[1]`. Readings: play of half width `play_N`.
PsfProblem pressed_at_two_speeds(std::array<double, 2> told, double play_N, double scatter,
                                 std::uint64_t seed) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = array.columns = kSide;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  PsfProblem problem{PsfLayout::create(sensor).value(), {PressFootprint{}}, {}, {}, 1, 1};
  RandomSource random(seed);
  std::vector<double> scale;
  const auto at_m = [](int i) { return (i - 0.5 * (kSide - 1)) * kPitch_m; };
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < kSide * kSide; ++i) {
      PsfPress press;
      press.x_m = at_m(i % kSide);
      press.y_m = at_m(i / kSide);
      press.touch_s = 1e4 * static_cast<double>(problem.presses.size());
      press.release_s = press.touch_s + 1;
      press.peak_N = kPeak_N;
      press.ripple_growth = told[static_cast<std::size_t>(i + pass) % 2];
      problem.presses.push_back(press);
      scale.push_back(std::exp(scatter * random.normal()));
    }
  for (int t = 0; t < kSide * kSide; ++t) {
    PsfTactel tactel{t, {}, {}, true};
    for (std::uint32_t p = 0; p < problem.presses.size(); ++p) {
      const auto& press = problem.presses[p];
      const double share =
          scale[p] * share_of(at_m(t % kSide) - press.x_m) * share_of(at_m(t / kSide) - press.y_m);
      const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
      constexpr int kRows = 16, kCycles = 80, kSteps = 64;
      double play = -play_N;
      for (int row = 0; row < kRows; ++row) {
        double force_N = 0, counts = 0;
        for (int i = 0; i < kCycles * kSteps; ++i) {
          const double part = (row + (i + 0.5) / (kCycles * kSteps)) / kRows;
          const double swing =
              kFilter * press.ripple_growth * std::sin(2 * std::numbers::pi * i / kSteps);
          const double felt_N = share * kPeak_N * part * (1 + swing);
          play = std::clamp(play, felt_N - play_N, felt_N + play_N);
          force_N += kPeak_N * part / (kCycles * kSteps);
          counts += kSlope * (play + play_N - kThreshold_N) / (kCycles * kSteps);
        }
        if (counts > 20 * kNoise)
          tactel.rows.push_back({force_N, 0, counts + kNoise * random.normal(),
                                 1 / (kNoise * kNoise), PsfRowKind::kLine});
      }
      const auto end = static_cast<std::uint32_t>(tactel.rows.size());
      if (end > begin) tactel.groups.push_back({p, begin, end});
    }
    if (tactel.rows.size() >= 8) problem.tactels.push_back(std::move(tactel));
  }
  return problem;
}

double slope_error(const PsfFit& fit) {
  double sum = 0;
  for (const double slope : fit.state.slope) sum += slope / kSlope - 1;
  return sum / static_cast<double>(fit.state.slope.size());
}

double sigma_error(const PsfFit& fit) { return std::exp(fit.state.spread.m / 2) / kSigma_m - 1; }

PsfFit fitted(PsfProblem& problem, int turns) {
  const PsfModel model;
  auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
  problem.press_scatter = 0.01;
  for (int turn = 0; turn <= turns; ++turn) {
    fit = fit_psf(problem, model, fit.state).value();
    if (turn == turns) break;
    if (const auto kept = refined_ripple(problem, fit, {})) keep_ripple(fit, *kept, problem);
  }
  return fit;
}

}  // namespace two_speeds

TEST(PsfRipple, IsToldByPressesAtTwoSpeeds) {
  // Play of 10 % of the largest reading: at 3 %, which swings by 4.2, all is kept.
  const double widest_N = 0.05 * two_speeds::kPeak_N * std::pow(two_speeds::share_of(0), 2);
  double worst = 0, before = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto problem = two_speeds::pressed_at_two_speeds({0.03, 0.005}, widest_N, 0.01, seed);
    auto ignored = problem;
    before += two_speeds::slope_error(two_speeds::fitted(ignored, 0)) / 4;
    follow_crests(0.1, problem);
    const auto fit = two_speeds::fitted(problem, 4);
    EXPECT_NEAR(problem.ripple.part, two_speeds::kFilter / 1.5, 3 * problem.ripple.u);
    EXPECT_LT(problem.ripple.u, 0.15);
    EXPECT_NEAR(two_speeds::sigma_error(fit), 0, 0.001);
    worst = std::max(worst, std::abs(two_speeds::slope_error(fit)));
  }
  EXPECT_LT(worst, 0.005);
  EXPECT_GT(before, 0.02);
}

TEST(PsfRipple, IsKeptOnlyAsFarAsHysteresisReaches) {
  // On the tactel of the press the swing is wider than the play, beside it within.
  const double narrow_N = 0.025 * two_speeds::kPeak_N * std::pow(two_speeds::share_of(0), 2);
  auto problem = two_speeds::pressed_at_two_speeds({0.03, 0.005}, narrow_N, 0.01, 1);
  auto ignored = problem;
  const auto without = two_speeds::fitted(ignored, 0);
  follow_crests(0.05, problem);
  const auto fit = two_speeds::fitted(problem, 4);
  const auto raised_N = [&](std::uint32_t press) {  // of the tactel in the middle, at the peak
    const auto& tactel = problem.tactels.at(12);
    for (const auto& group : tactel.groups)
      if (group.press == press) return tactel.rows[group.end - 1].raised_N;
    return 0.0;
  };
  EXPECT_GT(raised_N(25 + 13), 1.2 * raised_N(12));  // beside it and on it, at the first speed
  EXPECT_GT(raised_N(12), 0);
  EXPECT_GT(two_speeds::slope_error(without), 0.01);
  EXPECT_LT(std::abs(two_speeds::slope_error(fit)), 0.005);
}

TEST(PsfRipple, IsNotSoughtInWhatOtherWaysOfPressingDiffer) {
  auto problem = two_speeds::pressed_at_two_speeds({0.03, 0}, 1, 0.01, 1);
  for (std::size_t p = 0; p < problem.presses.size(); ++p)
    problem.presses[p].way = problem.presses[p].ripple_growth > 0 ? 0 : 1;
  follow_crests(0.1, problem);
  two_speeds::fitted(problem, 2);
  EXPECT_EQ(problem.ripple.part, 0.5);
  EXPECT_NEAR(problem.ripple.u, 1 / std::sqrt(12.0), 1e-8);
}

}  // namespace
}  // namespace tactelier
