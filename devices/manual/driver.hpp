#pragma once
// A stage that is turned by hand, as the device file names it.

#include "devices/interface/driver.hpp"
#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

extern const Driver<MotionStage> kManualDriver;

}  // namespace tactelier::devices
