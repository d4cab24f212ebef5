#pragma once
// The stage "friction": LuGre's six numbers from slides and presliding (docs/theory/friction.md).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.friction and quality["friction"].
Result<void> run_friction(FitContext& context);

}  // namespace tactelier
