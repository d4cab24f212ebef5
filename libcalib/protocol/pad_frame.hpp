#pragma once
// From plans to the stage: a plan's places are in the sensor frame S over a flat surface; the real
// surface is tilted, and the tip follows it over the pad. Beyond the pad's edge the height stays
// that of the edge.
//   z_G = z_S + z0 + y_S tan(tilt_x) - x_S tan(tilt_y),  x_S, y_S limited to the tactels

#include "libcalib/protocol/rig.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

class PadFrame {
 public:
  /// `rig` must outlive this; its surface and registration are looked up at each call.
  PadFrame(const RigFile& rig, const SensorDescription& sensor);

  Vector3 stage_from_plan_m(const Vector3& at_m) const;
  Vector3 plan_from_stage_m(const Vector3& at_m) const;

 private:
  double rise_m(const Vector3& at_m) const;

  const RigFile* rig_;
  double half_x_m_ = 0, half_y_m_ = 0;
};

}  // namespace tactelier
