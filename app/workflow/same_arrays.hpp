#pragma once
// Whether a recording is of the arrays that a model describes.

#include <algorithm>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// Layout, places and poses. How wide tactels are may have been found by a fit (CELL-WIDTH) and
/// makes no other sensor.
inline bool same_arrays(const SensorDescription& model, const SensorDescription& recorded) {
  return std::equal(model.arrays.begin(), model.arrays.end(), recorded.arrays.begin(),
                    recorded.arrays.end(), [](SensorArray a, SensorArray b) {
                      a.area_m2 = b.area_m2 = std::nullopt;
                      return a == b;
                    });
}

}  // namespace tactelier
