#pragma once
// A sensor description as other files hold it.

#include <nlohmann/json_fwd.hpp>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// What a session's `sensor` says: the name of a shipped description when it is one, else the
/// description inline (docs/add-a-sensor.md), lengths in mm.
nlohmann::json sensor_document(const SensorDescription& sensor);

}  // namespace tactelier
