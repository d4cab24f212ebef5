#pragma once
// TACTO (PyBullet): the configuration of its renderer, for a gel as large as a flat array that
// gives way like the tactel: max_deformation * force / range_force. What it renders are pictures of
// an optical sensor; camera and lights are any that see the gel.

#include "reports/export/exporter.hpp"

namespace tactelier {

class TactoExporter final : public Exporter {
 public:
  std::string_view id() const override { return "tacto"; }
  std::string_view title() const override { return "TACTO: gel and its deformation by force"; }
  std::string_view extension() const override { return ".yml"; }
  /// Fails with kUnidentifiable without a tactel's stiffness or a largest force, with kInvalidInput
  /// on arrays that are no flat grids.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
