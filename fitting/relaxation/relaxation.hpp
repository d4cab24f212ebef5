#pragma once
// The stage "relaxation": Prony branches from holds at a depth, creep of the readings.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.relaxation, response.tactels[].creep and quality["relaxation"].
Result<void> run_relaxation(FitContext& context);

}  // namespace tactelier
