#pragma once
// Genesis (genesis-world): the options of its tactile sensors as JSON, a pad as URDF and a loader.
// KinematicTaxel is a read-out of how deep tactels are pressed, with each one's own sensitivity,
// spread, relaxation and noise, and no part of physics; ContactForce, one per tactel, has forces of
// the solver, and with them threshold and saturation (docs/exports.md).

#include "reports/export/exporter.hpp"

namespace tactelier {

class GenesisExporter final : public Exporter {
 public:
  std::string_view id() const override { return "genesis"; }
  std::string_view title() const override {
    return "Genesis: KinematicTaxel and ContactForce options, and their loader";
  }
  std::string_view extension() const override { return ".json"; }
  /// Fails with kUnidentifiable without a tactel's stiffness.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
