#include "fitting/psf/presses_before.hpp"

namespace tactelier {

LateLine line_between(double first_N, double last_N, double peak_N) {
  return {first_N, peak_N > 0 ? (last_N - first_N) / peak_N : 0};
}

PsfDirection late_direction(const PsfFit& fit, const LinesOfGroups& lines) {
  return [&fit, &lines](const PsfGroupTerm& term) {
    const auto& line = lines[term.tactel][term.group];
    return Eigen::Vector3d(0, -fit.state.slope[term.tactel] * line.at_rest_N, line.share);
  };
}

ReadTimes read_times(const PsfPress& press, bool moving) {
  const double half_s = 0.5 * (press.release_s - press.touch_s);
  return {press.touch_s + (moving ? 0 : half_s), press.touch_s + half_s};
}

bool went_before(const PsfPress& earlier, const PsfPress& later) {
  return earlier.session == later.session && earlier.touch_s < earlier.release_s &&
         earlier.release_s < later.touch_s;
}

PsfShares shares_of_earlier(const PsfProblem& problem, const PsfFit& fit) {
  const PsfProblem only{problem.layout, problem.footprints, problem.earlier, {}, problem.frames, 1};
  return psf_shares(only, fit.model, fit.state, false);
}

}  // namespace tactelier
