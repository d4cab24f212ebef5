// What set-up runs make of what they measured: planes, registrations, stiffness.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "devices/motion/registration.hpp"
#include "devices/motion/surface_search.hpp"

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180;

/// Corners of 17 x 44 mm and the middle, on a plane.
std::vector<TouchPoint> touches(double z0_m, double tilt_x_rad, double tilt_y_rad) {
  std::vector<TouchPoint> points;
  for (const auto& [x_m, y_m] : {std::pair{0.0, 0.0},
                                 {-8.5e-3, -22e-3},
                                 {8.5e-3, -22e-3},
                                 {8.5e-3, 22e-3},
                                 {-8.5e-3, 22e-3}})
    points.push_back(
        {x_m, y_m, z0_m + y_m * std::tan(tilt_x_rad) - x_m * std::tan(tilt_y_rad), 2e-6});
  return points;
}

TEST(Plane, IsTheOneThatWasTouched) {
  const auto found = plane_through(touches(-3e-3, 0.3 * kDegree, -0.2 * kDegree));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NEAR(found->surface.z0_m, -3e-3, 1e-12);
  EXPECT_NEAR(found->surface.tilt_x_rad, 0.3 * kDegree, 1e-12);
  EXPECT_NEAR(found->surface.tilt_y_rad, -0.2 * kDegree, 1e-12);
  // Five touches of 2 um each: the middle is known to 2/sqrt(5) um, the tilt along y to 2 um over
  // the root of the sum of squares, 2 x 22 mm.
  EXPECT_NEAR(found->u_z0_m, 2e-6 / std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(found->u_tilt_x_rad, 2e-6 / 44e-3, 1e-9);
  EXPECT_TRUE(found->warnings.empty());
}

TEST(Plane, ScatterWidensItsUncertainty) {
  auto points = touches(0, 0, 0);
  points[0].z_m += 40e-6;
  const auto found = plane_through(points);
  ASSERT_TRUE(found);
  EXPECT_GT(found->u_z0_m, 10e-6);
}

TEST(Plane, TiltOverHalfADegreeIsSaidAndOverTwoRefused) {
  const auto tilted = plane_through(touches(0, 0.6 * kDegree, 0));
  ASSERT_TRUE(tilted);
  ASSERT_EQ(tilted->warnings.size(), 1U);
  EXPECT_EQ(tilted->warnings[0].code, "TILT");
  const auto steep = plane_through(touches(0, 0, 2.1 * kDegree));
  ASSERT_FALSE(steep);
  EXPECT_THAT(steep.error().message, HasSubstr("2.10 deg"));
}

TEST(Plane, PointsInALineAreNone) {
  std::vector<TouchPoint> line;
  for (int i = 0; i < 5; ++i) line.push_back({1e-3 * i, 2e-3 * i, 0, 1e-6});
  EXPECT_FALSE(plane_through(line));
}

/// Nine presses of an array that lies shifted, turned, and perhaps mirrored; felt with a scale.
std::vector<FeltPress> felt(const StageToSensor& truth, double scale) {
  RigFile rig;
  rig.stage_to_sensor = truth;
  std::vector<FeltPress> presses;
  for (const double x : {-5.1e-3, 0.0, 5.1e-3})
    for (const double y : {-18.7e-3, 0.0, 18.7e-3}) {
      // Symmetric about the sensor's middle, as presses of tactel centres are.
      const auto stage_m = rig.stage_from_sensor_m({x, y, 0});
      presses.push_back({stage_m[0], stage_m[1], scale * x, scale * y, 1, 1});
    }
  return presses;
}

TEST(Registration, FindsShiftAndTurnWhateverTheScale) {
  for (const bool mirror : {false, true}) {
    const StageToSensor truth{0.4e-3, -0.7e-3, 1.5 * kDegree, mirror};
    const auto found = fit_registration(felt(truth, 0.93), 3.4e-3);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->frame.mirror, mirror);
    EXPECT_NEAR(found->frame.x_m, 0.4e-3, 1e-9);
    EXPECT_NEAR(found->frame.y_m, -0.7e-3, 1e-9);
    EXPECT_NEAR(found->frame.rz_rad, 1.5 * kDegree, 1e-9);
    EXPECT_NEAR(found->scale, 0.93, 1e-9);
    EXPECT_LT(found->residual_m, 1e-9);
  }
}

TEST(Registration, AQuarterTurnIsFoundToo) {
  const StageToSensor truth{0, 0, 90 * kDegree, false};
  const auto found = fit_registration(felt(truth, 1), 3.4e-3);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->frame.rz_rad, 90 * kDegree, 1e-9);
}

TEST(Registration, SwappedRowsAreNoTurn) {
  auto presses = felt({}, 1);
  std::swap(presses[0].felt_y_m, presses[1].felt_y_m);
  std::swap(presses[3].felt_y_m, presses[4].felt_y_m);
  const auto found = fit_registration(presses, 3.4e-3);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("rows swapped"));
}

/// Steps per mm that are twice what they should be: everything is felt twice as far apart.
TEST(Registration, StepsPerMillimetreThatAreWrongAreNamed) {
  for (const double times : {0.5, 2.0}) {
    const auto found = fit_registration(felt({}, times), 3.4e-3);
    ASSERT_FALSE(found) << times;
    EXPECT_THAT(found.error().message, HasSubstr("steps per mm"));
    EXPECT_THAT(found.error().message, HasSubstr(fmt::format("by {:.3g}", 1 / times)));
  }
}

TEST(Registration, ShiftIsTheFarthestTactels) {
  const auto sensor = *load_sensor("weiss-wts0614");
  EXPECT_NEAR(registration_shift_m({}, {0.3e-3, 0, 0, false}, sensor), 0.3e-3, 1e-12);
  // A degree about the middle moves the corner tactel, 23.7 mm away, by 0.41 mm.
  const double corner_m = std::hypot(2.5 * 3.4e-3, 6.5 * 3.4e-3);
  EXPECT_NEAR(registration_shift_m({}, {0, 0, kDegree, false}, sensor),
              2 * corner_m * std::sin(kDegree / 2), 1e-9);
}

}  // namespace
}  // namespace tactelier::rig
