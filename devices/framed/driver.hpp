#pragma once
// Arrays that a description covers, as the device file names them.

#include "devices/interface/driver.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

extern const Driver<TactileArray> kFramedDriver;

}  // namespace tactelier::devices
