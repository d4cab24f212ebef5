// Readings to newtons where the model holds a curve instead of a line.
#include <gtest/gtest.h>

#include "app/workflow/apply_model.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

Parameter number(double value, const char* unit) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = unit;
  parameter.status = Status::kIdentified;
  return parameter;
}

SensorModel model_with(const char* form) {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  auto model = empty_model(sensor);
  model.response.model = form;
  model.validity.force_N = {{0, 1.5}};
  auto& tactel = model.response.tactels[0];
  tactel.offset = number(60, "counts");
  tactel.noise = number(4, "counts");
  tactel.press_threshold = number(0.1, "N");
  tactel.press_gain = number(1.0 / 700, "N/count");
  return model;
}

TEST(ApplyCurve, InvertsThePolynomial) {
  auto model = model_with("polynomial");
  // c = -40 + 1000 F - 250 F^2: 397.5 at F = 0.5, 710 at F = 1, 897.5 at the end, F = 1.5
  for (const double c : {-40.0, 1000.0, -250.0})
    model.response.tactels[0].coefficients.push_back(number(c, ""));
  const TactelLine tactel(model, 0);
  ASSERT_TRUE(tactel.apply(397.5).force_N);
  EXPECT_NEAR(*tactel.apply(397.5).force_N, 0.5, 1e-4);
  EXPECT_NEAR(*tactel.apply(710).force_N, 1.0, 1e-4);
  EXPECT_EQ(tactel.apply(710).flag, ReadingFlag::kOk);
  EXPECT_EQ(tactel.apply(65).flag, ReadingFlag::kBelow);
}

TEST(ApplyCurve, CallsAReadingBeyondTheCurveAtLeastItsLastForce) {
  auto model = model_with("monotone");
  model.response.tactels[0].knots = {{0.1, 60}, {0.5, 460}, {1.5, 960}};
  const TactelLine tactel(model, 0);
  EXPECT_DOUBLE_EQ(*tactel.apply(260).force_N, 0.3);
  EXPECT_EQ(tactel.apply(1200).flag, ReadingFlag::kSaturated);
  EXPECT_DOUBLE_EQ(*tactel.apply(1200).force_N, 1.5);
}

TEST(ApplyCurve, TakesTheNoiseAtTheCurvesOwnSlope) {
  auto model = model_with("monotone");
  model.response.tactels[0].knots = {{0.1, 60}, {0.5, 460}, {1.5, 960}};
  const TactelLine tactel(model, 0);
  // 4 counts at 1e-3 and at 2e-3 N/count, nothing else being uncertain
  EXPECT_NEAR(*tactel.apply(260).u95_N, 1.96 * 4e-3, 1e-5);
  EXPECT_NEAR(*tactel.apply(700).u95_N, 1.96 * 8e-3, 1e-5);
}

TEST(ApplyCurve, IsAsFarOffAsTheCurveAndNotAsALineThroughIt) {
  auto model = model_with("monotone");
  auto& response = model.response.tactels[0];
  response.knots = {{0.1, 60}, {0.5, 460}, {1.5, 960}};
  response.noise = number(0, "counts");
  response.press_gain.std = 0.02;  // of a line that does not describe it: 18 N at 900 counts
  response.curve_u95 = {{0.1, 0.01}, {0.5, 0.02}, {1.5, 0.04}};
  const TactelLine tactel(model, 0);
  EXPECT_NEAR(*tactel.apply(260).u95_N, 0.015, 1e-9);  // 0.3 N
  EXPECT_NEAR(*tactel.apply(710).u95_N, 0.03, 1e-9);   // 1 N
  EXPECT_NEAR(*tactel.apply(61).u95_N, 0.01, 1e-4);
}

TEST(ApplyCurve, InvertsADividerThatIsReadOverTheSensor) {
  auto model = model_with("conductance");
  model.sensor.falling = true;
  model.sensor.adc.max = 4095;
  auto& response = model.response.tactels[0];
  response.offset = number(4000, "counts");
  // c = 4000 - 3000 F/(F + 0.5), as recorded: 2500 at F = 0.5, 2000 at F = 1
  for (const double c : {4000.0, -3000.0, 0.5}) response.coefficients.push_back(number(c, ""));
  const TactelLine tactel(model, 0);
  EXPECT_NEAR(tactel.apply(2500).force_N.value(), 0.5, 1e-9);
  EXPECT_NEAR(tactel.apply(2000).force_N.value(), 1.0, 1e-9);
  EXPECT_EQ(tactel.apply(3995).flag, ReadingFlag::kBelow);
  EXPECT_EQ(tactel.apply(1500).flag, ReadingFlag::kSaturated);  // 1750 at the highest force, 1.5 N
}

}  // namespace
}  // namespace tactelier
