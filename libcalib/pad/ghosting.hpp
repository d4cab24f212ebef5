#pragma once
// Ghosting of a matrix that is read line by line: a tactel reads a part of what lies on the others
// of its row and of its column.
//   f'_i = f_i + g (1 + u) sum_{others of the row} f_j + g (1 - u) sum_{others of the column} f_j
// g = ReadingEffects::ghosting, u = ghosting_uneven.

#include <span>

#include "libcalib/pad/effects.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::pad {

/// Shares or forces by tactel; both as long as the sensor has tactels, and not the same.
void add_ghosts(const SensorDescription& sensor, const ReadingEffects& effects,
                std::span<const double> own, std::span<double> ghosted);

}  // namespace tactelier::pad
