#pragma once
// From what each press says of the array to the figures of the stage "array" in the model: means
// over presses and what they scatter (docs/theory/response.md 14).

#include <map>
#include <span>
#include <string>

#include "fitting/array/array_presses.hpp"

namespace tactelier {

/// Names end in the unit; NAME_u95_UNIT is the half-width of the 95 % interval. What three presses
/// don't tell is left out. `certificate`: standard uncertainty of the force's gain, a share.
std::map<std::string, double> array_figures(std::span<const ArrayPresses::Figured> presses,
                                            double certificate, const SensorModel& model);

}  // namespace tactelier
