#pragma once
// What presses before one leave in its readings, over the force of its rows: each tactel and press
// of the point-spread fit gets a straight line, from what is left when the press's first rows are
// read to what is left at its peak (docs/theory/point-spread.md 5).

#include <vector>

#include "fitting/psf/psf_information.hpp"

namespace tactelier {

/// N = at_rest_N + share F.
struct LateLine {
  double at_rest_N = 0, share = 0;
};

/// From what there is at no force to what there is at the peak.
LateLine line_between(double first_N, double last_N, double peak_N);

using LinesOfGroups = std::vector<std::vector<LateLine>>;  // by tactel and group

/// Acts as so much more force on the tactels. Both must outlive it.
PsfDirection late_direction(const PsfFit& fit, const LinesOfGroups& lines);

/// A press before another, with something left of it when that one's first and last rows are read.
struct PressBefore {
  const PsfShares* shares;
  std::size_t press = 0;
  double first_N = 0, last_N = 0;
};

/// When a press's rows were read: at no force, and at its peak. Of a press that moves they are
/// those of its loading, half of the time.
struct ReadTimes {
  double first_s = 0, last_s = 0;
};
ReadTimes read_times(const PsfPress& press, bool moving);

/// Presses of one session, with times, one of which was over before the other began.
bool went_before(const PsfPress& earlier, const PsfPress& later);

/// Shares of presses that have no rows (PsfProblem::earlier).
PsfShares shares_of_earlier(const PsfProblem& problem, const PsfFit& fit);

/// By press of the problem. `left(earlier, time)` is what is left of a press [N], forgotten below a
/// hundredth of its peak.
template <class Left>
std::vector<std::vector<PressBefore>> presses_before(const PsfProblem& problem,
                                                     const PsfShares& shares,
                                                     const PsfShares& without_rows, bool moving,
                                                     Left&& left) {
  constexpr double kForgotten = 0.01;
  std::vector<std::vector<PressBefore>> before(problem.presses.size());
  for (std::size_t p = 0; p < before.size(); ++p) {
    const auto [first_s, last_s] = read_times(problem.presses[p], moving);
    const auto add = [&](const std::vector<PsfPress>& presses, const PsfShares& of) {
      for (std::size_t q = 0; q < presses.size(); ++q) {
        if (!went_before(presses[q], problem.presses[p])) continue;
        const PressBefore one{&of, q, left(presses[q], first_s), left(presses[q], last_s)};
        if (one.first_N > kForgotten * presses[q].peak_N) before[p].push_back(one);
      }
    };
    add(problem.presses, shares);
    add(problem.earlier, without_rows);
  }
  return before;
}

}  // namespace tactelier
