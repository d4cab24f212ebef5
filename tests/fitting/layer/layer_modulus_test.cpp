// Young's modulus from stiffnesses that finite elements gave: axisymmetric, bilinear with mean
// dilatation, bonded to the base, 108 by 54 elements graded towards the punch's edge, by a
// program that shares nothing with the integral equation behind our table.

#include "fitting/layer/layer_modulus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using testing::StartsWith;

constexpr double kModulus_Pa = 1.2e6, kRadius_m = 0.5e-3;

/// F (1 - nu^2)/(2 a E delta) of a punch that slides, and of one that sticks.
struct Pressed {
  double radius_over_thickness, poisson_ratio, slides, sticks;
};
constexpr Pressed kPressed[] = {
    {0.1667, 0.45, 1.2060, 1.2089}, {0.25, 0.00, 1.2320, 1.3676}, {0.25, 0.30, 1.2698, 1.3075},
    {0.25, 0.48, 1.3541, 1.3542},   {0.50, 0.00, 1.5270, 1.6871}, {0.50, 0.30, 1.6258, 1.6624},
    {0.50, 0.45, 1.8085, 1.8100},   {0.50, 0.49, 1.9053, 1.9181},
};

SensorModel pressed(const Pressed& how, double kappa) {
  auto model = testing_models::wts_model();
  const double nu = how.poisson_ratio;
  auto& k = model.stiffness.k_punch;
  k = testing_models::identified(2 * kRadius_m * kModulus_Pa / (1 - nu * nu) * kappa, "N/m");
  k.std = 0.001 * *k.value;
  k.u_total = 0.01 * *k.value;
  model.stiffness.indenter = "cylinder 1 mm";
  model.stiffness.foundation_modulus = model.stiffness.k =
      unidentifiable("Pa/m", "ST-01 No plate press", "stiffness");
  model.sensor.thickness_m = kRadius_m / how.radius_over_thickness;
  model.sensor.poisson_ratio = nu;
  return model;
}

SensorModel fitted(SensorModel model) {
  FitContext context;
  context.model = std::move(model);
  EXPECT_TRUE(run_layer(context));
  return context.model;
}

std::string refusal(SensorModel model) {
  return fitted(std::move(model)).stiffness.youngs_modulus.reason;
}

TEST(LayerModulus, IsHeldWhetherRubberSlidesUnderThePunchOrSticks) {
  for (const auto& how : kPressed)
    for (const double kappa : {how.slides, how.sticks}) {
      SCOPED_TRACE(testing::Message() << how.radius_over_thickness << " " << how.poisson_ratio);
      const auto found = fitted(pressed(how, kappa)).stiffness.youngs_modulus;
      ASSERT_TRUE(found.identified()) << found.reason;
      EXPECT_NEAR(*found.value, kModulus_Pa, *found.u_total);
      EXPECT_LT(*found.u_total, 0.2 * kModulus_Pa);
      if (kappa == how.slides) {
        EXPECT_NEAR(*found.value / kModulus_Pa, 1, 0.012);
      }
    }
}

TEST(LayerModulus, KnowsHowMuchStickingStiffens) {
  EXPECT_NEAR(no_slip_factor(0), std::log(3.0), 1e-12);
  EXPECT_NEAR(no_slip_factor(0.5), 1, 1e-9);
  for (const auto& how : kPressed)
    EXPECT_NEAR(no_slip_factor(how.poisson_ratio), how.sticks / how.slides, 0.012);
}

TEST(LayerModulus, GrowsUncertainWithPoissonsRatioAndThickness) {
  auto model = pressed(kPressed[2], kPressed[2].slides);
  const auto u = [&] { return *fitted(model).stiffness.youngs_modulus.u_total; };
  const double usual = u();
  model.sensor.poisson_ratio_std = 0.1;
  EXPECT_GT(u(), 1.2 * usual);
  model.sensor.poisson_ratio_std = 0;
  EXPECT_LT(u(), usual);
  // Measured beside the pad, badly: d ln E/d ln h is 0.26 here.
  model.hydroelastic.thickness = testing_models::identified(*model.sensor.thickness_m, "m");
  model.hydroelastic.thickness.u_total = 0.4 * *model.sensor.thickness_m;
  model.sensor.thickness_m.reset();
  EXPECT_NEAR(u(), 0.26 * 0.4 * kModulus_Pa, 0.25 * 0.26 * 0.4 * kModulus_Pa);
}

// 2 mm of foam under 14 x 6 tactels of 3.4 mm: M = E (1 - nu)/((1 + nu)(1 - 2 nu)) = 1.346 E.
TEST(LayerModulus, GivesATactelsStiffnessWhereNobodyPressedAPlate) {
  const auto model = fitted(pressed(kPressed[2], kPressed[2].slides));
  const auto& s = model.stiffness;
  ASSERT_TRUE(s.foundation_modulus.identified()) << s.foundation_modulus.reason;
  const double expected = 1.34615 * kModulus_Pa / 2e-3;
  EXPECT_NEAR(*s.foundation_modulus.value / expected, 1, 0.012);
  EXPECT_NEAR(*s.k.value / (expected * 3.4e-3 * 3.4e-3), 1, 0.012);
  EXPECT_EQ(s.method, "layer");
  // Not under rubber, nor where the array is no wider than a few layers.
  EXPECT_FALSE(fitted(pressed(kPressed[3], 1.35)).stiffness.k.identified());
  auto thick = pressed(kPressed[0], kPressed[0].slides);
  thick.sensor.poisson_ratio = 0.3;
  EXPECT_FALSE(fitted(thick).stiffness.k.identified());
}

TEST(LayerModulus, SaysWhatItLacks) {
  const auto good = pressed(kPressed[0], kPressed[0].slides);
  auto model = good;
  model.sensor.poisson_ratio.reset();
  EXPECT_THAT(refusal(model), StartsWith("LAYER-POISSON"));
  model = good;
  model.sensor.thickness_m.reset();
  EXPECT_THAT(refusal(model), StartsWith("NO-THICKNESS"));
  model = good;
  model.stiffness.indenter = "sphere 10 mm";
  EXPECT_THAT(refusal(model), StartsWith("LAYER-TIP"));
  model = good;
  model.sensor.thickness_m = 0.9e-3;
  EXPECT_THAT(refusal(model), StartsWith("LAYER-THIN"));
  model = good;
  model.stiffness.k_punch = unidentifiable("N/m", "ST-01 Too few depths", "stiffness");
  EXPECT_THAT(refusal(model), StartsWith("ST-01"));
}

}  // namespace
}  // namespace tactelier
