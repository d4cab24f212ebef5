#pragma once
// What differs from tactel to tactel, laid out as the array is.

#include <optional>
#include <span>
#include <string>

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

/// One parameter over the array; its title and unit from the facts.
ArrayMap array_map(const SensorModel& model, const std::string& path);

/// Any values, one per tactel.
ArrayMap array_map(const SensorDescription& sensor, std::string title, std::string unit,
                   std::span<const std::optional<double>> values);

}  // namespace tactelier
