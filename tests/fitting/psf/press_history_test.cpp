// Presses that scatter as wholes, rubber that remembers and a stage with play, on readings made
// here by formulas of their own: products of error functions, sums over the presses before.

#include "fitting/psf/press_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/psf/press_scales.hpp"
#include "fitting/psf/psf_scatter.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.7e-3;
constexpr int kSide = 6;  // tactels
constexpr int kLine = 7;  // presses, half a pitch apart, in lines that go to and fro
constexpr double kPeak_N = 1.5, kLasted_s = 1.5, kEvery_s = 4;
constexpr double kThreshold_N = 0.06, kNoise = 3;  // counts

enum class Fall { kExponential, kTwoTimes, kLogarithm };

struct Truth {
  double press_scatter = 0;
  double memory = 0;
  double play_m = 0;
  double reading_scatter = 0;  // of each tactel in each press
  double apart = 0.5;          // pitches between presses
  double held_s = 0;           // a press at the corner (1, 1) pitch, up to 3 s before the others
  double force_offset_N = 0;   // that readings answer to beyond the measured force,
  bool other_way = false;      // only in each other line, pressed another way
  double held_on = 0;          // part of the largest load that readings hold on to, for
  double held_on_s = 20;
  Fall fall = Fall::kExponential;
  bool moving = false;
};

/// Of what readings hold on to, this is left so long after.
double left_after(const Truth& truth, double s) {
  if (truth.fall == Fall::kExponential) return std::exp(-s / truth.held_on_s);
  if (truth.fall == Fall::kTwoTimes) return 0.6 * std::exp(-s / 6) + 0.4 * std::exp(-s / 90);
  return std::max(0.0, 1 - std::log10(1 + s) / 2.5);
}

double share_of(double from_press_m) {
  const double at = from_press_m / (std::sqrt(2.0) * kSigma_m);
  const double half = kPitch_m / 2 / (std::sqrt(2.0) * kSigma_m);
  return 0.5 * (std::erf(at + half) - std::erf(at - half));
}

/// `drawn`: gets the variance of the scales that were drawn.
PsfProblem pressed(const Truth& truth, std::uint64_t seed, double* drawn = nullptr) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = array.columns = kSide;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  PsfProblem problem{PsfLayout::create(sensor).value(), {PressFootprint{}}, {}, {}, 1, 1};
  RandomSource random(seed);
  std::vector<double> scale;
  for (int line = 0; line < kLine; ++line)
    for (int i = 0; i < kLine; ++i) {
      const bool back = line % 2 == 1;
      PsfPress press;
      press.x_m = ((back ? kLine - 1 - i : i) - kLine / 2) * kPitch_m * truth.apart;
      press.y_m = (line - kLine / 2) * kPitch_m * truth.apart;
      // The first press of a line is reached along y: it keeps the way of the line before.
      press.came_against = {i == 0 ? !back && line > 0 : back, false};
      press.touch_s = kEvery_s * static_cast<double>(problem.presses.size());
      press.release_s = press.touch_s + kLasted_s;
      press.peak_N = press.mean_N = kPeak_N;
      press.way = truth.other_way && line % 2 == 1 ? 1 : 0;
      problem.presses.push_back(press);
      scale.push_back(std::exp(truth.press_scatter * random.normal()));
    }
  if (drawn != nullptr) {
    double sum = 0, squares = 0;
    for (const double s : scale) {
      sum += std::log(s);
      squares += std::log(s) * std::log(s);
    }
    const auto n = static_cast<double>(scale.size());
    *drawn = (squares - sum * sum / n) / (n - 1);
  }
  PsfPress held;
  held.x_m = held.y_m = kPitch_m;
  held.release_s = -3;
  held.touch_s = held.release_s - truth.held_s;
  held.peak_N = held.mean_N = kPeak_N;
  if (truth.held_s > 0) problem.earlier.push_back(held);
  for (int t = 0; t < kSide * kSide; ++t) {
    const double x_m = (t % kSide - 0.5 * (kSide - 1)) * kPitch_m;
    const double y_m = (t / kSide - 0.5 * (kSide - 1)) * kPitch_m;
    PsfTactel tactel{t, {}, {}, true};
    std::vector<double> load_N;  // of each press at its peak
    const double slope = 4000 * std::exp(0.1 * random.normal());
    for (std::uint32_t p = 0; p < problem.presses.size(); ++p) {
      const auto& press = problem.presses[p];
      const double stood_m = press.x_m + (press.came_against[0] ? truth.play_m : 0);
      const double w = scale[p] * share_of(x_m - stood_m) * share_of(y_m - press.y_m);
      // Rows of a press that moves are of its loading; others are read half-way, say.
      const auto read_s = [&](double force_N) {
        return press.touch_s + 0.5 * kLasted_s * (truth.moving ? force_N / kPeak_N : 1);
      };
      const auto rest_N = [&](double force_N) {
        const double at_s = read_s(force_N);
        double sum_N = truth.memory * share_of(x_m - held.x_m) * share_of(y_m - held.y_m) *
                       kPeak_N * std::log10(1 + truth.held_s / (at_s - held.release_s));
        for (std::uint32_t q = 0; q < p; ++q)
          sum_N += truth.memory * load_N[q] *
                   std::log10(1 + kLasted_s / (at_s - problem.presses[q].release_s));
        return sum_N;
      };
      // What is left of the largest load less what the load there is holds up itself.
      const auto held_on_N = [&](double force_N) {
        double largest_N = 0;
        for (std::uint32_t q = 0; q < p; ++q)
          largest_N = std::max(
              largest_N,
              load_N[q] * left_after(truth, read_s(force_N) - problem.presses[q].release_s));
        return truth.held_on * std::max(0.0, largest_N - w * force_N);
      };
      const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
      const double own =
          truth.reading_scatter > 0 ? std::exp(truth.reading_scatter * random.normal()) : 1;
      for (int i = 1; i <= 8; ++i) {
        const double force_N = kPeak_N * i / 8;
        const double offset_N = truth.other_way && press.way == 0 ? 0 : truth.force_offset_N;
        const double line =
            own * slope *
            (w * (force_N + offset_N) + rest_N(force_N) + held_on_N(force_N) - kThreshold_N);
        const double sigma = std::hypot(kNoise, truth.reading_scatter * line);
        if (line > 10 * kNoise)
          tactel.rows.push_back({force_N, 0, line + kNoise * random.normal(), 1 / (sigma * sigma),
                                 PsfRowKind::kLine});
      }
      load_N.push_back(w * kPeak_N);
      const auto end = static_cast<std::uint32_t>(tactel.rows.size());
      if (end > begin) tactel.groups.push_back({p, begin, end});
    }
    if (tactel.rows.size() >= 8) problem.tactels.push_back(std::move(tactel));
  }
  return problem;
}

double sigma_error(const PsfFit& fit) { return std::exp(fit.state.spread.m / 2) / kSigma_m - 1; }

TEST(PressScales, LeaveTheSpreadToWhatTactelsOfAPressSayOfEachOther) {
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    auto problem = pressed({.press_scatter = 0.05}, seed);
    const PsfModel model;
    const auto plain = fit_psf(problem, model, psf_start(problem, model)).value();
    without += std::pow(sigma_error(plain), 2) / 6;
    problem.press_scatter = 0.05;
    const auto scaled = fit_psf(problem, model, plain.state).value();
    with += std::pow(sigma_error(scaled), 2) / 6;
  }
  EXPECT_LT(std::sqrt(with), 0.0015);
  EXPECT_GT(std::sqrt(without), 3 * std::sqrt(with));
}

/// As the fit of a recording finds it: scatter and scales in turn.
double found_scatter(PsfProblem problem) {
  const PsfModel model;
  auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
  problem.press_scatter = scatter_of(problem, fit).total;
  for (int turn = 0; turn < 6; ++turn) {
    fit = fit_psf(problem, model, fit.state).value();
    problem.press_scatter = scatter_of_scales(problem, fit);
  }
  return problem.press_scatter;
}

TEST(PressScales, ScatterAsDrawnHoweverMuchReadingsScatterBeside) {
  for (const auto& [of_press, of_reading] : {std::pair(0.05, 0.01), std::pair(0.02, 0.05)}) {
    double found = 0, drawn = 0;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
      double of_this = 0;
      const Truth truth{.press_scatter = of_press, .reading_scatter = of_reading, .apart = 0.8};
      const double scatter = found_scatter(pressed(truth, seed, &of_this));
      found += scatter * scatter;
      drawn += of_this;
    }
    EXPECT_NEAR(std::sqrt(found / drawn), 1, 0.1) << of_press;
  }
}

TEST(PressHistoryTest, FindsWhatTheRubberRemembersAndTheStagesPlay) {
  auto problem = pressed({.memory = 0.04, .play_m = 25e-6}, 3);
  const PsfModel model{.ghosting = true};
  auto fit = fit_psf_twice(problem, model, psf_start(problem, model)).value();
  const double before = fit.cost, ghosting_before = fit.state.ghosting;
  PressHistory history(false);
  for (int turn = 0; turn < 8; ++turn) {
    history.refine(fit, problem);
    fit = fit_psf_twice(problem, model, fit.state).value();
  }
  EXPECT_NEAR(problem.memory_per_decade, 0.04, 0.001);
  EXPECT_EQ(problem.zero_return.part, 0);
  EXPECT_NEAR(history.play_m()[0], 25e-6, 1e-6);
  EXPECT_EQ(history.play_m()[1], 0);
  EXPECT_NEAR(sigma_error(fit), 0, 0.002);
  EXPECT_NEAR(fit.state.ghosting, 0, 0.0008);
  EXPECT_GT(before, 3 * fit.cost);
  EXPECT_GT(std::abs(ghosting_before), 0.001);
}

/// A hold of 600 s near the presses, of which no row is fitted.
TEST(PressHistoryTest, RemembersAHoldWithoutRows) {
  auto problem = pressed({.memory = 0.05, .held_s = 600}, 5);
  auto forgetful = problem;
  forgetful.earlier.clear();
  const auto found = [](PsfProblem& presses) {
    const PsfModel model{.ghosting = true};
    auto fit = fit_psf_twice(presses, model, psf_start(presses, model)).value();
    PressHistory history(false);
    for (int turn = 0; turn < 8; ++turn) {
      history.refine(fit, presses);
      fit = fit_psf_twice(presses, model, fit.state).value();
    }
    return fit;
  };
  const auto fit = found(problem);
  EXPECT_NEAR(problem.memory_per_decade, 0.05, 0.002);
  EXPECT_NEAR(sigma_error(fit), 0, 0.001);
  const auto without = found(forgetful);
  EXPECT_GT(without.cost, 1.4 * fit.cost);
}

struct Refined {
  PsfProblem problem;
  PsfFit fit;
};

/// In turns with its memory, play and offsets, presses scattering by 2 %.
Refined refined(PsfProblem problem, bool moving = true) {
  const PsfModel model;
  auto fit = fit_psf_twice(problem, model, psf_start(problem, model)).value();
  problem.press_scatter = 0.02;
  fit = fit_psf_twice(problem, model, fit.state).value();
  PressHistory history(moving);
  for (int turn = 0; turn < 8; ++turn) {
    history.refine(fit, problem);
    fit = fit_psf_twice(problem, model, fit.state).value();
  }
  return {std::move(problem), std::move(fit)};
}

// 12 mN beyond forces of up to 1.5 N, as the blows of a motor's steps leave in readings that keep
// them: a threshold for each tactel can't take it up, since presses beside it share it less.
TEST(PressHistoryTest, FindsTheForceThatReadingsAnswerToBeyondTheMeasured) {
  const auto problem = pressed({.press_scatter = 0.02, .force_offset_N = 12e-3}, 6);
  const auto found = refined(problem);
  ASSERT_EQ(found.problem.force_offsets.size(), 1U);
  EXPECT_NEAR(found.problem.force_offsets[0].value_N, 12e-3, 0.6e-3);
  EXPECT_NEAR(found.problem.force_offsets[0].u_N, 3e-3, 0.3e-3);  // a quarter of it
  EXPECT_NEAR(sigma_error(found.fit), 0, 0.001);
  const auto without = refined(problem, false);
  EXPECT_TRUE(without.problem.force_offsets.empty());
  EXPECT_GT(std::abs(sigma_error(without.fit)), 3 * std::abs(sigma_error(found.fit)));
}

// Each way of pressing has its speed, and at one of them a motor rings.
TEST(PressHistoryTest, TellsTheOffsetsOfTwoWaysOfPressingApart) {
  const auto problem =
      refined(pressed({.press_scatter = 0.02, .force_offset_N = 12e-3, .other_way = true}, 6))
          .problem;
  ASSERT_EQ(problem.force_offsets.size(), 2U);
  EXPECT_NEAR(problem.force_offsets[0].value_N, 0, 0.6e-3);
  EXPECT_NEAR(problem.force_offsets[1].value_N, 12e-3, 1.5e-3);
}

// A raster alone: what no press tells must not keep what presses tell from being found.
TEST(PressHistoryTest, FindsTheOffsetOfAWayWhereNoOtherOccurs) {
  auto problem = pressed({.press_scatter = 0.02, .force_offset_N = 12e-3}, 6);
  for (auto& press : problem.presses) press.way = 1;
  problem = refined(std::move(problem)).problem;
  ASSERT_EQ(problem.force_offsets.size(), 2U);
  EXPECT_EQ(problem.force_offsets[0].u_N, 0);
  EXPECT_NEAR(problem.force_offsets[1].value_N, 12e-3, 0.6e-3);
}

TEST(PressHistoryTest, CarriesTheOffsetsUncertaintyIntoTheSpread) {
  auto problem = pressed({.press_scatter = 0.02}, 6);
  const PsfModel model;
  const auto plain = fit_psf_twice(problem, model, psf_start(problem, model)).value();
  problem.press_scatter = 0.02;
  const auto fit = fit_psf_twice(problem, model, plain.state).value();
  const auto u_of = [&](double u_offset_N) {
    problem.force_offsets = {{0, u_offset_N}};
    return std::sqrt(psf_uncertainty(problem, fit, {20, 1}).value().covariance(0, 0)) / 2;
  };
  // What a step of the fit by that offset moves the spread by.
  auto moved = problem;
  constexpr double kOffset_N = 5e-3;
  for (auto& tactel : moved.tactels)
    for (auto& group : tactel.groups)
      group.rest_N = kOffset_N * fit.shares.at(group.press, static_cast<std::size_t>(tactel.index));
  const auto after = fit_psf_twice(moved, model, fit.state).value();
  const double by = (after.state.spread.m - fit.state.spread.m) / 2;
  EXPECT_NEAR(std::hypot(u_of(0), by), u_of(kOffset_N), 0.1 * std::abs(by));
}

TEST(PressHistoryTest, FindsWhatReadingsHoldOnToAndForHowLong) {
  for (const double time_s : {8.0, 20.0, 60.0}) {
    SCOPED_TRACE(time_s);
    const auto problem =
        pressed({.press_scatter = 0.01, .held_on = 0.02, .held_on_s = time_s, .moving = true}, 8);
    const auto found = refined(problem);
    const auto& back = found.problem.zero_return;
    EXPECT_NEAR(back.part, 0.02, 0.002);
    EXPECT_NEAR(std::log(back.time_s / time_s), 0, 0.15);
    EXPECT_LT(std::abs(std::log(back.time_s / time_s)), 3 * back.u_log_time);
    EXPECT_NEAR(sigma_error(found.fit), 0, 0.001);
  }
}

/// Of the dead zones, all the same [N].
double mean_threshold_error_N(const PsfFit& fit) {
  double sum_N = 0;
  for (std::size_t t = 0; t < fit.state.slope.size(); ++t)
    sum_N += fit.state.intercept[t] / fit.state.slope[t] - kThreshold_N;
  return sum_N / static_cast<double>(fit.state.slope.size());
}

// Nobody knows by which law readings return: one time of an exponential stands for others well
// enough for the spread to be held, and most of the error is gone.
TEST(PressHistoryTest, HoldsTheSpreadWhereReadingsReturnByAnotherLaw) {
  for (const auto fall : {Fall::kTwoTimes, Fall::kLogarithm})
    for (const std::uint64_t seed : {8U, 9U, 10U}) {
      SCOPED_TRACE(static_cast<int>(fall));
      auto problem =
          pressed({.press_scatter = 0.01, .held_on = 0.02, .fall = fall, .moving = true}, seed);
      const auto [with, fit] = refined(problem);
      const PsfModel model;
      auto plain = fit_psf_twice(problem, model, psf_start(problem, model)).value();
      problem.press_scatter = 0.02;
      plain = fit_psf_twice(problem, model, plain.state).value();
      const double u = std::sqrt(psf_uncertainty(with, fit, {20, 1}).value().covariance(0, 0)) / 2;
      EXPECT_LT(std::abs(sigma_error(fit)), 2 * u);
      EXPECT_LT(std::abs(sigma_error(fit)), 0.5 * std::abs(sigma_error(plain)));
      EXPECT_LT(std::abs(mean_threshold_error_N(fit)),
                0.4 * std::abs(mean_threshold_error_N(plain)));
    }
}

TEST(PressHistoryTest, CarriesTheReturnsUncertaintyIntoTheSpread) {
  auto problem = pressed({.press_scatter = 0.02}, 6);
  const PsfModel model;
  const auto plain = fit_psf_twice(problem, model, psf_start(problem, model)).value();
  problem.press_scatter = 0.02;
  const auto fit = fit_psf_twice(problem, model, plain.state).value();
  const auto u_of = [&](double u) {
    problem.zero_return = {0, u, 20, 0};
    return std::sqrt(psf_uncertainty(problem, fit, {20, 1}).value().covariance(0, 0)) / 2;
  };
  // Presses of 1.5 N on a tactel are held by it until the next, 4 s later, elsewhere.
  constexpr double kPart = 0.02;
  auto moved = pressed({.press_scatter = 0.02, .held_on = kPart, .moving = true}, 6);
  moved.press_scatter = 0.02;
  const auto after = fit_psf_twice(moved, model, fit.state).value();
  const double by = (after.state.spread.m - fit.state.spread.m) / 2;
  EXPECT_NEAR(std::hypot(u_of(0), by), u_of(kPart), 0.3 * std::abs(by));
}

TEST(PressHistoryTest, FindsNothingWhereThereIsNothing) {
  auto problem = pressed({}, 4);
  const PsfModel model;
  auto fit = fit_psf_twice(problem, model, psf_start(problem, model)).value();
  PressHistory history(false);
  history.refine(fit, problem);
  EXPECT_EQ(problem.zero_return.part, 0);
  EXPECT_LT(problem.memory_per_decade, 0.0005);
  EXPECT_NEAR(history.play_m()[0], 0, 2e-6);
}

}  // namespace
}  // namespace tactelier
