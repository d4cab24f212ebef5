#pragma once
// The Net F/T box as the device file names it.

#include "devices/registry/registry.hpp"

namespace tactelier::devices {

extern const Driver<ForceSensor> kNetFtDriver;

}  // namespace tactelier::devices
