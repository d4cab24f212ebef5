#pragma once
// MJCF for MuJoCo 2.2.2 and later: one body with one slide joint per tactel, whose spring and
// damper are the tactel's own, and one `touch` sensor on each, in newtons and in the order of the
// tactels. A spring of a joint is exact in N/m whatever touches it and whatever that weighs, which
// stiffness by `solref` is not. For a level pad a second file puts a weight on it and says what
// must come out.
//
// A pad that hardens has its own form for MuJoCo 3.7 and later, whose joints take a polynomial,
// f = -(a x + b x^2 + c x^3). A tactel gives towards -x, so that b is negative there.

#include "reports/export/exporter.hpp"
#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

class MujocoExporter final : public Exporter {
 public:
  explicit MujocoExporter(MujocoSpring spring) : spring_(spring) {}

  std::string_view id() const override {
    return spring_ == MujocoSpring::kCubic ? "mujoco-3.7" : "mujoco";
  }
  std::string_view title() const override {
    return spring_ == MujocoSpring::kCubic ? "MuJoCo 3.7 MJCF: joint springs that harden, touch"
                                           : "MuJoCo MJCF: joint-spring tactels, touch";
  }
  std::string_view extension() const override { return ".xml"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping; kCubic also without
  /// hardening.
  Result<Exported> write(const SensorModel& model) const override;

 private:
  MujocoSpring spring_;
};

}  // namespace tactelier
