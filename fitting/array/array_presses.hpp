#pragma once
// The presses of all sessions as the whole array sees them.

#include <vector>

#include "fitting/array/array_law.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Bias taken out where free air told it; at most some ten thousand rows altogether, evenly spread
/// over each press. Readings as the fit sees them: load raises them. One table of readings at rest
/// with several rounds of loads is a press for each.
Result<std::vector<ArrayPress>> load_array_presses(const FitContext& context);

}  // namespace tactelier
