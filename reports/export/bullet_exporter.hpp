#pragma once
// URDF for Bullet and PyBullet: one spherical link per tactel, fixed to the pad, whose contact
// gives way by the <contact> element that Bullet's reader knows and others leave out.
//
// Bullet steps a contact's spring implicitly: with the stiffness k and the damping c that are
// written, the force of a step is k (depth at its begin) + (c + k dt) v. So c - k dt is written,
// and the file holds for its time step. Of two bodies stiffnesses go in series, dampings are summed
// and friction coefficients multiplied.

#include "reports/export/exporter.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// The step for which the file holds: the longest that leaves some of the damping.
double bullet_step_s(const TactelPad& pad);

class BulletExporter final : public Exporter {
 public:
  std::string_view id() const override { return "bullet"; }
  std::string_view title() const override {
    return "Bullet / PyBullet URDF: contacts that give way";
  }
  std::string_view extension() const override { return ".urdf"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
