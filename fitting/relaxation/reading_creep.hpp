#pragma once
// Creep of readings: how a tactel's counts go on rising under the force it feels, per decade of
// time (docs/theory/response.md 9). Relaxation, the fall of the force itself, is taken out.

#include "fitting/relaxation/hold_data.hpp"

namespace tactelier {

/// Fills response.tactels[].creep from presses with a hold on tactels whose response is known, else
/// from what the tactel showed under a weight (FitContext::reading_creep).
Result<void> report_creep(FitContext& context);

}  // namespace tactelier
