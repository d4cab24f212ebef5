#pragma once
// The first page: what the sensor is, the verdict, what the calibration is good for, the numbers,
// the maps.

#include "reports/document/report_input.hpp"

namespace tactelier {

Chapter summary_chapter(const ReportInput& input);

/// One parameter over the array; its title and unit from the facts.
ArrayMap array_map(const SensorModel& model, const std::string& path);

}  // namespace tactelier
