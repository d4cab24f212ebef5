#pragma once
// Stages as the device file names them.

#include "devices/registry/registry.hpp"

namespace tactelier::devices {

extern const Driver<MotionStage> kGrblDriver;
extern const Driver<MotionStage> kManualDriver;

}  // namespace tactelier::devices
