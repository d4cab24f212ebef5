#pragma once
// Zaber stages as the device file names them.

#include "devices/interface/driver.hpp"
#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

extern const Driver<MotionStage> kZaberDriver;

}  // namespace tactelier::devices
