#pragma once
// What a ripple of the force does to readings (docs/theory/point-spread.md 5). Where hysteresis is
// wider than the ripple, a reading that rises follows the crests, and the middle of them where
// there is none:
//   F + lambda min(1.5 A_p(F), r / w) ,   A_p = ripple_N + ripple_growth F   of press p
// with A what the sensor's filter leaves of the swing (recording/force_ripple.hpp), w the tactel's
// share of the force, and r half of the hysteresis in newtons of a tactel, above which no reading
// rises. Nobody knows lambda beforehand but that it lies between 0 and 1. Where tactels are pressed
// at several speeds, whose steps let the axis ring differently, scales of presses
// (press_scales.hpp) that go with A tell it.

#include <optional>
#include <span>

#include "fitting/psf/psf_information.hpp"

namespace tactelier {

/// A over the force, at the presses' peaks: that of the presses that ripple most.
double clear_ripple(const PsfProblem& problem);

/// By how much of themselves forces at the presses' peaks are raised by lambda = 1, mean of scans.
double most_raised(const PsfProblem& problem);

/// Raises the forces of all rows by half of the most, and says so in problem.ripple; leaves presses
/// alone that are as good as steady. `hysteresis`: of readings, relative to the largest.
void follow_crests(double hysteresis, PsfProblem& problem);

/// Lambda nearer to what presses of different ripples say, by a step from the fit to these very
/// presses. Goes along: what presses before leave and force offsets (history_directions), since a
/// common scale of forces asks for others of both, and held they would tell of one. Empty where no
/// lambda is sought, or the data don't tell.
std::optional<RippleKept> refined_ripple(const PsfProblem& problem, const PsfFit& fit,
                                         std::span<const PsfDirection> history);

/// Raises the forces of all rows by as much.
void keep_ripple(const PsfFit& fit, const RippleKept& kept, PsfProblem& problem);

/// What a unit of lambda does to a group. Both must outlive it.
PsfDirection ripple_direction(const PsfProblem& problem, const PsfFit& fit);

}  // namespace tactelier
