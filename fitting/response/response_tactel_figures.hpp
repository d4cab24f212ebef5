#pragma once
// Hysteresis and its kin for one fitted tactel.

#include "fitting/response/response_tactel.hpp"

namespace tactelier {

/// Full scale in counts: saturation less offset where it was reached, else the converter's range,
/// else the largest reading less offset.
TactelFigures tactel_figures(const TactelData& data, const TactelFit& fit);

/// Way in and way out of each press that shows both, as means over forces.
std::vector<ReadingLoop> reading_loops(const TactelData& data, const TactelFit& fit);

}  // namespace tactelier
