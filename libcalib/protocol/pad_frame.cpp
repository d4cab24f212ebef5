#include "libcalib/protocol/pad_frame.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {

PadFrame::PadFrame(const RigFile& rig, const SensorDescription& sensor) : rig_(&rig) {
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto p = sensor.position_m(i);
    half_x_m_ = std::max(half_x_m_, std::abs(p[0]));
    half_y_m_ = std::max(half_y_m_, std::abs(p[1]));
  }
}

double PadFrame::rise_m(const Vector3& at_m) const {
  const auto& surface = rig_->surface;
  return std::tan(surface.tilt_x_rad) * std::clamp(at_m[1], -half_y_m_, half_y_m_) -
         std::tan(surface.tilt_y_rad) * std::clamp(at_m[0], -half_x_m_, half_x_m_);
}

Vector3 PadFrame::stage_from_plan_m(const Vector3& at_m) const {
  auto stage_m = rig_->stage_from_sensor_m(at_m);
  stage_m[2] += rise_m(at_m);
  return stage_m;
}

Vector3 PadFrame::plan_from_stage_m(const Vector3& at_m) const {
  auto plan_m = rig_->sensor_from_stage_m(at_m);
  plan_m[2] -= rise_m(plan_m);
  return plan_m;
}

}  // namespace tactelier
