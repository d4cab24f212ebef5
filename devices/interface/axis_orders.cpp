#include "devices/interface/axis_orders.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tactelier::devices {

AxisSteps steps_at(const AxisScales& scales, const StagePosition& at_m) {
  AxisSteps steps{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    steps[axis] = std::llround((at_m[axis] - scales[axis].zero_m) / scales[axis].m_per_step);
  return steps;
}

StagePosition place_of(const AxisScales& scales, const AxisSteps& steps) {
  StagePosition at_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    at_m[axis] = scales[axis].zero_m + static_cast<double>(steps[axis]) * scales[axis].m_per_step;
  return at_m;
}

std::vector<AxisOrder> axis_orders(const AxisScales& scales, const AxisSteps& from,
                                   const AxisSteps& to, double speed_m_per_s,
                                   double acceleration_m_per_s2) {
  StagePosition way_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    way_m[axis] = static_cast<double>(to[axis] - from[axis]) * scales[axis].m_per_step;
  const double length_m = std::hypot(way_m[0], way_m[1], way_m[2]);
  std::vector<AxisOrder> orders;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (to[axis] == from[axis]) continue;
    const double share = std::abs(way_m[axis]) / length_m;
    const double steps_per_m = share / std::abs(scales[axis].m_per_step);
    orders.push_back(
        {axis, to[axis], speed_m_per_s * steps_per_m, acceleration_m_per_s2 * steps_per_m});
  }
  if (way_m[2] > 0) std::rotate(orders.begin(), orders.end() - 1, orders.end());
  return orders;
}

}  // namespace tactelier::devices
