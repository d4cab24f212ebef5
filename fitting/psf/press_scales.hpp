#pragma once
// Presses that scatter as wholes (docs/theory/point-spread.md 5): when they get scales of their
// own, and how those are found together with what the presses before leave.

#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_fit.hpp"

namespace tactelier {

/// Whether readings scatter from press to press by more than the best model without scales
/// explains. `known`: relative, as repeats tell it; 0 where there were none, and less shows.
bool presses_scatter(const PsfProblem& problem, const PsfFit& best, double known);

/// What presses scatter as wholes, relative, of a fit that gives them scales: what those scatter,
/// less what noise makes of it, over the part of a press's own scale that gains, spread and prior
/// leave in them. A plane over their places counts for nothing (scale_prior()).
double scatter_of_scales(const PsfProblem& problem, const PsfFit& fit);

/// Presses that scatter as wholes get a scale each: what the tactels of a press say of each other
/// is free of it, and tells the spread far better than presses tell it of each other. `relative`
/// becomes what readings scatter beyond that. Scales' scatter is what they are found to scatter.
Result<PsfFit> with_press_scales(PsfData& data, PsfFit fit, double& relative, const Job& job);

}  // namespace tactelier
