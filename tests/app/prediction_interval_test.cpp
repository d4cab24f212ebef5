// What 95 % intervals of readings are made of, one part at a time.
#include "app/workflow/prediction_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/workflow/pose_registration.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kReadings = 400;

/// Width of the interval under the middle of a plate, where nothing but noise and rounding is
/// unsure.
double width_counts(double noise_counts, double step_counts) {
  auto model = testing_models::forward_model();
  for (auto& tactel : model.response.tactels) testing_models::set(tactel.noise, noise_counts);
  testing_models::set(model.response.resolution, step_counts);
  const auto predictor = ImagePredictor::create(model, "psf");
  const auto* psf = dynamic_cast<const PsfMethod*>(predictor->method.get());
  Indenter plate;
  plate.shape = IndenterShape::kPlate;
  RandomSource random(1);
  const auto intervals =
      PredictionInterval(model, *psf, predictor->readout)
          .of({plate, {}, {PressLoad::By::kForce, 10, 0}}, {kReadings, true, {}}, random);
  const auto& middle = intervals->at(45);
  return middle[1] - middle[0];
}

// Sheppard: noise of a step or more averages the rounding of a mean out.
TEST(PredictionInterval, HoldsNoRoundingOfAMeanThatNoiseAveragesOut) {
  const double expected = 2 * 1.96 * 2 / std::sqrt(kReadings);
  EXPECT_NEAR(width_counts(2, 1), expected, 0.06 * expected);
}

TEST(PredictionInterval, HoldsHalfAStepOfReadingsWithoutNoise) {
  EXPECT_NEAR(width_counts(1e-6, 1), 0.95, 0.02);
}

}  // namespace
}  // namespace tactelier
