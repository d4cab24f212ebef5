#pragma once
// Whether rubber was conditioned (docs/protocols.md): every place that counts loaded before,
// further than anything that counts goes, with a rest behind.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Writes it into model.conditions. A session is conditioned where each of its usable presses finds
/// a conditioning press of its place, before it and before a `conditioned` event, in the session or
/// an earlier one of the same mounting.
void state_conditioning(FitContext& context);

}  // namespace tactelier
