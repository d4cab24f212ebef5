#pragma once
// Forces and torques in other frames (docs/theory/force.md 2).

#include <Eigen/Core>

namespace tactelier {

struct PlainWrench {
  Eigen::Vector3d force_N, torque_Nm;
};

/// The same load in frame S: f_S = R f_F, tau_S = R tau_F + p x f_S, p the origin of F in S.
PlainWrench moved(const PlainWrench& wrench, const Eigen::Matrix3d& rotation,
                  const Eigen::Vector3d& origin_m);

/// Where a load without moments of its own meets the plane z = 0: x = -tau_y / f_z, y = tau_x /
/// f_z. Worth nothing below 20 times the noise of f_z.
Eigen::Vector2d pressure_centre_m(const PlainWrench& wrench);

}  // namespace tactelier
