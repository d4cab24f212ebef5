#pragma once
// A recording's streams as the device file names them.

#include "devices/registry/registry.hpp"

namespace tactelier::devices {

extern const Driver<MotionStage> kReplayStageDriver;
extern const Driver<ForceSensor> kReplayForceDriver;
extern const Driver<TactileArray> kReplayTactileDriver;

}  // namespace tactelier::devices
