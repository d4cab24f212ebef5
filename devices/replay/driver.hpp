#pragma once
// A recording's streams as the device file names them.

#include "devices/interface/driver.hpp"
#include "devices/interface/force_sensor.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

extern const Driver<MotionStage> kReplayStageDriver;
extern const Driver<ForceSensor> kReplayForceDriver;
extern const Driver<TactileArray> kReplayTactileDriver;

}  // namespace tactelier::devices
