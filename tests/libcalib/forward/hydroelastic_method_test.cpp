// Method hydroelastic against oracles 10 and 11 and closed forms.
#include "libcalib/forward/hydroelastic_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/libcalib/forward/forward_model.hpp"
#include "tests/libcalib/forward/forward_oracle.hpp"

namespace tactelier {
namespace {

using forward_oracle::metres;
using forward_oracle::newtons;
using forward_oracle::sphere;
using forward_oracle::sum;
using testing::HasSubstr;

/// K_f of oracle 11 as modulus over thickness, its receptive fields.
SensorModel field_model() {
  auto model = testing_models::forward_model();
  testing_models::set(model.hydroelastic.modulus, 2e6);
  testing_models::set(model.hydroelastic.thickness, 10e-3);
  testing_models::set(model.hydroelastic.receptive_radius, 2.4e-3);
  testing_models::set(model.hydroelastic.spacing, 0.85e-3);
  return model;
}

PressImage pressed_field(const SensorModel& model, const StaticPress& press) {
  const auto method = HydroelasticMethod::create(model);
  EXPECT_TRUE(method) << method.error().message;
  const auto image = method->press(press);
  EXPECT_TRUE(image) << image.error().message;
  return image ? *image : PressImage{};
}

TEST(HydroelasticMethod, DepthsAndPressuresAreTheOracles) {
  const auto method = HydroelasticMethod::create(field_model());
  ASSERT_TRUE(method) << method.error().message;
  const double cell_m2 = 3.4e-3 * 3.4e-3;
  int compared = 0;
  for (const auto& press : forward_oracle::oracle()["cases"]) {
    if (!press.contains("leins")) continue;
    const auto indenter = forward_oracle::indenter_of(press["indenter"]);
    const auto pose = forward_oracle::pose_of(press["indenter"]);
    const auto& expected = press["leins"];
    const auto image = method->press({indenter, pose, metres(expected["depth_m"].get<double>())});
    ASSERT_TRUE(image) << image.error().message;
    for (std::size_t i = 0; i < image->force_N.size(); ++i) {
      const double pressure_Pa = expected["image_Pa"][i / 6][i % 6];
      EXPECT_NEAR(image->force_N[i] / cell_m2, pressure_Pa, 1e-9 * 2e6) << press["name"] << i;
    }
    const auto by_force = method->press({indenter, pose, newtons(press["load_N"].get<double>())});
    EXPECT_NEAR(*by_force->depth_m / expected["depth_m"].get<double>(), 1, 1e-9) << press["name"];
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

// Oracle 10: a ball 1.5 mm deep in 16 x 16 cells of 5 mm, receptive radii and spacings.
TEST(HydroelasticMethod, ReceptiveFieldsAreTheOraclesTable) {
  const auto oracle = oracle::json("10_hydro.json");
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = array.columns = 16;
  array.pitch_x_m = array.pitch_y_m = 5e-3;
  auto model = empty_model(sensor);
  testing_models::set(model.hydroelastic.modulus, oracle["pad"]["E_Pa"]);
  testing_models::set(model.hydroelastic.thickness, oracle["pad"]["H_m"]);
  const auto& receptive = oracle["receptive"];
  for (const double radius_m : {2.5e-3, 3.5355339059327378e-3, 5e-3})
    for (const double spacing_m : {2.5e-3, 1.25e-3, 0.625e-3}) {
      testing_models::set(model.hydroelastic.receptive_radius, radius_m);
      testing_models::set(model.hydroelastic.spacing, spacing_m);
      const auto image = pressed_field(
          model, {sphere(40e-3), {1e-3, 0, 0, 0, 0}, metres(receptive["depth_m"].get<double>())});
      const auto& row = receptive["table"][fmt::format("rc_{:.3f}mm_spacing_{}mm", 1e3 * radius_m,
                                                       1e3 * spacing_m)];
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(image.force_N[7 * 16 + 5 + i] / 25e-6, row["row_7"][i].get<double>(), 1e-6);
      EXPECT_NEAR(sum(image.force_N), row["sum_all_times_pitch2_N"].get<double>(), 1e-9);
      EXPECT_NEAR(image.load_N / receptive["true_force_N"].get<double>(), 1, 1e-3);
    }
}

// F(v)/F(0) = max(0, 1 + d v), oracle 10; under a given force it goes less deep.
TEST(HydroelasticMethod, ApproachStiffensAndSeparationSoftens) {
  const auto oracle = oracle::json("10_hydro.json");
  const auto& dissipation = oracle["dissipation"];
  auto model = field_model();
  testing_models::set(model.hydroelastic.dissipation, dissipation["d_s_per_m"]);
  const auto still = pressed_field(model, {sphere(20e-3), {}, metres(0.5e-3)});
  for (std::size_t i = 0; i < dissipation["factor"].size(); ++i) {
    auto load = metres(0.5e-3);
    load.approach_m_per_s = dissipation["approach_speed_m_per_s"][i];
    const auto moving = pressed_field(model, {sphere(20e-3), {}, load});
    const double factor = dissipation["factor"][i];
    EXPECT_NEAR(moving.load_N, factor * still.load_N, 1e-12);
    EXPECT_NEAR(moving.force_N[38], factor * still.force_N[38], 1e-12);
  }
  auto by_force = newtons(2 * still.load_N);
  by_force.approach_m_per_s = 0.05;
  EXPECT_NEAR(*pressed_field(model, {sphere(20e-3), {}, by_force}).depth_m, 0.5e-3, 1e-9);
  by_force.approach_m_per_s = -0.06;
  const auto image = HydroelasticMethod::create(model)->press({sphere(20e-3), {}, by_force});
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message, HasSubstr("FW-06"));
}

TEST(HydroelasticMethod, SaysWhatTheModelLacksAndWhatLiesBesideTheArray) {
  auto model = field_model();
  const auto image =
      HydroelasticMethod::create(model)->press({sphere(20e-3), {0.1, 0, 0, 0, 0}, newtons(1)});
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message, HasSubstr("FW-01"));
  const auto crushed = HydroelasticMethod::create(model)->press({sphere(20e-3), {}, newtons(1e6)});
  ASSERT_FALSE(crushed);
  EXPECT_THAT(crushed.error().message, HasSubstr("FW-06"));
  model.hydroelastic.receptive_radius = unidentifiable("m", "PS-03 isolated centres");
  EXPECT_THAT(HydroelasticMethod::create(model).error().message, HasSubstr("PS-03"));
  testing_models::set(model.hydroelastic.receptive_radius, 4e-3);
  model.hydroelastic.modulus = unidentifiable("Pa", "NO-THICKNESS not stated");
  EXPECT_TRUE(HydroelasticMethod::create(model));  // K_f of the plate serves as well
  model.stiffness.foundation_modulus = unidentifiable("Pa/m", "RC-02 the frame bends");
  EXPECT_THAT(HydroelasticMethod::create(model).error().message, HasSubstr("NO-THICKNESS"));
}

}  // namespace
}  // namespace tactelier
