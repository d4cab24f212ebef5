#include "fitting/psf/press_history.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/psf/presses_before.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/psf/zero_return.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kMostMemory = 0.3;     // per decade: more is another misfit
constexpr double kMostPlay = 0.1;       // of the pitch
constexpr double kOffsetOfPeak = 0.02;  // standard, of the force's offset beforehand: of the peaks
// Standard, of itself: it is no constant, since blows grow with the force that they fall on.
constexpr double kOffsetVaries = 0.25;

/// What is still found of a press, in decades.
double decades_left(const PsfPress& press, double at_s) {
  return std::log10(1 + (press.release_s - press.touch_s) / (at_s - press.release_s));
}

/// rest_i(p) at c = 1.
LinesOfGroups remembered_lines(const PsfProblem& problem, const PsfFit& fit, bool moving) {
  const auto without_rows = shares_of_earlier(problem, fit);
  const auto before = presses_before(
      problem, fit.shares, without_rows, moving,
      [](const auto& press, double at_s) { return press.mean_N * decades_left(press, at_s); });
  LinesOfGroups lines;
  for (const auto& tactel : problem.tactels) {
    auto& own = lines.emplace_back();
    for (const auto& group : tactel.groups) {
      double first_N = 0, last_N = 0;
      for (const auto& one : before[group.press]) {
        const double share = one.shares->at(one.press, static_cast<std::size_t>(tactel.index));
        first_N += share * one.first_N;
        last_N += share * one.last_N;
      }
      own.push_back(line_between(first_N, last_N, problem.presses[group.press].peak_N));
    }
  }
  return lines;
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

std::vector<PsfDirection> history_directions(const PsfProblem& problem, const PsfFit& fit,
                                             bool moving) {
  std::vector<PsfDirection> directions{
      [&fit, lines = remembered_lines(problem, fit, moving)](const PsfGroupTerm& term) {
        return late_direction(fit, lines)(term);
      }};
  if (problem.zero_return.part > 0) directions.push_back(zero_return_direction(problem, fit));
  if (!moving) return directions;
  for (const auto way : ways_of(problem))
    directions.push_back(force_offset_direction(problem, fit, way));
  return directions;
}

void PressHistory::refine(const PsfFit& fit, PsfProblem& problem) {
  const auto remembered = remembered_lines(problem, fit, moving_);
  std::vector<PsfDirection> directions{late_direction(fit, remembered)};
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
  const auto first_way = std::ssize(directions);
  for (const auto way : ways) directions.push_back(force_offset_direction(problem, fit, way));
  problem.force_offsets.resize(ways.empty() ? 0 : ways.back() + 1);
  auto step = take_zero_return(fit, directions, memory_, moving_, problem);
  if (!step) {
    problem.zero_return = {};
    step = added_parameters(problem, fit, directions);
    if (step->value.size() == 0 || !step->value.allFinite()) return;
  }
  const auto& back = problem.zero_return;
  const auto late =
      back.part > 0 ? zero_return_lines(problem, fit, back.time_s, moving_) : LinesOfGroups();
  memory_ = std::clamp(memory_ + step->value(0), 0.0, kMostMemory);
  problem.memory_per_decade = memory_;
  take_force_offsets(*step, first_way, ways, problem);
  for (std::size_t t = 0; t < remembered.size(); ++t)
    for (std::size_t g = 0; g < remembered[t].size(); ++g) {
      auto& group = problem.tactels[t].groups[g];
      const auto index = static_cast<std::size_t>(problem.tactels[t].index);
      const auto way = problem.presses[group.press].way;
      const double offset_N =
          way < problem.force_offsets.size() ? problem.force_offsets[way].value_N : 0;
      group.rest_N =
          memory_ * remembered[t][g].at_rest_N + offset_N * fit.shares.at(group.press, index);
      group.rest_share = memory_ * remembered[t][g].share;
      if (!(back.part > 0)) continue;
      group.rest_N += back.part * late[t][g].at_rest_N;
      group.rest_share += back.part * late[t][g].share;
    }
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const double most_m = kMostPlay * problem.layout.pitch_m();
    const double found_m = play_m_[axes[k]] + step->value(static_cast<Eigen::Index>(k) + 1);
    const double more_m = std::clamp(found_m, -most_m, most_m) - play_m_[axes[k]];
    play_m_[axes[k]] += more_m;
    for (auto& press : problem.presses)
      if (against(press, axes[k])) (axes[k] == 0 ? press.x_m : press.y_m) += more_m;
  }
}

/// Held by what is known before: nothing but that they are small beside the presses' peaks.
void PressHistory::take_force_offsets(const PsfAdded& step, Eigen::Index first,
                                      std::span<const std::uint32_t> ways, PsfProblem& problem) {
  std::vector<double> peaks_N;
  for (const auto& press : problem.presses) peaks_N.push_back(press.peak_N);
  const double known_N = kOffsetOfPeak * median(peaks_N);
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
