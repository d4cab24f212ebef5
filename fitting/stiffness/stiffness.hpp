#pragma once
// Stage "stiffness": how hard the pad pushes back (docs/theory/contact-and-stiffness.md). Reads
// presses of kind ramp, staircase and repeat with the calibration indenter, plate presses (kind
// area) and weights.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.stiffness and quality["stiffness"]. Presses whose contact point is not known still
/// give a slope (k_affine, unloading); what goes through contact is then unidentifiable with the
/// contact stage's reason.
Result<void> run_stiffness(FitContext& context);

}  // namespace tactelier
