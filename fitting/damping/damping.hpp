#pragma once
// The stage "damping": Kelvin-Voigt or Hunt-Crossley from presses at several speeds.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.damping and quality["damping"]. Uses model.relaxation where it is known.
Result<void> run_damping(FitContext& context);

}  // namespace tactelier
