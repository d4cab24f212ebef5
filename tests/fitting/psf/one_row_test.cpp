// Presses of one row each: what they scatter by is told from the noise found at rest and from what
// tactels of one press have in common. Readings made here, of point-like tactels.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "fitting/psf/press_scales.hpp"
#include "fitting/psf/psf_scatter.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/psf/weighted_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kPitch_m = 5e-3, kSigma_m = 3e-3, kNoise = 2;
constexpr int kRows = 3, kColumns = 4, kPresses = 90;
constexpr double kScatter = 0.01;  // of whole presses
constexpr double kTails = 0.15;    // of the spread, as they may be
constexpr PsfModel kPoints{.form = PsfForm::kPoint};
constexpr PsfModel kWithGhosting{.form = PsfForm::kPoint, .ghosting = true};

struct Drawn {
  PsfProblem problem;
  std::vector<double> slopes;
};

/// A part of the force spreads twice as wide.
double share_of(int tactel, const PsfPress& press, double wider = 0) {
  const double x_m = (tactel % kColumns - 0.5 * (kColumns - 1)) * kPitch_m;
  const double y_m = (tactel / kColumns - 0.5 * (kRows - 1)) * kPitch_m;
  const double away2 = std::pow(x_m - press.x_m, 2) + std::pow(y_m - press.y_m, 2);
  const auto share = [&](double sigma_m) {
    return kPitch_m * kPitch_m / (2 * std::numbers::pi * sigma_m * sigma_m) *
           std::exp(-away2 / (2 * sigma_m * sigma_m));
  };
  return (1 - wider) * share(kSigma_m) + wider * share(2 * kSigma_m);
}

/// `off`: standard, of each tactel's offset, which all its rows share. There is no dead zone;
/// `known`: which the fit knows. `tails`: standard, of the part that spreads twice as wide.
Drawn drawn(std::uint64_t seed, double off = 0, bool known = true, double tails = 0) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = kRows;
  array.columns = kColumns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  Drawn result{{PsfLayout::create(sensor).value(), {PressFootprint{}}, {}, {}, 1, 1}, {}};
  RandomSource random(seed);
  const double wider = tails > 0 ? tails * random.normal() : 0;
  std::vector<double> scale;
  for (int p = 0; p < kPresses; ++p) {
    PsfPress press;
    press.x_m = (random.uniform() - 0.5) * kColumns * kPitch_m;
    press.y_m = (random.uniform() - 0.5) * kRows * kPitch_m;
    press.peak_N = 0.5 + 1.5 * random.uniform();
    result.problem.presses.push_back(press);
    scale.push_back(1 + kScatter * random.normal());
  }
  for (int t = 0; t < kRows * kColumns; ++t) {
    PsfTactel tactel{t, {}, {}, !known, off};
    const double slope = 800 + 1200 * random.uniform(), shift = off * random.normal();
    for (std::uint32_t p = 0; p < kPresses; ++p) {
      const auto& press = result.problem.presses[p];
      const double counts = slope * scale[p] * share_of(t, press, wider) * press.peak_N +
                            kNoise * random.normal() + shift;
      tactel.rows.push_back({press.peak_N, 0, counts, 1 / (kNoise * kNoise), PsfRowKind::kFloored});
      tactel.groups.push_back({p, p, p + 1});
    }
    result.problem.tactels.push_back(std::move(tactel));
    result.slopes.push_back(slope);
  }
  return result;
}

/// The same presses, pressed again.
PsfProblem pressed_again(const Drawn& before, std::uint64_t seed) {
  auto problem = before.problem;
  RandomSource random(seed);
  std::vector<double> scale;
  for (int p = 0; p < kPresses; ++p) scale.push_back(1 + kScatter * random.normal());
  for (std::size_t t = 0; t < problem.tactels.size(); ++t)
    for (std::size_t p = 0; p < problem.presses.size(); ++p)
      problem.tactels[t].rows[p].counts = before.slopes[t] * scale[p] *
                                              share_of(static_cast<int>(t), problem.presses[p]) *
                                              problem.presses[p].peak_N +
                                          kNoise * random.normal();
  return problem;
}

PsfData data_of(PsfProblem problem) {
  PsfData data;
  const std::vector<PsfRowNoise> noise(kPresses, {kNoise * kNoise, 0});
  data.noise.assign(problem.tactels.size(), noise);
  data.problem = std::move(problem);
  return data;
}

/// Errors over standard uncertainties, as the whole fit finds them: of all gains, of the spread and
/// of ghosting, of which there is none.
struct Scores {
  double gains = 0, spread = 0, ghosting = 0;
};

Scores rms_of(int drawings, double off, const PsfModel& model = kPoints, bool known = true) {
  Scores squares;
  for (int i = 0; i < drawings; ++i) {
    auto [problem, slopes] = drawn(static_cast<std::uint64_t>(100 + i), off, known, kTails);
    auto data = data_of(std::move(problem));
    const auto start = psf_start(data.problem, model);
    const auto fit = fit_weighted(data, model, start, kScatter, Job()).value();
    const auto found = psf_uncertainty(data.problem, fit, {100, 1}).value();
    for (std::size_t t = 0; t < slopes.size(); ++t) {
      const auto at = slope_column(fit, t);
      squares.gains += std::pow(fit.state.slope[t] - slopes[t], 2) / found.covariance(at, at) /
                       static_cast<double>(slopes.size() * static_cast<std::size_t>(drawings));
    }
    const double error = fit.state.spread.m - 2 * std::log(kSigma_m);
    squares.spread += error * error / found.covariance(0, 0) / drawings;
    const auto at = psf_columns(model, 1).ghosting;
    if (at >= 0)
      squares.ghosting += std::pow(fit.state.ghosting, 2) / found.covariance(at, at) / drawings;
  }
  return {std::sqrt(squares.gains), std::sqrt(squares.spread), std::sqrt(squares.ghosting)};
}

TEST(OneRowAPress, TellsWhatPressesScatterByFromTheNoiseOfReadings) {
  double squares = 0;
  constexpr int kDrawings = 10;
  for (std::uint64_t seed = 1; seed <= kDrawings; ++seed) {
    const auto problem = drawn(seed).problem;
    ASSERT_TRUE(problem.rows_hide_scatter());
    const auto fit = fit_psf(problem, kPoints, psf_start(problem, kPoints)).value();
    const auto scatter = scatter_of(problem, fit);
    EXPECT_NEAR(scatter.of_press, scatter.total, 0.2 * scatter.total);
    squares += scatter.of_press * scatter.of_press / kDrawings;
  }
  EXPECT_NEAR(std::sqrt(squares), kScatter, 0.1 * kScatter);
}

TEST(OneRowAPress, GivesIntervalsThatHoldWhatPressesScatterBy) {
  const auto scores = rms_of(30, 0);
  EXPECT_NEAR(scores.gains, 1, 0.12);
  EXPECT_NEAR(scores.spread, 1, 0.25);
}

TEST(OneRowAPress, GivesIntervalsThatHoldTheOffsetsThatItTakesAsKnown) {
  EXPECT_NEAR(rms_of(30, 3).gains, 1, 0.12);
}

/// Each press's scale is a parameter whose prior is in the cost.
TEST(OneRowAPress, FitsWithScalesAsWellAsTheNoiseOfReadingsSays) {
  double chi2 = 0;
  constexpr int kDrawings = 10;
  for (std::uint64_t seed = 1; seed <= kDrawings; ++seed) {
    auto data = data_of(drawn(seed).problem);
    auto fit =
        fit_weighted(data, kPoints, psf_start(data.problem, kPoints), kScatter, Job()).value();
    ASSERT_TRUE(presses_scatter(data.problem, fit, 0));
    double relative = 0;
    fit = with_press_scales(data, std::move(fit), relative, Job()).value();
    chi2 += psf_uncertainty(data.problem, fit, {100, 1}).value().chi2_per_dof / kDrawings;
  }
  EXPECT_NEAR(chi2, 1, 0.05);
}

/// A variance of d degrees of freedom scatters by sqrt(2/d) of itself: of presses that reach a
/// corner tactel a few say most, and how well they say it is known from those few.
TEST(OneRowAPress, SaysFromHowManyPressesAVarianceIsKnown) {
  constexpr int kTimes = 60;
  const auto once = drawn(7);
  const std::size_t tactels = once.slopes.size();
  std::vector<double> sum(tactels), squares(tactels), expected(tactels);
  for (int i = 0; i < kTimes; ++i) {
    auto data = data_of(pressed_again(once, static_cast<std::uint64_t>(300 + i)));
    const auto fit =
        fit_weighted(data, kPoints, psf_start(data.problem, kPoints), kScatter, Job()).value();
    const auto found = psf_uncertainty(data.problem, fit, {100, 1}).value();
    for (std::size_t t = 0; t < tactels; ++t) {
      const auto at = slope_column(fit, t);
      sum[t] += found.covariance(at, at) / kTimes;
      squares[t] += std::pow(found.covariance(at, at), 2) / kTimes;
      expected[t] += 2 / found.variance_dof(at) / kTimes;
      EXPECT_LT(found.variance_dof(at), kPresses);
    }
  }
  double scatters = 0, as_stated = 0;
  for (std::size_t t = 0; t < tactels; ++t) {
    scatters += squares[t] / (sum[t] * sum[t]) - 1;
    as_stated += expected[t];
  }
  EXPECT_NEAR(as_stated / scatters, 1, 0.3);
}

/// An offset that is too low looks like ghosting where intercepts can only be dead zones.
TEST(OneRowAPress, TakesOffsetsThatAreTooLowForNoGhosting) {
  const auto scores = rms_of(30, 3, kWithGhosting, false);
  EXPECT_NEAR(scores.ghosting, 1, 0.3);
  EXPECT_NEAR(scores.gains, 1, 0.15);
  EXPECT_NEAR(scores.spread, 1, 0.3);
}

}  // namespace
}  // namespace tactelier
