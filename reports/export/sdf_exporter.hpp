#pragma once
// SDFormat for Gazebo: one spherical tip per tactel, each with a contact sensor of its own.
// `sdf`: a link on a sliding joint per tactel, whose spring and damper are the tactel's own, for
// gz-sim, whose engines know these and not a contact's stiffness. `sdf-ode`: one link whose
// contacts give way, for Gazebo classic on ODE. For a level pad a second file, a world, puts a
// weight on it and says what must come out.

#include "reports/export/exporter.hpp"
#include "reports/export/sdf_pad.hpp"

namespace tactelier {

class SdfExporter final : public Exporter {
 public:
  explicit SdfExporter(SdfSpring spring) : spring_(spring) {}

  std::string_view id() const override { return spring_ == SdfSpring::kJoint ? "sdf" : "sdf-ode"; }
  std::string_view title() const override {
    return spring_ == SdfSpring::kJoint
               ? "Gazebo (gz-sim) SDFormat: joint-spring tactels, contact sensors"
               : "Gazebo classic SDFormat: contacts of ODE that give way";
  }
  std::string_view extension() const override { return ".sdf"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;

 private:
  SdfSpring spring_;
};

}  // namespace tactelier
