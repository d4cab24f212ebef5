#pragma once
// The joint fit with weights that follow from its own slopes (docs/theory/point-spread.md 5).

#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_fit.hpp"

namespace tactelier {

/// The round, zero-edged fit with weights from its own slopes. `relative`: what readings scatter
/// between presses.
Result<PsfFit> fit_weighted(PsfData& data, const PsfModel& model, PsfState start, double relative,
                            const Job& job);

}  // namespace tactelier
