#pragma once
// Play operators of the whole array from the loops of all presses.

#include "fitting/response/response_tactel.hpp"

namespace tactelier {

/// Fills response.hysteresis_model when loading and unloading differ by more than the operators'
/// own misfit; leaves it empty else. Thresholds are the grid's (assumed), weights are identified.
void write_play(std::span<const TactelFit> fits, Response& response, StageQuality& quality);

}  // namespace tactelier
