// Method soft-contact against oracle 11, closed geometry and numbers worked by hand.
#include "libcalib/forward/soft_contact_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "libcalib/units.hpp"
#include "tests/libcalib/forward/forward_model.hpp"
#include "tests/libcalib/forward/forward_oracle.hpp"

namespace tactelier {
namespace {

using forward_oracle::indenter_of;
using forward_oracle::metres;
using forward_oracle::newtons;
using forward_oracle::oracle;
using forward_oracle::pin;
using forward_oracle::plate;
using forward_oracle::pose_of;
using forward_oracle::sphere;
using forward_oracle::sum;
using testing::HasSubstr;
using testing_models::forward_model;

/// Tactels on a ball or round a cylinder of this radius, its top in the origin.
SensorDescription round_sensor(double radius_m, const std::vector<Vector3>& normals) {
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = 1;
  array.columns = static_cast<int>(normals.size());
  array.pitch_x_m = array.pitch_y_m = 3e-3;
  for (const auto& n : normals) {
    array.normals.push_back(n);
    array.positions_m.push_back(minus(scaled(n, radius_m), {0, 0, radius_m}));
  }
  return sensor;
}

SensorModel round_model(double radius_m, const std::vector<Vector3>& normals, double k_N_per_m) {
  auto model = empty_model(round_sensor(radius_m, normals));
  testing_models::set(model.stiffness.k, k_N_per_m);
  return model;
}

PressImage pressed(const SensorModel& model, const StaticPress& press) {
  const auto image = SoftContactMethod::create(model)->press(press);
  EXPECT_TRUE(image) << image.error().message;
  return image ? *image : PressImage{};
}

std::string refusal_of(const SensorModel& model, const StaticPress& press) {
  const auto image = SoftContactMethod::create(model)->press(press);
  return image ? "no refusal" : image.error().message;
}

TEST(SoftContactMethod, DepthsAndImagesAreTheOracles) {
  const auto method = SoftContactMethod::create(forward_model());
  for (const auto& press : oracle()["cases"]) {
    const auto image = method->press({indenter_of(press["indenter"]), pose_of(press["indenter"]),
                                      newtons(press["load_N"].get<double>())});
    const auto& expected = press["moisio"];
    if (expected["depth_m"].is_null()) {
      ASSERT_FALSE(image) << press["name"];
      EXPECT_THAT(image.error().message, HasSubstr("FW-01"));
      continue;
    }
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_NEAR(*image->depth_m, expected["depth_m"].get<double>(), 1e-12) << press["name"];
    for (std::size_t i = 0; i < image->force_N.size(); ++i)
      EXPECT_NEAR(image->force_N[i], expected["image_N"][i / 6][i % 6].get<double>(), 1e-8)
          << press["name"] << " tactel " << i;
  }
}

// A fingertip under a plate: what the tactels carry is more than the load, as each pushes aside.
TEST(SoftContactMethod, AFingertipsForcesAreBalancedAlongThePress) {
  const auto& row = oracle()["curved_row"];
  std::vector<Vector3> normals;
  for (const double angle_deg : row["angles_deg"])
    normals.push_back({std::sin(deg_to_rad(angle_deg)), 0, std::cos(deg_to_rad(angle_deg))});
  const auto image = pressed(round_model(row["R_m"], normals, row["k_texel"]),
                             {plate(), {}, newtons(row["load_N"].get<double>())});
  EXPECT_NEAR(*image.depth_m, row["depth_m"].get<double>(), 1e-12);
  for (std::size_t i = 0; i < normals.size(); ++i)
    EXPECT_NEAR(image.force_N[i], row["normal_force_N"][i].get<double>(), 1e-9);
  EXPECT_NEAR(sum(image.force_N), row["algebraic_sum_N"].get<double>(), 1e-9);
  EXPECT_NEAR(image.wrench->force_N[2], -0.5, 1e-9);
}

// Ball of radius r, d deep on top of a ball of radius R: along the ray s n from the sensor's centre
// |s n - c| = r with c = R - d + r above it, the smaller root.
TEST(SoftContactMethod, ABallOnABallIsAsDeepAsTwoSpheresIntersect) {
  const double big_m = 12e-3, ball_m = 8e-3, depth_m = 1.5e-3;
  std::vector<Vector3> normals{{0, 0, 1}};
  for (const double tilt : {0.08, 0.2, 0.3})
    for (int k = 0; k < 6; ++k)
      normals.push_back({std::sin(tilt) * std::cos(k + tilt), std::sin(tilt) * std::sin(k + tilt),
                         std::cos(tilt)});
  const auto image =
      pressed(round_model(big_m, normals, 1000), {sphere(2 * ball_m), {}, metres(depth_m)});
  const double c_m = big_m - depth_m + ball_m;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double along_m = c_m * normals[i][2];
    const double under = along_m * along_m - c_m * c_m + ball_m * ball_m;
    const double s_m = under > 0 ? along_m - std::sqrt(under) : big_m;
    EXPECT_NEAR(image.force_N[i] / 1000, std::max(0.0, big_m - s_m), 1e-11) << i;
  }
  EXPECT_NEAR(image.wrench->torque_Nm[2], 0, 1e-12);  // balls turn nothing about the axis
}

// 2 x 2 tactels under a disc: f = k d each; about the origin r x F of the sum in their middle.
TEST(SoftContactMethod, TorqueIsThatOfTheLoadInTheCentreOfForce) {
  const auto image = pressed(forward_model(), {pin(5e-3), {3.4e-3, -6.8e-3, 0, 0, 0}, newtons(2)});
  EXPECT_NEAR(image.force_N[36 - 12 + 3], 0.5, 1e-12);
  EXPECT_NEAR(image.wrench->force_N[2], -2, 1e-12);
  EXPECT_NEAR(image.wrench->torque_Nm[0], 6.8e-3 * 2, 1e-12);
  EXPECT_NEAR(image.wrench->torque_Nm[1], 3.4e-3 * 2, 1e-12);
}

TEST(SoftContactMethod, ATiltedPlateLoadsItsLowSide) {
  const double tilt_rad = 0.01, depth_m = 0.5e-3;
  const auto image = pressed(forward_model(), {plate(), {0, 0, 0, 0, tilt_rad}, metres(depth_m)});
  for (std::size_t column = 0; column < 6; ++column) {
    const double x_m = (static_cast<double>(column) - 2.5) * 3.4e-3;
    EXPECT_NEAR(image.force_N[column], 2312 * (depth_m + std::tan(tilt_rad) * x_m), 1e-9);
  }
}

// 14 tactels of the lowest column, 8.5 mm from the middle, carry 0.5 N alone while the middle of the
// plate is still above the pad: 14 k (d + 8.5 mm tan 0.01) = 0.5 N.
TEST(SoftContactMethod, ALeaningPlateUnderAForceCarriesNoMoreThanThat) {
  const auto image = pressed(forward_model(), {plate(), {0, 0, 0, 0, 0.01}, newtons(0.5)});
  EXPECT_NEAR(*image.depth_m, 0.5 / (14 * 2312) - std::tan(0.01) * 8.5e-3, 1e-9);
  EXPECT_NEAR(image.force_N[5], 0.5 / 14, 1e-6);
  EXPECT_EQ(image.force_N[4], 0);
  EXPECT_NEAR(image.wrench->force_N[2], -0.5, 1e-5);
}

TEST(SoftContactMethod, DepthAndForceAreTwoWaysToSayOnePress) {
  const auto model = forward_model();
  const PressPose pose{1e-3, 2e-3, 0.4, 0.02, -0.03};
  const auto by_force = pressed(model, {sphere(20e-3), pose, newtons(3)});
  const auto by_depth = pressed(model, {sphere(20e-3), pose, metres(*by_force.depth_m)});
  EXPECT_NEAR(by_depth.load_N, 3, 1e-8);
  EXPECT_NEAR(sum(by_depth.force_N), 3, 1e-8);
}

TEST(SoftContactMethod, ALevelFaceUnderAForceNeedsNoStiffness) {
  auto model = forward_model();
  model.stiffness.foundation_modulus = unidentifiable("Pa/m", "ST-04 no plate");
  const auto image = pressed(model, {plate(), {}, newtons(8.4)});
  EXPECT_FALSE(image.depth_m);
  EXPECT_NEAR(image.force_N[20], 0.1, 1e-10);
  EXPECT_THAT(refusal_of(model, {sphere(8e-3), {}, newtons(1)}), HasSubstr("FW-05"));
  EXPECT_THAT(refusal_of(model, {plate(), {}, metres(1e-4)}), HasSubstr("FW-05"));
}

// 84 dampers of 5 N s/m at 10 mm/s are 4.2 N.
TEST(SoftContactMethod, TheDamperAddsToAnApproachAndNeverPulls) {
  auto model = forward_model();
  testing_models::set(model.damping.c_n, 5);
  model.damping.at.scope = "tactel";
  auto load = metres(0.1e-3);
  const double still_N = pressed(model, {plate(), {}, load}).load_N;
  load.approach_m_per_s = 10e-3;
  EXPECT_NEAR(pressed(model, {plate(), {}, load}).load_N, still_N + 4.2, 1e-9);
  load.approach_m_per_s = -1;
  EXPECT_THAT(refusal_of(model, {plate(), {}, load}), HasSubstr("FW-01"));
}

TEST(SoftContactMethod, RefusesWithACodeAndWithoutAnImage) {
  const auto model = forward_model();
  EXPECT_THAT(refusal_of(model, {plate(), {std::nan(""), 0, 0, 0, 0}, newtons(1)}),
              HasSubstr("FW-07"));
  EXPECT_THAT(refusal_of(model, {plate(), {0, 0, HUGE_VAL, 0, 0}, newtons(1)}), HasSubstr("FW-07"));
  EXPECT_THAT(refusal_of(model, {plate(), {}, newtons(std::nan(""))}), HasSubstr("FW-07"));
  EXPECT_THAT(refusal_of(model, {pin(8e-3), {0.1, 0, 0, 0, 0}, newtons(1)}), HasSubstr("FW-01"));
  EXPECT_THAT(refusal_of(model, {pin(1e-3), {1.7e-3, 1.7e-3, 0, 0, 0}, newtons(23.2)}),
              HasSubstr("FW-06"));  // one tactel: 2312 N/m * 10 mm = 23.12 N
  EXPECT_THAT(refusal_of(model, {plate(), {}, metres(11e-3)}), HasSubstr("FW-06"));
  Indenter mesh;
  mesh.shape = IndenterShape::kMesh;
  EXPECT_THAT(refusal_of(model, {mesh, {}, newtons(1)}), HasSubstr("meshes"));
}

TEST(SoftContactMethod, WarnsBesideTheArrayAndBelowTheLayer) {
  auto model = forward_model();
  model.sensor.thickness_m = 1e-3;
  const auto image = pressed(model, {pin(8e-3), {10.2e-3, 1.7e-3, 0, 0, 0}, newtons(8)});
  ASSERT_EQ(image.warnings.size(), 2U);
  EXPECT_EQ(image.warnings[0].code, "FW-03");
  EXPECT_EQ(image.warnings[1].code, "FW-02");
}

// k d up to 1 mm, then the curve's shape: at 2 mm the rig found three times the force at 1 mm.
TEST(FoundationColumn, HardensAsTheCurveDoesBeyondItsLinearPart) {
  const Hardening curve({{0.5e-3, 1}, {1e-3, 2}, {2e-3, 6}}, 1e-3);
  EXPECT_DOUBLE_EQ(curve.effective_m(0.7e-3), 0.7e-3);
  EXPECT_NEAR(curve.effective_m(2e-3), 3e-3, 1e-15);
  EXPECT_NEAR(curve.effective_m(1.5e-3), 2e-3, 1e-15);
  EXPECT_NEAR(curve.effective_m(3e-3), 5e-3, 1e-15);  // straight on
  EXPECT_NEAR(curve.slope(1.5e-3), 2, 1e-9);
  EXPECT_DOUBLE_EQ(Hardening({{1e-3, 2}}, 2e-3).effective_m(5e-3), 5e-3);  // no curve beyond
}

TEST(FoundationColumn, IsWhatTheModelFileSays) {
  auto model = forward_model();
  EXPECT_NEAR(column_of(model, 1e-5)->stiffness_N_per_m, 2000, 1e-9);
  EXPECT_FALSE(column_of(model, 1e-5)->friction);
  testing_models::set(model.stiffness.k, 500);
  testing_models::set(model.stiffness.k_punch, 2000);
  testing_models::set(model.damping.c_n, 8);
  model.damping.at.scope = "contact";
  testing_models::set(model.relaxation.g_inf, 0.8);
  testing_models::set(model.relaxation.g.emplace_back(), 0.2);
  testing_models::set(model.relaxation.tau.emplace_back(), 3);
  const auto column = *column_of(model, 1e-5);
  EXPECT_EQ(column.stiffness_N_per_m, 500);
  EXPECT_DOUBLE_EQ(column.damping_N_s_per_m, 2);
  ASSERT_EQ(column.branches.size(), 1U);
  EXPECT_DOUBLE_EQ(column.branches[0].stiffness_N_per_m, 125);
}

}  // namespace
}  // namespace tactelier
