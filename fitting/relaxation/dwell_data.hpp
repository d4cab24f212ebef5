#pragma once
// The rests of a staircase, each a short hold behind a step of its own
// (docs/theory/damping-and-relaxation.md 3): where no depth was held for long, they show how the
// pad relaxes while it was loaded.

#include <vector>

#include "fitting/relaxation/hold_data.hpp"

namespace tactelier {

/// All rests at a depth of usable staircases, each with the steps before it in its trace. Times up
/// to half of the staircase show. Fails only for damage and cancellation.
Result<std::vector<HoldPress>> load_dwells(const FitContext& context);

}  // namespace tactelier
