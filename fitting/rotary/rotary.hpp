#pragma once
// The stage "rotary": friction of joints from recordings of torque against angle or angular speed
// (docs/theory/friction.md 14).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.joints, one entry per joint, and quality["rotary"]; leaves both alone where no
/// session holds a joint. Fails on damage or cancellation only.
Result<void> run_rotary(FitContext& context);

}  // namespace tactelier
