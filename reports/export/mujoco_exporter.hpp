#pragma once
// MJCF for MuJoCo 2.2.2 and later: one body with one slide joint per tactel, whose spring and
// damper are the tactel's own, and one `touch` sensor on each, in newtons and in the order of the
// tactels. A spring of a joint is exact in N/m whatever touches it and whatever that weighs, which
// stiffness by `solref` is not. For a level pad a second file puts a weight on it and says what
// must come out.

#include "reports/export/exporter.hpp"

namespace tactelier {

class MujocoExporter final : public Exporter {
 public:
  std::string_view id() const override { return "mujoco"; }
  std::string_view title() const override { return "MuJoCo MJCF: joint-spring tactels, touch"; }
  std::string_view extension() const override { return ".xml"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
