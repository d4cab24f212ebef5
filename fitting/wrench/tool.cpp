#include "fitting/wrench/tool.hpp"

#include <Eigen/Dense>

#include "fitting/statistics/condition.hpp"

namespace tactelier {
namespace {

constexpr double kConditionWarn = 100;  // FT-02
constexpr double kConditionSingular = 1e8;

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace

Result<Tool> identify_tool(std::span<const ToolPose> poses,
                           const Eigen::Vector3d& gravity_m_per_s2) {
  const auto rows = static_cast<Eigen::Index>(3 * poses.size());
  Eigen::MatrixXd force_design(rows, 4), torque_design(rows, 6);
  Eigen::VectorXd force(rows), torque(rows);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(3 * i);
    const Eigen::Vector3d gravity = poses[i].rig_from_sensor.transpose() * gravity_m_per_s2;
    force_design.middleRows<3>(row) << gravity, Eigen::Matrix3d::Identity();
    torque_design.middleRows<3>(row) << -cross_matrix(gravity), Eigen::Matrix3d::Identity();
    force.segment<3>(row) = poses[i].force_N;
    torque.segment<3>(row) = poses[i].torque_Nm;
  }
  const auto one_direction = [] {
    return fail(ErrorCode::kUnidentifiable,
                "FT-01 All poses have the same gravity direction: tool mass and bias cannot be "
                "separated. The bias is tared instead.");
  };
  if (poses.size() < 2) return one_direction();
  Tool tool;
  tool.condition_force = condition(force_design).number;
  tool.condition_torque = condition(torque_design).number;
  const double worst = std::max(tool.condition_force, tool.condition_torque);
  if (!(worst < kConditionSingular)) return one_direction();
  if (worst > kConditionWarn)
    tool.warnings.push_back(
        {"FT-02",
         fmt::format("Tool identification is ill-conditioned ({:.0f}); add poses turned by 90 deg.",
                     worst),
         ""});
  const Eigen::Vector4d f = force_design.colPivHouseholderQr().solve(force);
  const Eigen::VectorXd t = torque_design.colPivHouseholderQr().solve(torque);
  tool.mass_kg = f(0);
  tool.force_bias_N = f.tail<3>();
  tool.centre_of_mass_m = t.head<3>() / tool.mass_kg;
  tool.torque_bias_Nm = t.tail<3>();
  return tool;
}

PlainWrench moved(const PlainWrench& wrench, const Eigen::Matrix3d& rotation,
                  const Eigen::Vector3d& origin_m) {
  const Eigen::Vector3d force = rotation * wrench.force_N;
  return {force, rotation * wrench.torque_Nm + origin_m.cross(force)};
}

Eigen::Vector2d pressure_centre_m(const PlainWrench& wrench) {
  return {-wrench.torque_Nm.y() / wrench.force_N.z(), wrench.torque_Nm.x() / wrench.force_N.z()};
}

}  // namespace tactelier
