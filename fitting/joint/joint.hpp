#pragma once
// The stage "joint": what stiffness, damping and relaxation share, refined together.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Of pads that relax: stiffness becomes the long-time one, and relaxation and damping those of the
/// joint fit where it converged and agrees with the stages. Fills quality["joint"] and a covariance
/// block.
Result<void> run_joint(FitContext& context);

}  // namespace tactelier
