#pragma once
// Contactile arrays as the device file names them.

#include "devices/interface/driver.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

extern const Driver<TactileArray> kPapillArrayDriver;

}  // namespace tactelier::devices
