#pragma once
// What every stage is asked before a line is sent: does the way end within its travel, and how fast
// may it be?

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

/// Fails with kInvalidInput, naming the axis, outside the travel (and for what is no number).
Result<void> check_travel(const StageTravel& travel, const StagePosition& to_m);

/// What the axes' own limits [m/s, m/s^2] allow along a straight way: that of the axis which has
/// the largest share of it for its limit. Infinite where nothing moves.
double along_way(const StagePosition& limits, const StagePosition& from_m,
                 const StagePosition& to_m);

}  // namespace tactelier::devices
