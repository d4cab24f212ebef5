#pragma once
// A straight way for a controller whose axes go each by themselves (Zaber; an ESP300 or a GCS
// controller would be no other): what each axis is told so that all are on their way for the same
// time. The way is straight as far as the orders arrive together: behind the first axis the others
// begin later by what one order and its answer take.

#include <cstdint>
#include <vector>

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

/// How an axis stands in the rig's stage frame.
struct AxisScale {
  double m_per_step = 0;  // negative where counts go up against the rig's axis
  double zero_m = 0;      // where the count of 0 lies
};

struct AxisOrder {
  std::size_t axis = 0;  // 0 x, 1 y, 2 z
  std::int64_t to_steps = 0;
  double speed_steps_per_s = 0, acceleration_steps_per_s2 = 0;  // > 0
};

using AxisScales = std::array<AxisScale, 3>;
using AxisSteps = std::array<std::int64_t, 3>;

AxisSteps steps_at(const AxisScales& scales, const StagePosition& at_m);
StagePosition place_of(const AxisScales& scales, const AxisSteps& steps);

/// One order for each axis that has steps to go, none where nothing moves; `speed_m_per_s` and
/// `acceleration_m_per_s2` are those along the way. Z is the first where it goes up and the last
/// where it goes down: the tip is never lower than on the straight way.
std::vector<AxisOrder> axis_orders(const AxisScales& scales, const AxisSteps& from,
                                   const AxisSteps& to, double speed_m_per_s,
                                   double acceleration_m_per_s2);

}  // namespace tactelier::devices
