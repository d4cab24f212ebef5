// Oracle 10_hydro.json: force of rigid indenters on a slab of K_f = E/H.

#include "libcalib/models/overlap.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

Indenter shaped(IndenterShape shape) {
  Indenter indenter;
  indenter.shape = shape;
  return indenter;
}

using Case = std::pair<const char*, Indenter>;
class OverlapOracle : public testing::TestWithParam<Case> {};

TEST_P(OverlapOracle, VolumeTimesModulusIsTheForce) {
  const auto pad = oracle::json("10_hydro.json")["pad"];
  const double modulus = pad["scale_Pa_per_m"];
  const auto& [column, indenter] = GetParam();
  for (std::size_t i = 0; i < pad["depth_m"].size(); ++i) {
    const double depth_m = pad["depth_m"][i], force_N = pad[column][i];
    EXPECT_NEAR(modulus * slab_overlap(indenter, depth_m)->volume_m3, force_N, 1e-10 * force_N);
  }
}

std::vector<Case> cases() {
  auto sphere = shaped(IndenterShape::kSphere);
  sphere.diameter_m = 0.02;
  auto cylinder = shaped(IndenterShape::kLyingCylinder);
  cylinder.diameter_m = 0.045;
  cylinder.length_m = 0.08;
  auto wedge = shaped(IndenterShape::kWedge);
  wedge.length_m = 0.08;
  wedge.half_angle_rad = std::numbers::pi / 4;
  auto flat = shaped(IndenterShape::kBox);
  flat.x_m = flat.y_m = 0.05;
  return {{"sphere_R_10mm_N", sphere},
          {"cylinder_R_22p5mm_L_80mm_N", cylinder},
          {"wedge_half_angle_45deg_L_80mm_N", wedge},
          {"flat_50x50mm_N", flat}};
}

INSTANTIATE_TEST_SUITE_P(Shapes, OverlapOracle, testing::ValuesIn(cases()));

TEST(Overlap, AreaIsTheSlopeOfTheVolume) {
  auto sphere = shaped(IndenterShape::kSphere);
  sphere.diameter_m = 0.01;
  auto lying = shaped(IndenterShape::kLyingCylinder);
  lying.diameter_m = 0.01;
  lying.length_m = 0.02;
  auto ellipsoid = shaped(IndenterShape::kEllipsoid);
  ellipsoid.x_m = 0.01;
  ellipsoid.y_m = 0.02;
  ellipsoid.z_m = 0.008;
  for (const auto& indenter : {sphere, lying, ellipsoid})
    for (const double depth_m : {1e-4, 1e-3, 2e-3}) {
      const double h = 1e-8;
      const double slope = (slab_overlap(indenter, depth_m + h)->volume_m3 -
                            slab_overlap(indenter, depth_m - h)->volume_m3) /
                           (2 * h);
      EXPECT_NEAR(slab_overlap(indenter, depth_m)->area_m2, slope, 1e-6 * slope);
    }
}

TEST(Overlap, ThinPinsAndMeshesFollowNoFoundation) {
  auto pin = shaped(IndenterShape::kCylinder);
  pin.diameter_m = 0.001;
  EXPECT_FALSE(follows_foundation(pin, 0.003));
  pin.diameter_m = 0.006;
  EXPECT_TRUE(follows_foundation(pin, 0.003));
  auto ball = shaped(IndenterShape::kSphere);
  ball.diameter_m = 0.01;
  EXPECT_TRUE(follows_foundation(ball, 0.003));
  EXPECT_FALSE(follows_foundation(shaped(IndenterShape::kMesh), 0.003));
}

}  // namespace
}  // namespace tactelier
