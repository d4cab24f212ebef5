#pragma once
// How many tactels carry the contact during slides: simulators share friction out among them.

#include <span>

#include "fitting/friction/slide_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// Mean number of tactels whose reading is above a tenth of the largest one's, over the frames of
/// slides near `load_N`; std from run to run. Value 0 when no frame was recorded.
Result<Estimate> tactels_in_contact(const FitContext& context, std::span<const SlideRun> runs,
                                    double load_N);

}  // namespace tactelier
