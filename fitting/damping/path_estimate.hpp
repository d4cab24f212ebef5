#pragma once
// Damping where the stage is sampled too seldom to show speed: from the moves it was sent.

#include "fitting/damping/damping_estimate.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Whether the stage's samples are too far apart to tell damping from latency.
bool sampled_seldom(const RateData& data);

/// Along the computed path, with the delay that the plate's step edges give. Refused is what the
/// protocol can't tell, whatever it came out as; then the reason states an upper limit. Fails only
/// for damage and cancellation.
Result<DampingEstimate> estimate_along_path(const FitContext& context, const RateData& data);

}  // namespace tactelier
