#pragma once
// Force and torque on a rigid body. A force is the same wherever it is looked at; a torque is about
// a point, and from point to point it differs by the force's lever:
//
//   T' = T - r x F        r: from the old point to the new one, axes unchanged
//
// A force sensor's torques are about its own origin. Moved to the indenter's tip
// (force_sensor.tip_mm) they are what the contact exerts besides its force; moved back they are
// what the sensor carries.

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

constexpr Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The torque about the point `r_m`, of what has `torque_Nm` about the origin.
constexpr Vector3 torque_about_Nm(const Vector3& r_m, const Vector3& force_N,
                                  const Vector3& torque_Nm) {
  const auto lever_Nm = cross(r_m, force_N);
  return {torque_Nm[0] - lever_Nm[0], torque_Nm[1] - lever_Nm[1], torque_Nm[2] - lever_Nm[2]};
}

}  // namespace tactelier
