#pragma once
// What a ripple of the force does to readings (docs/theory/point-spread.md 5). Where hysteresis is
// wider than the ripple, a reading that rises follows the crests,
//   F + kappa A_p(F) ,   A_p = ripple_N + ripple_growth F   of press p
//   (recording/force_ripple.hpp),
// and the middle of them where there is none. A is what the sensor's filter leaves of the swing.
// Nobody knows kappa beforehand but that it lies between 0 and the filter's inverse, and that no
// reading rises by more than half of its hysteresis: forces are raised by the middle of that, which
// is uncertain by the rest.

#include "fitting/psf/psf_information.hpp"

namespace tactelier {

/// A over the force, at the presses' peaks, median.
double median_ripple(const PsfProblem& problem);

/// Raises the forces of all rows, and says so in problem.ripple; leaves presses alone that are as
/// good as steady. `hysteresis`: of readings, relative to the largest.
void follow_crests(double hysteresis, PsfProblem& problem);

/// What a unit of kappa does to a group. Both must outlive it.
PsfDirection ripple_direction(const PsfProblem& problem, const PsfFit& fit);

}  // namespace tactelier
