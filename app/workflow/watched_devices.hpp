#pragma once
// Every kind of device as a watch sees it (device_watch.hpp).

#include "app/workflow/device_watch.hpp"
#include "devices/registry/device_file.hpp"

namespace tactelier {

WatchedDevice watched(std::shared_ptr<devices::MotionStage> stage);
WatchedDevice watched(std::shared_ptr<devices::ForceSensor> sensor);
WatchedDevice watched(std::shared_ptr<devices::TactileArray> array);
WatchedDevice watched(std::shared_ptr<devices::LengthGauge> gauge);

}  // namespace tactelier
