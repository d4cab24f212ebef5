#pragma once
// MJCF for MuJoCo 2.2.2 and later: one body with one slide joint per tactel, whose spring and
// damper are the tactel's own, and one `touch` sensor on each, in newtons and in the order of the
// tactels. A spring of a joint is exact in N/m whatever touches it and whatever that weighs, which
// stiffness by `solref` is not. For a level pad a second file puts a weight on it and says what
// must come out.
//
// MuJoCo 3.7 and later has a form of its own: joints take a polynomial, f = -(a x + b x^2 + c x^3),
// for a pad that hardens (a tactel gives towards -x, so that b is negative there), and for a model
// that knows its friction there is the pad once more on bristles, LuGre joints along the surface,
// with the loop that scales them by the load (mujoco_bristles.hpp).

#include "reports/export/exporter.hpp"
#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

class MujocoExporter final : public Exporter {
 public:
  explicit MujocoExporter(MujocoForm form) : form_(form) {}

  std::string_view id() const override {
    return form_ == MujocoForm::kModern ? "mujoco-3.7" : "mujoco";
  }
  std::string_view title() const override {
    return form_ == MujocoForm::kModern ? "MuJoCo 3.7 MJCF: springs that harden, LuGre friction"
                                        : "MuJoCo MJCF: joint-spring tactels, touch";
  }
  std::string_view extension() const override { return ".xml"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping; kModern also where the
  /// model knows neither hardening nor all six numbers of friction.
  Result<Exported> write(const SensorModel& model) const override;

 private:
  MujocoForm form_;
};

}  // namespace tactelier
