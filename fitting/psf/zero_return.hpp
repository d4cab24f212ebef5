#pragma once
// Readings with hysteresis hold on to a part of the largest load when it is gone, for tens of
// seconds, below the dead zone (docs/theory/point-spread.md 5):
//   rest_i(p) = z (max_q P_q w_i(q) exp(-(t_p - t_q)/tau) - F w_i(p))+       earlier presses q
// P_q the peak of q, t_p when the row is read. A load as large holds the reading up by itself, so
// that only lighter presses, and tactels beside the one pressed before, read more.

#include <optional>

#include "fitting/psf/presses_before.hpp"
#include "fitting/psf/psf_uncertainty.hpp"

namespace tactelier {

constexpr double kClearReturn = 3;  // standard uncertainties: less is none

/// Of each tactel in each press, at z = 1. `moving`: rows were read while the tip moved.
LinesOfGroups zero_return_lines(const PsfProblem& problem, const PsfFit& fit, double time_s,
                                bool moving);

/// What z does to a group, at problem.zero_return.time_s. `fit` must outlive it.
PsfDirection zero_return_direction(const PsfProblem& problem, const PsfFit& fit);

/// Steps from the fit by `others` and z, and books part, time and uncertainties in `problem`. The
/// time is the one of a grid that leaves the least cost: at first of all of it, then beside the
/// present one. Returns the step, z's own last; empty, with nothing booked, where the data don't
/// tell. `memory_per_decade`: of whose logarithm the part may hold some.
std::optional<PsfAdded> take_zero_return(const PsfFit& fit, std::vector<PsfDirection> others,
                                         double memory_per_decade, bool moving,
                                         PsfProblem& problem);

}  // namespace tactelier
