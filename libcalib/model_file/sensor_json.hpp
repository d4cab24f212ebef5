#pragma once
// The `sensor` object of a sensor model file: the description in SI units.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// More tactels than this are no sensor model: every tactel has more than a dozen parameters.
constexpr int kMaxModelTactels = 65536;

nlohmann::ordered_json sensor_to_json(const SensorDescription& sensor, const std::string& serial);

struct ModelSensor {
  SensorDescription description;
  std::string serial;
};

/// `object` has passed the schema. Messages begin with `where`.
Result<ModelSensor> sensor_from_json(const nlohmann::json& object, std::string_view where);

}  // namespace tactelier
