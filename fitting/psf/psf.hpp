#pragma once
// Stage `psf`: point spread, registration and each tactel's own gain and threshold from presses at
// and between tactels, all together (docs/theory/point-spread.md), and what the array's mean says
// of tactels that no press reached.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Needs `contact` and `response`. Fills model.psf, gain and threshold of response.tactels[],
/// model.quality["psf"] and covariance blocks.
Result<void> run_psf(FitContext& context);

}  // namespace tactelier
