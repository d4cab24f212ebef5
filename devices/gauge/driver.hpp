#pragma once
// Cells, gages and depth gauges as the device file names them.

#include "devices/gauge/length_gauge.hpp"
#include "devices/interface/driver.hpp"
#include "devices/interface/force_sensor.hpp"

namespace tactelier::devices {

extern const Driver<ForceSensor> kOneAxisDriver;
extern const Driver<ForceSensor> kSixGagesDriver;
extern const Driver<ForceSensor> kFramedWrenchDriver;
extern const Driver<LengthGauge> kLengthGaugeDriver;

}  // namespace tactelier::devices
