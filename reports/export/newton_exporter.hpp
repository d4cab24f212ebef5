#pragma once
// USD for Newton (newton-physics): a sphere per tactel whose contact is the tactel's spring and
// damper, by NewtonMaterialAPI; for flat arrays of known thickness a second file has a hydroelastic
// box per array, by NewtonSDFCollisionAPI.
//
// Of two shapes Newton takes the mean of stiffnesses, dampings and frictions, and puts hydroelastic
// stiffnesses in series (docs/exports.md).

#include "reports/export/exporter.hpp"

namespace tactelier {

class NewtonExporter final : public Exporter {
 public:
  std::string_view id() const override { return "newton"; }
  std::string_view title() const override {
    return "Newton USD: contacts that give way, and a hydroelastic pad";
  }
  std::string_view extension() const override { return ".usda"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
