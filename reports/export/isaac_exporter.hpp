#pragma once
// USD for Isaac Sim and Isaac Lab: a sphere per tactel with PhysX's compliant contact material;
// beside it, as a Python module, what TacSL's force field (VisuoTactileSensorCfg) asks for, an
// entry per flat array.
//
// PhysX's contact spring is implicit: with stiffness k and damping c written, a step's force is
// k depth + (c + k dt) v (docs/exports.md).

#include "reports/export/exporter.hpp"

namespace tactelier {

class IsaacExporter final : public Exporter {
 public:
  std::string_view id() const override { return "isaac"; }
  std::string_view title() const override {
    return "Isaac Sim / Isaac Lab: PhysX material in USD, and TacSL's parameters";
  }
  std::string_view extension() const override { return ".usda"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
