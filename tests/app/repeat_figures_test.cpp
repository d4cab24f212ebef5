// What repeats of a press leave to a model that is right.
#include "app/workflow/repeat_figures.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

ComparedImage read_as(std::vector<double> counts) {
  ComparedImage image;
  image.predicted.assign(counts.size(), 50);
  image.measured = std::move(counts);
  at(image.metrics, ImageMetric::kTotal) = 0;
  return image;
}

TEST(FloorOfTotals, IsWhatTheScatterOfRepeatsLeavesInTheirMean) {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 2, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  const auto predictor = ImagePredictor::with(empty_model(sensor), "any", nullptr);
  // Totals 90, 100 and 110: half of all means of three are off by more than 0.6745 * 10/sqrt(3) %.
  std::vector<ComparedImage> images{read_as({40, 50}), read_as({60, 40}), read_as({50, 60})};
  const auto floor = floor_of(predictor, {{0, 1, 2}}, images);
  ASSERT_TRUE(at(floor, ImageMetric::kTotal));
  EXPECT_NEAR(*at(floor, ImageMetric::kTotal), 3.894, 0.001);
  EXPECT_FALSE(at(floor_of(predictor, {}, images), ImageMetric::kTotal));
  at(images[1].metrics, ImageMetric::kTotal) = {};  // one that lights no tactel
  EXPECT_FALSE(at(floor_of(predictor, {{0, 1, 2}}, images), ImageMetric::kTotal));
}

}  // namespace
}  // namespace tactelier
