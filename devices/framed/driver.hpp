#pragma once
// Tactile arrays as the device file names them.

#include "devices/registry/registry.hpp"

namespace tactelier::devices {

extern const Driver<TactileArray> kWtsDriver;
extern const Driver<TactileArray> kFramedDriver;

}  // namespace tactelier::devices
