#include "fitting/psf/press_history.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kForgotten = 0.01;     // of a decade
constexpr double kMostMemory = 0.3;     // per decade: more is another misfit
constexpr double kMostPlay = 0.1;       // of the pitch
constexpr double kOffsetOfPeak = 0.02;  // standard, of the force's offset beforehand: of the peaks
// Standard, of itself: it is no constant, since blows grow with the force that they fall on.
constexpr double kOffsetVaries = 0.25;

/// What a later press still finds of an earlier one, in decades; 0 where nothing.
double left_of(const PsfPress& earlier, const PsfPress& later) {
  const double since_s = later.touch_s - earlier.release_s;
  const double lasted_s = earlier.release_s - earlier.touch_s;
  if (earlier.session != later.session || !(since_s > 0) || !(lasted_s > 0)) return 0;
  const double decades = std::log10(1 + lasted_s / since_s);
  return decades > kForgotten ? decades : 0;
}

/// Of presses that have no rows.
PsfShares shares_of_earlier(const PsfProblem& problem, const PsfFit& fit) {
  const PsfProblem only{problem.layout, problem.footprints, problem.earlier, {}, problem.frames, 1};
  return psf_shares(only, fit.model, fit.state, false);
}

/// rest_i(p) at c = 1, by tactel and group.
std::vector<std::vector<double>> remembered_N(const PsfProblem& problem, const PsfFit& fit) {
  struct Earlier {
    const PsfShares* shares;
    std::size_t press = 0;
    double decades_N = 0;
  };
  const auto without_rows = shares_of_earlier(problem, fit);
  std::vector<std::vector<Earlier>> before(problem.presses.size());
  for (std::size_t p = 0; p < before.size(); ++p) {
    const auto add = [&](const std::vector<PsfPress>& presses, const PsfShares& shares) {
      for (std::size_t q = 0; q < presses.size(); ++q)
        if (const double decades = left_of(presses[q], problem.presses[p]); decades > 0)
          before[p].push_back({&shares, q, decades * presses[q].mean_N});
    };
    add(problem.presses, fit.shares);
    add(problem.earlier, without_rows);
  }
  std::vector<std::vector<double>> loads_N;
  for (const auto& tactel : problem.tactels) {
    auto& own = loads_N.emplace_back();
    for (const auto& group : tactel.groups) {
      double load_N = 0;
      for (const auto& [shares, press, decades_N] : before[group.press])
        load_N += decades_N * shares->at(press, static_cast<std::size_t>(tactel.index));
      own.push_back(load_N);
    }
  }
  return loads_N;
}

bool against(const PsfPress& press, std::size_t axis) { return press.came_against[axis]; }

/// Whether presses of one mounting came both ways along an axis: else play is part of the shift.
bool both_ways(const PsfProblem& problem, std::size_t axis) {
  std::vector<int> seen(problem.frames);
  for (const auto& press : problem.presses) seen[press.frame] |= against(press, axis) ? 1 : 2;
  return std::find(seen.begin(), seen.end(), 3) != seen.end();
}

/// Those that occur, in order.
std::vector<std::uint32_t> ways_of(const PsfProblem& problem) {
  std::set<std::uint32_t> ways;
  for (const auto& press : problem.presses) ways.insert(press.way);
  return {ways.begin(), ways.end()};
}

}  // namespace

PsfDirection force_offset_direction(const PsfProblem& problem, const PsfFit& fit,
                                    std::uint32_t way) {
  return [&problem, &fit, way](const PsfGroupTerm& term) -> Eigen::Vector3d {
    if (problem.presses[term.press].way != way) return Eigen::Vector3d::Zero();
    return {0, -fit.state.slope[term.tactel] * term.share, 0};
  };
}

void PressHistory::refine(const PsfFit& fit, PsfProblem& problem) {
  const auto loads_N = remembered_N(problem, fit);
  std::vector<PsfDirection> directions{[&](const PsfGroupTerm& term) {
    const double rest_N = loads_N[term.tactel][term.group];
    return Eigen::Vector3d(0, -fit.state.slope[term.tactel] * rest_N, 0);
  }};
  const auto columns = psf_columns(fit.model, problem.frames);
  std::vector<std::size_t> axes;
  for (const std::size_t axis : {0U, 1U}) {
    if (!fit.model.free_shift || !both_ways(problem, axis)) continue;
    axes.push_back(axis);
    directions.emplace_back([&, axis](const PsfGroupTerm& term) {
      const auto& press = problem.presses[term.press];
      const auto column = columns.first_frame +
                          static_cast<Eigen::Index>(press.frame) * columns.per_frame +
                          static_cast<Eigen::Index>(axis);
      return Eigen::Vector3d(0, 0, against(press, axis) ? term.by(column) : 0);
    });
  }
  const auto ways = moving_ ? ways_of(problem) : std::vector<std::uint32_t>();
  for (const auto way : ways) directions.push_back(force_offset_direction(problem, fit, way));
  problem.force_offsets.resize(ways.empty() ? 0 : ways.back() + 1);
  const auto step = added_parameters(problem, fit, directions);
  if (step.value.size() == 0 || !step.value.allFinite()) return;
  memory_ = std::clamp(memory_ + step.value(0), 0.0, kMostMemory);
  problem.memory_per_decade = memory_;
  take_force_offsets(step, ways, problem);
  for (std::size_t t = 0; t < loads_N.size(); ++t)
    for (std::size_t g = 0; g < loads_N[t].size(); ++g) {
      auto& group = problem.tactels[t].groups[g];
      const auto index = static_cast<std::size_t>(problem.tactels[t].index);
      const auto way = problem.presses[group.press].way;
      const double offset_N =
          way < problem.force_offsets.size() ? problem.force_offsets[way].value_N : 0;
      group.rest_N = memory_ * loads_N[t][g] + offset_N * fit.shares.at(group.press, index);
    }
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const double most_m = kMostPlay * problem.layout.pitch_m();
    const double found_m = play_m_[axes[k]] + step.value(static_cast<Eigen::Index>(k) + 1);
    const double more_m = std::clamp(found_m, -most_m, most_m) - play_m_[axes[k]];
    play_m_[axes[k]] += more_m;
    for (auto& press : problem.presses)
      if (against(press, axes[k])) (axes[k] == 0 ? press.x_m : press.y_m) += more_m;
  }
}

/// Held by what is known before: nothing but that they are small beside the presses' peaks.
void PressHistory::take_force_offsets(const PsfAdded& step, std::span<const std::uint32_t> ways,
                                      PsfProblem& problem) {
  std::vector<double> peaks_N;
  for (const auto& press : problem.presses) peaks_N.push_back(press.peak_N);
  const double known_N = kOffsetOfPeak * median(peaks_N);
  const auto first = step.value.size() - std::ssize(ways);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto at = first + static_cast<Eigen::Index>(i);
    const double variance = std::max(step.covariance(at, at), step.by_presses(at, at));
    const double part = known_N * known_N / (known_N * known_N + variance);
    auto& offset = problem.force_offsets[ways[i]];
    offset.value_N = part * (offset.value_N + step.value(at));
    offset.u_N = std::hypot(std::sqrt(part * variance), kOffsetVaries * offset.value_N);
  }
}

}  // namespace tactelier
