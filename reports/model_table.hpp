#pragma once
// A sensor model as tables: what `tactelier show`, the window and the printed report present.

#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct ModelTableOptions {
  bool tactels = false;  // one row per tactel, too
  bool presses = true;   // one row per press
};

/// Sensor, parameters (value, expanded uncertainty, unit, status, reason in words), responses of
/// the tactels condensed to median and range, stiffness per tactel likewise, presses, quality. The
/// last section holds every warning: range guards (check_model) and those of the stages.
std::vector<Section> model_sections(const SensorModel& model, const ModelTableOptions& options);

}  // namespace tactelier
