// Truth: oracles/02_ft.json.
#include "fitting/wrench/plain_wrench.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fitting/recording/tare.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

Eigen::Vector3d vector_of(const nlohmann::json& values) {
  return {values[0].get<double>(), values[1].get<double>(), values[2].get<double>()};
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
