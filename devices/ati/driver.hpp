#pragma once
// The Net F/T box as the device file names it.

#include "devices/interface/driver.hpp"
#include "devices/interface/force_sensor.hpp"

namespace tactelier::devices {

extern const Driver<ForceSensor> kNetFtDriver;

}  // namespace tactelier::devices
