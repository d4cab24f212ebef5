// Loops of a press in time against areas worked by hand.
#include "app/workflow/image_course.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/workflow/pose_registration.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMiddle = 45;
constexpr int kRows = 2001;  // up in a second, and down

/// A plate that puts 1 N on the middle tactel at the peak; its readings rise by 1000 counts and
/// fall 100 above that, less within a tenth of either end.
ImageCourse triangle(double peak_N) {
  ImageCourse course;
  course.tactels = {kMiddle};
  for (int row = 0; row < kRows; ++row) {
    const double part = 1 - std::abs(row - 1000) / 1000.0;
    const double above = row > 1000 ? std::min({1.0, part / 0.1, (1 - part) / 0.1}) : 0;
    course.force.time_s.push_back(row * 1e-3);
    course.force.value.push_back(peak_N * part);
    course.total.time_s.push_back(row * 1e-3);
    course.total.value.push_back(1000 * part + 100 * above);
  }
  return course;
}

// Up, play of r = 0.1 N follows F; down it stays at 1 N to F = 0.8 N and follows F + 2 r, so that a
// weight of 0.5 opens 0.5 (0.02 + 0.16) = 0.09 N^2 below the peak of 0.6 + 0.5 = 1.1 N: 8.182 %.
// The readings' loop is 100 counts high over nine tenths of the way: 9 %.
TEST(ImageCourse, LoopsAreAsLargeAsByHand) {
  auto model = testing_models::forward_model();
  for (auto& tactel : model.response.tactels) testing_models::set(tactel.threshold, 0);
  const auto plain = ImagePredictor::create(model, "psf");
  ASSERT_TRUE(plain);
  Indenter plate;
  plate.shape = IndenterShape::kPlate;
  const StaticPress newton{plate, {}, {PressLoad::By::kForce, 1, 0}};
  const auto course = triangle(1 / plain->method->image(newton)->force_N[kMiddle]);
  auto& play = model.response.hysteresis_model;
  for (const double newtons : {0.0, 0.1 / plain->readout.centre_share()})
    testing_models::set(play.thresholds.emplace_back(), newtons);
  for (const double weight : {0.6, 0.5}) testing_models::set(play.weights.emplace_back(), weight);
  const auto figures = course_figures(model, *plain->method, plain->readout, newton, course);
  ASSERT_TRUE(figures);
  EXPECT_NEAR(figures->measured_loop_percent, 9, 1e-3);
  EXPECT_NEAR(figures->predicted_loop_percent, 100 * 0.09 / 1.1, 1e-3);
  EXPECT_NEAR(*figures->loop_ratio, 100 * 0.09 / 1.1 / 9, 1e-3);
}

}  // namespace
}  // namespace tactelier
