// Images are moved to where they were measured, and no farther.
#include "app/workflow/pose_registration.hpp"

#include <gtest/gtest.h>

#include "libcalib/units.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

Indenter bar() {
  Indenter shape;
  shape.shape = IndenterShape::kEdge;
  shape.length_m = 14e-3;
  shape.width_m = 4e-3;
  return shape;
}

/// A press predicted at `stated` that was measured `by` beside it.
ComparedImage measured_beside(const ImagePredictor& predictor, const Indenter& shape,
                              const PoseShift& by) {
  ComparedImage image;
  image.press = {shape, {0.5e-3, -1e-3, 0.3, 0, 0}, {PressLoad::By::kForce, 4.9, 0}};
  image.predicted = predictor.readout.above_rest(predictor.method->press(image.press)->force_N);
  auto there = image.press;
  there.pose.x_m += by.x_m;
  there.pose.y_m += by.y_m;
  there.pose.rz_rad += by.rz_rad;
  image.measured = predictor.readout.above_rest(predictor.method->press(there)->force_N);
  return image;
}

TEST(PoseRegistration, FindsWhereAnIndenterStood) {
  const auto predictor = ImagePredictor::create(testing_models::forward_model(), "psf");
  ASSERT_TRUE(predictor) << predictor.error().message;
  const PoseShift truth{0.7e-3, -1.1e-3, deg_to_rad(6)};
  const auto image = measured_beside(*predictor, bar(), truth);
  const auto found = register_pose(*predictor, image);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NEAR(found->x_m, truth.x_m, 0.05e-3);
  EXPECT_NEAR(found->y_m, truth.y_m, 0.05e-3);
  EXPECT_NEAR(found->rz_rad, truth.rz_rad, deg_to_rad(0.5));
  const auto moved = predict_moved(*predictor, image, *found);
  const auto stated = predict_moved(*predictor, image, {});
  ASSERT_TRUE(moved && stated);
  EXPECT_LT(*at(moved->metrics, ImageMetric::kRelL1), 1.5);
  EXPECT_GT(*at(stated->metrics, ImageMetric::kRelL1), 20);
}

// The point model's image jumps from tactel to tactel: no place is sure, but none is made worse.
TEST(PoseRegistration, NeverEndsFartherThanItBegan) {
  const auto predictor = ImagePredictor::create(testing_models::forward_model(), "soft-contact");
  ASSERT_TRUE(predictor);
  const auto image = measured_beside(*predictor, bar(), {0.7e-3, -1.1e-3, 0.1});
  const auto found = register_pose(*predictor, image);
  ASSERT_TRUE(found);
  const auto moved = predict_moved(*predictor, image, *found);
  const auto stated = predict_moved(*predictor, image, {});
  ASSERT_TRUE(moved && stated);
  EXPECT_LT(*at(moved->metrics, ImageMetric::kRmse), *at(stated->metrics, ImageMetric::kRmse));
}

// A disc has no direction: noise must not turn it.
TEST(PoseRegistration, TurnsNothingRound) {
  const auto predictor = ImagePredictor::create(testing_models::forward_model(), "psf");
  ASSERT_TRUE(predictor);
  Indenter disc;
  disc.diameter_m = 8e-3;
  const auto found = register_pose(*predictor, measured_beside(*predictor, disc, {1e-3, 0, 0.4}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rz_rad, 0);
  EXPECT_NEAR(found->x_m, 1e-3, 0.05e-3);
}

TEST(PoseRegistration, StopsAtTheLimitAndSaysSo) {
  const auto predictor = ImagePredictor::create(testing_models::forward_model(), "psf");
  ASSERT_TRUE(predictor);
  const auto far = measured_beside(*predictor, bar(), {0, 9e-3, 0});
  const auto found = register_pose(*predictor, far);
  ASSERT_TRUE(found);
  EXPECT_TRUE(at_limit(*found, predictor->layout.pitch_m));
  EXPECT_FALSE(at_limit({1e-3, 0, 0}, predictor->layout.pitch_m));
}

}  // namespace
}  // namespace tactelier
