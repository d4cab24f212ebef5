#pragma once
// Weiss Robotics arrays as the device file names them.

#include "devices/interface/driver.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

extern const Driver<TactileArray> kWtsDriver;
extern const Driver<TactileArray> kDsaDriver;

}  // namespace tactelier::devices
