#include "fitting/psf/psf_choice.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/statistics/random.hpp"
#include "fitting/statistics/refusal.hpp"
#include "fitting/statistics/scalar_minimum.hpp"

namespace tactelier {
namespace {

constexpr double kSamePlace = 0.1;  // of the pitch
constexpr int kFolds = 5;
constexpr double kStillKnown = 0.1;   // of a tactel's information that must stay in training
constexpr double kClearlyBetter = 2;  // of AICc and BIC (docs/theory/statistics.md 4)
constexpr double kFormBetter = 10;    // another form has to earn the change
constexpr double kEdgeReach = 2.5;    // sigmas from the border that show what it does

/// Number of its place for each press that is used; -1 for the others.
std::vector<int> places_of(const PsfProblem& problem, int& count) {
  std::vector<int> place(problem.presses.size(), -1);
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const auto& press = problem.presses[k];
    if (!press.used) continue;
    const auto same = std::find_if(first.begin(), first.end(), [&](std::size_t other) {
      const auto& there = problem.presses[other];
      return std::hypot(press.x_m - there.x_m, press.y_m - there.y_m) <
             kSamePlace * problem.layout.pitch_m();
    });
    place[k] = static_cast<int>(same - first.begin());
    if (same == first.end()) first.push_back(k);
  }
  count = static_cast<int>(first.size());
  return place;
}

std::vector<int> shuffled(int count, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  RandomSource random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

struct Squares {
  double sum = 0, rows = 0;
};

/// What is known of a tactel's slope when its threshold is found from the same rows.
double slope_information(const PsfNormal::Local& local) {
  return local.own(1, 1) > 0 ? local.own.determinant() / local.own(1, 1) : local.own(0, 0);
}

/// A press's own scale is nothing that others predict: each press left out gets the one that suits
/// its readings, and is judged by what they say of each other.
void scale_left_out(const PsfProblem& problem, const PsfFit& fit, const std::vector<bool>& held_out,
                    PsfShares& shares) {
  const double precision = 1 / (problem.press_scatter * problem.press_scatter);
  std::vector<double> score(held_out.size(), 0.0), information(held_out.size(), precision);
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto& tactel = problem.tactels[t];
    for (const auto& group : tactel.groups) {
      if (!held_out[group.press]) continue;
      const double share = shares.at(group.press, static_cast<std::size_t>(tactel.index));
      const auto sums =
          psf_group_sums(tactel, group, fit.state.slope[t], fit.state.intercept[t], share);
      score[group.press] += sums.score(2) * share;
      information[group.press] += sums.information(2, 2) * share * share;
    }
  }
  for (std::size_t press = 0; press < held_out.size(); ++press)
    for (std::size_t i = 0; held_out[press] && i < shares.tactels; ++i)
      shares.value[press * shares.tactels + i] *= std::exp(score[press] / information[press]);
}

/// Squared residuals of the presses marked in `held_out` by a fit to the others.
Squares predict(const PsfProblem& problem, const PsfFit& fit, const PsfNormal& full,
                const std::vector<bool>& held_out) {
  PsfProblem places{problem.layout, problem.footprints, problem.presses, {}, problem.frames, 1};
  for (std::size_t k = 0; k < places.presses.size(); ++k) places.presses[k].used = held_out[k];
  auto shares = psf_shares(places, fit.model, fit.state, false);
  if (problem.press_scatter > 0) scale_left_out(problem, fit, held_out, shares);
  Squares squares;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    if (slope_information(fit.normal.locals[t]) < kStillKnown * slope_information(full.locals[t]))
      continue;
    const auto& tactel = problem.tactels[t];
    for (const auto& group : tactel.groups) {
      if (!held_out[group.press]) continue;
      squares.sum +=
          2 * psf_group_cost(tactel, group, fit.state.slope[t], fit.state.intercept[t],
                             shares.at(group.press, static_cast<std::size_t>(tactel.index)));
      squares.rows += group.end - group.begin;
    }
  }
  return squares;
}

/// Tactels of one press share that press's scatter: together they say less than as many alone,
/// unless it is fitted.
double independent_groups(const PsfProblem& problem, const PsfFit& fit) {
  double groups = 0;
  for (const auto& tactel : problem.tactels)
    for (const auto& group : tactel.groups) groups += problem.presses[group.press].used ? 1 : 0;
  if (problem.press_scatter > 0) return groups;
  const auto presses =
      static_cast<double>(std::count_if(problem.presses.begin(), problem.presses.end(),
                                        [](const PsfPress& press) { return press.used; }));
  return scatter_of(problem, fit).independent_groups(groups, presses);
}

bool near_a_border(const PsfProblem& problem, double sigma_m) {
  return std::any_of(problem.presses.begin(), problem.presses.end(), [&](const PsfPress& press) {
    return press.used && problem.layout.to_border_m(press.x_m, press.y_m) < kEdgeReach * sigma_m;
  });
}

/// Tries one model after another, from the present best.
class Contest {
 public:
  Contest(PsfProblem& problem, std::uint64_t seed, const Job& job)
      : problem_(problem), seed_(seed), job_(job) {}

  Result<std::optional<PsfFit>> challenge(const PsfFit& best, const PsfHoldout& holdout,
                                          const PsfModel& model, const std::string& name,
                                          PsfChoice& choice) {
    auto fit = fit_psf_twice(problem_, model, best.state, job_);
    if (!fit) {
      if (fit.error().code == ErrorCode::kCancelled) return fail(fit.error());
      return std::optional<PsfFit>();
    }
    const double n = independent_groups(problem_, best);
    const double more = static_cast<double>(psf_columns(model, problem_.frames).count) -
                        static_cast<double>(psf_columns(best.model, problem_.frames).count);
    const double gain = n * std::log(fit->cost / best.cost);
    PsfCandidate candidate{name, 2 * fit->cost, gain + more * std::log(n), gain + 2 * more, 0};
    const double needed = model.form != best.model.form ? kFormBetter : kClearlyBetter;
    const bool worth = candidate.delta_bic < -needed;
    std::optional<PsfFit> winner;
    if (worth && !at_limit(problem_, *fit)) {
      const auto held = psf_holdout(problem_, *fit, kFolds, seed_, job_);
      if (!held && held.error().code == ErrorCode::kCancelled) return fail(held.error());
      if (held) {
        candidate.holdout = held->rms;
        if (held->rms < holdout.rms) {
          winner = std::move(*fit);
          choice.holdout = *held;
        }
      }
    }
    choice.candidates.push_back(candidate);
    return winner;
  }

 private:
  PsfProblem& problem_;
  std::uint64_t seed_;
  const Job& job_;
};

}  // namespace

Result<PsfFit> with_ghosting(const PsfProblem& problem, PsfFit base, const Job& job) {
  auto model = base.model;
  model.ghosting = true;
  auto fit = fit_psf_twice(problem, model, base.state, job);
  if (!fit && fit.error().code == ErrorCode::kCancelled) return fit;
  const bool holds =
      fit && !at_limit(problem, *fit) && psf_condition(problem, *fit).number < kConditionWarn;
  return holds ? std::move(fit) : Result<PsfFit>(std::move(base));
}

std::vector<std::size_t> hold_out_places(PsfProblem& problem, double fraction, std::uint64_t seed) {
  int count = 0;
  const auto place = places_of(problem, count);
  const auto order = shuffled(count, seed);
  const auto wanted = static_cast<std::size_t>(std::lround(fraction * count));
  std::vector<std::size_t> left_out;
  for (std::size_t i = 0; i < wanted && i < order.size(); ++i)
    for (std::size_t k = 0; k < place.size(); ++k)
      if (place[k] == order[i]) {
        problem.presses[k].used = false;
        left_out.push_back(k);
      }
  return left_out;
}

Result<PsfHoldout> psf_holdout(PsfProblem& problem, const PsfFit& fit, int folds,
                               std::uint64_t seed, const Job& job) {
  int count = 0;
  const auto place = places_of(problem, count);
  if (count < 2)
    return fail(ErrorCode::kUnidentifiable, "fewer than two places, none can be left out");
  folds = std::min(folds, count);
  const auto order = shuffled(count, seed);
  const auto presses = problem.presses;
  Squares out;
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<bool> held_out(presses.size(), false);
    for (int i = fold; i < count; i += folds)
      for (std::size_t k = 0; k < presses.size(); ++k)
        if (place[k] == order[static_cast<std::size_t>(i)]) held_out[k] = true;
    for (std::size_t k = 0; k < presses.size(); ++k)
      problem.presses[k].used = presses[k].used && !held_out[k];
    const auto trained = fit_psf(problem, fit.model, fit.state, job);
    problem.presses = presses;
    if (!trained) return fail(trained.error());
    const auto squares = predict(problem, *trained, fit.normal, held_out);
    out.sum += squares.sum;
    out.rows += squares.rows;
  }
  PsfHoldout result;
  if (out.rows > 0) result.rms = std::sqrt(out.sum / out.rows);
  result.train = std::sqrt(2 * fit.cost / std::max(1.0, problem.used_rows()));
  return result;
}

Result<PsfChoice> choose_psf(PsfProblem& problem, PsfFit base, std::uint64_t seed, const Job& job) {
  auto start = with_ghosting(problem, std::move(base), job);
  if (!start) return fail(start.error());
  PsfChoice choice{std::move(*start), {}, {}, false};
  const auto holdout = psf_holdout(problem, choice.fit, kFolds, seed, job);
  if (!holdout) {
    if (holdout.error().code == ErrorCode::kCancelled) return fail(holdout.error());
    return choice;
  }
  choice.holdout = *holdout;
  Contest contest(problem, seed, job);
  const auto challenge = [&](const PsfModel& model, const std::string& name) -> Result<void> {
    auto won = contest.challenge(choice.fit, choice.holdout, model, name, choice);
    if (!won) return fail(won.error());
    if (*won) choice.fit = std::move(**won);
    return {};
  };
  choice.edge_tested = near_a_border(problem, std::exp(choice.fit.state.spread.m / 2));
  if (choice.edge_tested) {
    auto other = choice.fit.model;
    other.edge = PsfEdge::kRenormalised;
    if (const auto done = challenge(other, "renormalised"); !done) return fail(done.error());
  }
  if (!problem.on_strip()) {  // which says nothing of its other direction
    auto longer = choice.fit.model;
    longer.shape = PsfShape::kAnisotropic;
    if (const auto done = challenge(longer, "anisotropic"); !done) return fail(done.error());
  }
  // A strip's readings fall one way only: there the form is no more than a few per mille of them,
  // which ghosting of its one row takes up, and it changes the spread by its cells' width.
  if (choice.fit.model.form == PsfForm::kPoint && !problem.on_strip()) {
    auto touching = choice.fit.model;
    touching.form = PsfForm::kIntegrated;
    if (const auto done = challenge(touching, "touching"); !done) return fail(done.error());
  }
  // Of tactels that are points the sampled kernel is the same, but for the name of its width.
  if (choice.fit.model.form == PsfForm::kPoint) return choice;
  auto discrete = choice.fit.model;
  discrete.form = PsfForm::kSampled;
  discrete.shape = PsfShape::kIsotropic;
  discrete.free_shift = discrete.free_turn = false;
  if (const auto done = challenge(discrete, "sampled"); !done) return fail(done.error());
  return choice;
}

namespace {

/// Fits at one width after another, from the last one's state; the problem's layout is given back.
class WidthSearch {
 public:
  WidthSearch(PsfProblem& problem, const PsfFit& best,
              const std::function<Result<PsfLayout>(double)>& layout, const Job& job)
      : problem_(problem),
        own_(problem.layout),
        model_(best.model),
        state_(best.state),
        layout_(layout),
        job_(job) {
    model_.form = PsfForm::kIntegrated;
  }
  ~WidthSearch() { problem_.layout = own_; }
  WidthSearch(const WidthSearch&) = delete;
  WidthSearch& operator=(const WidthSearch&) = delete;

  /// Empty where there is none; the problem then lies on cells of that width.
  std::optional<PsfFit> at(double pitches) { return at(pitches, fit_psf_twice); }
  /// On the way to the best width, where the next one is near the last: one fit each.
  double cost(double pitches) {
    const auto fit = at(pitches, fit_psf);
    if (!fit) return std::numeric_limits<double>::max();
    state_ = fit->state;
    return fit->cost;
  }

 private:
  std::optional<PsfFit> at(double pitches, decltype(fit_psf)* by) {
    auto layout = layout_(pitches);
    if (!layout || job_.stopped()) return std::nullopt;
    problem_.layout = std::move(*layout);
    auto fit = by(problem_, model_, state_, job_);
    if (!fit || at_limit(problem_, *fit)) return std::nullopt;
    return std::move(*fit);
  }

  PsfProblem& problem_;
  PsfLayout own_;
  PsfModel model_;
  PsfState state_;
  const std::function<Result<PsfLayout>(double)>& layout_;
  const Job& job_;
};

Eigen::VectorXd parameters_of(const PsfProblem& problem, const PsfFit& fit) {
  const auto columns = psf_columns(fit.model, problem.frames);
  Eigen::VectorXd all(columns.count + 2 * static_cast<Eigen::Index>(problem.tactels.size()));
  all.setZero();
  all(0) = fit.state.spread.m;
  if (columns.first_frame == 3) all.segment(1, 2) << fit.state.spread.e1, fit.state.spread.e2;
  if (columns.ghosting >= 0) all(columns.ghosting) = fit.state.ghosting;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto row = columns.count + 2 * static_cast<Eigen::Index>(t);
    all(row) = fit.state.slope[t];
    all(row + 1) = fit.state.intercept[t];
  }
  return all;
}

}  // namespace

Result<std::optional<CellWidth>> choose_cell_width(
    PsfProblem& problem, const PsfChoice& best,
    const std::function<Result<PsfLayout>(double pitches)>& layout, std::uint64_t seed,
    const Job& job) {
  constexpr double kNarrowest = 0.25, kWidest = 0.97;  // pitches: a point, or cells that touch
  constexpr int kWidths = 5;                           // looked at before the search
  constexpr double kTolerance = 1e-3, kBeside = 0.02;
  if (best.holdout.rms <= 0) return std::nullopt;
  const double n = independent_groups(problem, best.fit);
  const double needed = best.fit.cost * std::exp(-(kFormBetter + std::log(n)) / n);
  WidthSearch search(problem, best.fit, layout, job);
  const auto lowest = minimize_on_grid([&](double width) { return search.cost(width); }, kNarrowest,
                                       kWidest, kWidths, kTolerance);
  if (job.stopped()) return Job::cancelled();
  if (!(lowest.value < needed) || lowest.x < 1.02 * kNarrowest || lowest.x > kWidest / 1.01)
    return std::nullopt;
  const auto below = search.at(lowest.x - kBeside), above = search.at(lowest.x + kBeside);
  auto fit = search.at(lowest.x);
  if (!below || !above || !fit) return std::nullopt;
  const auto held = psf_holdout(problem, *fit, kFolds, seed, job);
  if (!held && held.error().code == ErrorCode::kCancelled) return fail(held.error());
  if (!held || !(held->rms < best.holdout.rms)) return std::nullopt;
  CellWidth found;
  found.pitches = lowest.x;
  // -2 ln L rises by 1 within a standard error.
  const double rise = n * std::log(below->cost * above->cost / (fit->cost * fit->cost)) / 2;
  if (!(rise > 0)) return std::nullopt;
  found.std = kBeside / std::sqrt(rise);
  found.along = (parameters_of(problem, *above) - parameters_of(problem, *below)) / (2 * kBeside);
  found.layout = problem.layout;
  found.holdout = *held;
  found.fit = std::move(*fit);
  return found;
}

}  // namespace tactelier
