#pragma once
// For formats that know rectangular grids alone, one set of numbers for all tactels of an array.

#include <string_view>

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// Rows and columns at equal distances in a plane.
bool is_flat_grid(const SensorArray& array);

/// Fails with kInvalidInput, naming the first array that is no flat grid.
Result<void> all_flat_grids(const SensorDescription& sensor, std::string_view target);

/// What becomes of the tactels' own numbers: one for all, and dead ones read as the others.
void add_one_for_all_losses(const SensorModel& model, std::string_view target,
                            std::vector<Loss>& losses);

/// The middle tactel's force at saturation; nothing where no tactel has gain, offset and
/// saturation (a threshold that is not known counts as 0).
std::optional<double> middle_saturation_N(const SensorModel& model);

}  // namespace tactelier
