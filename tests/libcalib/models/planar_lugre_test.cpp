// Against oracle 9 (a velocity that turns) and against the bristle along a line.

#include "libcalib/models/planar_lugre.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

constexpr LugreValues kRigScale{4000, 6, 0.8, 0.62, 0.45, 0.004};

TEST(PlanarLugre, AVelocityThatTurnsDragsTheBristleAsInTheOracle) {
  const auto oracle = oracle::json("09_lugre.json");
  const auto& turning = oracle["vector_turning"];
  PlanarLugreBristle bristle;
  std::size_t found = 0;
  for (int i = 0; i < 400; ++i) {
    const double angle_rad = 2 * std::numbers::pi * i / 400;
    const auto force_N = bristle.step_N(
        kRigScale, 1e-3, {2e-3 * std::cos(angle_rad), 2e-3 * std::sin(angle_rad)}, 2);
    if (found == 3 || i != turning["index"][found]) continue;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(bristle.deflection_m()[axis], turning["z"][found][axis].get<double>(), 1e-15);
      EXPECT_NEAR(force_N[axis], turning["F"][found][axis].get<double>(), 1e-12);
    }
    ++found;
  }
  EXPECT_EQ(found, 3U);
}

TEST(PlanarLugre, AlongAnyLineItIsTheBristleOfThatLine) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  LugreBristle line;
  PlanarLugreBristle plane;
  for (int i = 0; i < 300; ++i) {
    const double v = 3e-3 * std::sin(0.05 * i);
    const double expected_N = line.step_N(kRigScale, 1e-3, v, 2);
    const auto force_N = plane.step_N(kRigScale, 1e-3, {c * v, s * v}, 2);
    ASSERT_NEAR(c * force_N[0] + s * force_N[1], expected_N, 1e-12);
    ASSERT_NEAR(c * force_N[1] - s * force_N[0], 0, 1e-12);
  }
}

TEST(PlanarLugre, WithoutLoadThereIsNoForceAndNoMemory) {
  PlanarLugreBristle bristle;
  bristle.step_N(kRigScale, 1e-3, {1e-3, 0}, 2);
  const auto force_N = bristle.step_N(kRigScale, 1e-3, {1e-3, 0}, 0);
  EXPECT_EQ(force_N[0], 0);
  EXPECT_EQ(bristle.deflection_m()[0], 0);
}

}  // namespace
}  // namespace tactelier
