#pragma once
// What hangs on a force/torque sensor, from readings in several poses (docs/theory/force.md 2):
//   f = m R^T g + b_f        tau = c x (m R^T g) + b_tau
// with R from sensor to rig, g gravity in the rig's frame. Only a rig that turns its sensor can
// tell weight from bias; a fixed one is tared instead.

#include <Eigen/Core>
#include <span>

#include "libcalib/result.hpp"

namespace tactelier {

struct ToolPose {
  Eigen::Matrix3d rig_from_sensor;
  Eigen::Vector3d force_N;
  Eigen::Vector3d torque_Nm;
};

struct Tool {
  double mass_kg = 0;
  Eigen::Vector3d centre_of_mass_m;  // sensor frame
  Eigen::Vector3d force_bias_N, torque_bias_Nm;
  double condition_force = 1, condition_torque = 1;  // column-scaled
  Warnings warnings;                                 // FT-02 above 100
};

/// Linear least squares. Fails with kUnidentifiable, FT-01, when all poses share one direction of
/// gravity.
Result<Tool> identify_tool(std::span<const ToolPose> poses,
                           const Eigen::Vector3d& gravity_m_per_s2);

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
