#include "fitting/wrench/plain_wrench.hpp"

#include <Eigen/Geometry>

namespace tactelier {

PlainWrench moved(const PlainWrench& wrench, const Eigen::Matrix3d& rotation,
                  const Eigen::Vector3d& origin_m) {
  const Eigen::Vector3d force = rotation * wrench.force_N;
  return {force, rotation * wrench.torque_Nm + origin_m.cross(force)};
}

Eigen::Vector2d pressure_centre_m(const PlainWrench& wrench) {
  return {-wrench.torque_Nm.y() / wrench.force_N.z(), wrench.torque_Nm.x() / wrench.force_N.z()};
}

}  // namespace tactelier
