#include "devices/interface/force_sensor.hpp"

#include <cmath>

namespace tactelier::devices {

double combined_load(const std::array<double, 6>& wrench_SI, const ForceScale& scale) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    if (!(scale.full_scale_SI[axis] > 0)) continue;
    const double part = wrench_SI[axis] / scale.full_scale_SI[axis];
    sum += part * part;
  }
  return std::sqrt(sum);
}

}  // namespace tactelier::devices
