#pragma once
// Stage "wrench": takes bias and drift out of the force of every press (docs/theory/force.md 1).
// Side forces are turned onto the sensor frame (rz_deg) where samples are read.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills context.tares, which load_press() subtracts, and quality["wrench"]. Tool weight is not
/// told from bias: the rig does not turn its force sensor.
Result<void> run_wrench(FitContext& context);

}  // namespace tactelier
