#pragma once
// Project Chrono has no file format for contacts: a pad as JSON, and a loader for PyChrono that
// makes of it a fixed sphere per tactel with Chrono's smooth contact (SMC, Hooke).
//
// Chrono takes the mean of both materials, so object and pad share one; and it multiplies damping
// by the effective mass, so the material is made for an object's mass (ChContactSMC.cpp;
// docs/exports.md).

#include "reports/export/exporter.hpp"

namespace tactelier {

class ChronoExporter final : public Exporter {
 public:
  std::string_view id() const override { return "chrono"; }
  std::string_view title() const override {
    return "Project Chrono: smooth contacts (SMC), and their loader";
  }
  std::string_view extension() const override { return ".json"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
