#pragma once
// All drivers there are, by role. Adding one: a folder and a line in registry.cpp.

#include "devices/gauge/length_gauge.hpp"
#include "devices/interface/driver.hpp"
#include "devices/interface/force_sensor.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

std::span<const Driver<MotionStage>* const> stage_drivers();
std::span<const Driver<ForceSensor>* const> force_drivers();
std::span<const Driver<TactileArray>* const> tactile_drivers();
/// Role aux: second opinions on depth.
std::span<const Driver<LengthGauge>* const> gauge_drivers();

}  // namespace tactelier::devices
