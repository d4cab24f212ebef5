#pragma once
// What every stage is asked before a line is sent: does the way end within its travel?

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

/// Fails with kInvalidInput, naming the axis, outside the travel (and for what is no number).
Result<void> check_travel(const StageTravel& travel, const StagePosition& to_m);

}  // namespace tactelier::devices
