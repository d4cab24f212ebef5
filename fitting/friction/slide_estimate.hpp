#pragma once
// From whole slides to the estimate that friction_report.hpp makes parameters of.

#include "fitting/friction/friction_estimate.hpp"
#include "fitting/friction/slide_search.hpp"

namespace tactelier {

/// Puts what was found in place of what steady sliding and presliding gave, refusals included.
/// Where nothing was found, adds why as a warning.
void take_whole_slides(const SlideResult& found, FrictionEstimate& estimate);

}  // namespace tactelier
