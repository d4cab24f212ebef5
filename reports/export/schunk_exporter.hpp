#pragma once
// Parameters of schunk_simulated_tactile_sensors (ROS: the pads of Schunk's SDH in Gazebo), as YAML
// for rosparam: cells, counts per newton, largest reading. One set of numbers for all tactels; a
// file for each array.

#include "reports/export/exporter.hpp"

namespace tactelier {

class SchunkExporter final : public Exporter {
 public:
  std::string_view id() const override { return "schunk"; }
  std::string_view title() const override {
    return "schunk_simulated_tactile_sensors (ROS): parameters";
  }
  std::string_view extension() const override { return ".yaml"; }
  /// Fails with kUnidentifiable when no tactel has a gain of its own, or no largest reading is
  /// known; with kInvalidInput on arrays that are no flat grids.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
