#pragma once
// How a device is doing, as `devices test --json` and Python have it.

#include <nlohmann/json_fwd.hpp>

#include "app/workflow/device_health.hpp"

namespace tactelier {

nlohmann::json health_json(const DeviceHealth& health);

}  // namespace tactelier
