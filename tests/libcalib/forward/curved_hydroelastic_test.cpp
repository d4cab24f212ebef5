// Method hydroelastic on curved arrays, against closed forms and against itself on flat ones.
#include "libcalib/forward/curved_hydroelastic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "libcalib/forward/hydroelastic_method.hpp"
#include "tests/libcalib/forward/forward_model.hpp"
#include "tests/libcalib/forward/forward_oracle.hpp"

namespace tactelier {
namespace {

using forward_oracle::metres;
using forward_oracle::newtons;
using forward_oracle::plate;
using forward_oracle::sphere;
using testing::HasSubstr;

constexpr double kRadius_m = 10e-3, kPitch_m = 1.5e-3, kReceptive_m = 1.5e-3;
constexpr double kModulus_Pa_per_m = 2e8;
constexpr int kRows = 7, kColumns = 9;

void set_field(SensorModel& model, double receptive_m) {
  testing_models::set(model.hydroelastic.modulus, kModulus_Pa_per_m * 5e-3);
  testing_models::set(model.hydroelastic.thickness, 5e-3);
  testing_models::set(model.hydroelastic.receptive_radius, receptive_m);
}

/// Bent about the y axis, its top in the origin: a finger's last joint.
SensorModel finger() {
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = kRows;
  array.columns = kColumns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      const double angle = (column - kColumns / 2) * kPitch_m / kRadius_m;
      array.normals.push_back({std::sin(angle), 0, std::cos(angle)});
      array.positions_m.push_back({kRadius_m * std::sin(angle), (row - kRows / 2) * kPitch_m,
                                   kRadius_m * (std::cos(angle) - 1)});
    }
  auto model = empty_model(sensor);
  set_field(model, kReceptive_m);
  return model;
}

PressImage pressed_on(const SensorModel& model, const StaticPress& press) {
  const auto method = hydroelastic_method(model);
  EXPECT_TRUE(method) << method.error().message;
  const auto image = (*method)->press(press);
  EXPECT_TRUE(image) << image.error().message;
  return image ? *image : PressImage{};
}

// Under a plate d deep phi = R - (R - d)/cos(angle) along the normal, so that
// F = K L R (2 R sin a - 2 (R - d) a) with cos a = (R - d)/R.
TEST(CurvedHydroelastic, APlateOnAFingerCarriesWhatTheIntegralSays) {
  const double depth_m = 0.5e-3, a = std::acos((kRadius_m - depth_m) / kRadius_m);
  const double expected_N = kModulus_Pa_per_m * kRows * kPitch_m * kRadius_m *
                            (2 * kRadius_m * std::sin(a) - 2 * (kRadius_m - depth_m) * a);
  const auto image = pressed_on(finger(), {plate(), {}, metres(depth_m)});
  EXPECT_NEAR(image.load_N / expected_N, 1, 5e-3);
  const auto again = pressed_on(finger(), {plate(), {}, newtons(image.load_N)});
  EXPECT_NEAR(*again.depth_m, depth_m, 1e-9);
  // On top phi falls by s^2/(2 R); s^2 has the mean r_c^2/6 over the receptive field.
  const double top_Pa =
      kModulus_Pa_per_m * (depth_m - kReceptive_m * kReceptive_m / (12 * kRadius_m));
  const double top_N = image.force_N[kRows / 2 * kColumns + kColumns / 2];
  EXPECT_NEAR(top_N / (top_Pa * kPitch_m * kPitch_m), 1, 5e-3);
  EXPECT_GT(image.force_N[kRows / 2 * kColumns + kColumns / 2 - 1], 0);
  EXPECT_NEAR(image.force_N[kRows / 2 * kColumns + kColumns / 2 - 1],
              image.force_N[kRows / 2 * kColumns + kColumns / 2 + 1], 1e-9);
}

// The same samples, the same fields: a flat array is a curved one without curvature.
TEST(CurvedHydroelastic, OnAFlatArrayItIsTheFlatMethod) {
  auto model = testing_models::forward_model();
  set_field(model, 2.4e-3);
  testing_models::set(model.hydroelastic.spacing, 0.85e-3);
  Indenter hexagon;
  hexagon.shape = IndenterShape::kHexagon;
  hexagon.across_flats_m = 11.3e-3;
  const StaticPress press{hexagon, {0.2e-3, 0.3e-3, 0.4, 0, 0}, metres(0.4e-3)};
  const auto curved = CurvedHydroelasticMethod::create(model).press(press);
  ASSERT_TRUE(curved) << curved.error().message;
  const auto flat = pressed_on(model, press);
  for (std::size_t i = 0; i < flat.force_N.size(); ++i)
    EXPECT_NEAR(curved->force_N[i], flat.force_N[i], 1e-9) << i;
}

// Seen by the tactels that face it; what is behind a quarter turn sees nothing.
TEST(CurvedHydroelastic, ABallOnTheSideIsSeenThere) {
  const double angle = 3 * kPitch_m / kRadius_m;
  const auto image =
      pressed_on(finger(), {sphere(6e-3), {kRadius_m * std::sin(angle), 0, 0, 0, 0}, newtons(0.5)});
  const auto brightest = std::max_element(image.force_N.begin(), image.force_N.end());
  EXPECT_GE((brightest - image.force_N.begin()) % kColumns, kColumns / 2 + 2);
  EXPECT_EQ(image.force_N[kRows / 2 * kColumns], 0);
  EXPECT_NEAR(image.load_N, 0.5, 1e-6);
}

TEST(CurvedHydroelastic, SaysWhatItCannotCarry) {
  const auto method = hydroelastic_method(finger());
  const auto refusal = [&](const StaticPress& press) {
    const auto image = (*method)->press(press);
    return image ? std::string("no refusal") : image.error().message;
  };
  EXPECT_THAT(refusal({sphere(6e-3), {0.1, 0, 0, 0, 0}, newtons(1)}), HasSubstr("FW-01"));
  EXPECT_THAT(refusal({sphere(6e-3), {}, newtons(1e6)}), HasSubstr("FW-06"));
  EXPECT_THAT(refusal({sphere(6e-3), {NAN, 0, 0, 0, 0}, newtons(1)}), HasSubstr("FW-07"));
  EXPECT_THAT(refusal({sphere(6e-3), {}, newtons(NAN)}), HasSubstr("FW-07"));
  auto model = finger();
  model.sensor.arrays[0].pitch_x_m = 0;
  EXPECT_THAT(hydroelastic_method(model).error().message, HasSubstr("pitch"));
}

}  // namespace
}  // namespace tactelier
