// Truth: oracles/02_ft.json.
#include "fitting/wrench/tool.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fitting/recording/tare.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

const Eigen::Vector3d kGravity(0, 0, -9.81);

Eigen::Vector3d vector_of(const nlohmann::json& values) {
  return {values[0].get<double>(), values[1].get<double>(), values[2].get<double>()};
}

std::vector<ToolPose> oracle_poses() {
  const auto columns = oracle::csv("02_tool_poses.csv");
  std::vector<ToolPose> poses(columns.at("fx").size());
  for (std::size_t n = 0; n < poses.size(); ++n) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        poses[n].rig_from_sensor(i, j) = columns.at(fmt::format("R{}{}", i, j))[n];
    poses[n].force_N = {columns.at("fx")[n], columns.at("fy")[n], columns.at("fz")[n]};
    poses[n].torque_Nm = {columns.at("tx")[n], columns.at("ty")[n], columns.at("tz")[n]};
  }
  return poses;
}

TEST(Tool, MatchesTheOraclesMassCentreAndBias) {
  const auto expected = oracle::json("02_ft.json")["tool"]["expected"];
  const auto tool = identify_tool(oracle_poses(), kGravity);
  ASSERT_TRUE(tool) << tool.error().message;
  EXPECT_NEAR(tool->mass_kg, expected["m_kg"].get<double>(), 3e-11);
  EXPECT_LT((tool->centre_of_mass_m - vector_of(expected["com_F_m"])).norm(), 2e-11);
  EXPECT_LT((tool->force_bias_N - vector_of(expected["bias_f_N"])).norm(), 1e-9);
  EXPECT_LT((tool->torque_bias_Nm - vector_of(expected["bias_t_Nm"])).norm(), 5e-12);
  EXPECT_NEAR(tool->condition_force, expected["cond_force_column_scaled"].get<double>(), 1e-9);
  EXPECT_NEAR(tool->condition_torque, expected["cond_torque_column_scaled"].get<double>(), 1e-9);
  EXPECT_TRUE(tool->warnings.empty());
}

TEST(Tool, IsRefusedFromOneDirectionOfGravity) {
  const auto poses = oracle_poses();
  const std::vector<ToolPose> alike(4, poses.front());
  const auto tool = identify_tool(alike, kGravity);
  ASSERT_FALSE(tool);
  EXPECT_TRUE(tool.error().message.starts_with("FT-01")) << tool.error().message;
}

TEST(Wrench, MovesToAnotherFrameAsTheOracleDoes) {
  const auto expected = oracle::json("02_ft.json")["wrench_transform"];
  Eigen::Matrix3d rotation;
  for (int i = 0; i < 3; ++i) rotation.row(i) = vector_of(expected["R_SF"][i]).transpose();
  const auto w = expected["w_F"].get<std::vector<double>>();
  const PlainWrench read{Eigen::Vector3d(w[0], w[1], w[2]), Eigen::Vector3d(w[3], w[4], w[5])};
  const auto wrench = moved(read, rotation, vector_of(expected["p_SF_m"]));
  EXPECT_LT((wrench.force_N - vector_of(expected["f_S"])).norm(), 1e-12);
  EXPECT_LT((wrench.torque_Nm - vector_of(expected["tau_S"])).norm(), 1e-14);
  const auto at = pressure_centre_m(wrench);
  EXPECT_NEAR(at.x(), expected["cop_xy_m"][0].get<double>(), 1e-13);
  EXPECT_NEAR(at.y(), expected["cop_xy_m"][1].get<double>(), 1e-13);
}

TEST(Tare, DrawsTheOraclesLineThroughTwoWindows) {
  const auto expected = oracle::json("02_ft.json")["drift"];
  std::vector<double> time, force;
  for (const double begin : {0.0, 30.0})
    for (int i = 0; i < 200; ++i) {
      time.push_back(begin + 0.01 * i);
      force.push_back(0.012 + 0.0008 * time.back());
    }
  const auto line = line_through(time, force, 0);
  EXPECT_NEAR(line[0], expected["expected_intercept_N"].get<double>(), 1e-14);
  EXPECT_NEAR(line[1], expected["expected_slope_N_per_s"].get<double>(), 1e-15);
}

}  // namespace
}  // namespace tactelier
