#pragma once
// MJCF and plugin parameters for HydroelasticTouch (mujoco_contact_surfaces, ROS): a soft box per
// flat array, whose five numbers stand under <custom>, and beside it the sensor's tactels as YAML.
// Any MuJoCo loads the MJCF; without the plugin the boxes are ordinary ones.
//
// The plugin's force is max(0, 1 - d v) (f - 1 ms k v), v the speed apart: on the way in 1 ms k is
// damping of its own, which is taken off d.

#include "reports/export/exporter.hpp"

namespace tactelier {

class HydroelasticTouchExporter final : public Exporter {
 public:
  std::string_view id() const override { return "hydroelastic-touch"; }
  std::string_view title() const override {
    return "HydroelasticTouch (mujoco_contact_surfaces): MJCF and plugin YAML";
  }
  std::string_view extension() const override { return ".xml"; }
  /// Fails with kUnidentifiable without stiffness, damping, both frictions and a layer's thickness,
  /// or where the range of force is not known; with kInvalidInput on arrays that are not flat.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
