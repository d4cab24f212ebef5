// Counts above rest to newtons, against numbers worked by hand.
#include "app/workflow/compared_newtons.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {
namespace {

Parameter known_value(double value, const char* unit) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = unit;
  parameter.status = Status::kIdentified;
  return parameter;
}

/// Rest 60, noise 4, dead zone 0.1 N, 1/700 N per count, end 3840; tactel 7 has no gain.
SensorModel written_model() {
  auto model = empty_model(*load_sensor("weiss-wts0614"));
  for (auto& tactel : model.response.tactels) {
    tactel.offset = known_value(60, "counts");
    tactel.noise = known_value(4, "counts");
    tactel.press_threshold = known_value(0.1, "N");
    if (tactel.index != 7) tactel.press_gain = known_value(1.0 / 700, "N/count");
    tactel.saturation = known_value(3840, "counts");
  }
  return model;
}

std::vector<double> image_with(double five, double six, double seven) {
  std::vector<double> image(84, 0.0);
  image[5] = five;
  image[6] = six;
  image[7] = seven;
  return image;
}

TEST(ComparedNewtons, AreThoseOfAppliedReadings) {
  const auto image = ComparedNewtons(written_model()).image(image_with(700, 5000, 300));
  EXPECT_NEAR(image.force_N[5], 1.1, 1e-12);  // 0.1 + 700 / 700
  EXPECT_EQ(image.flags[5], ReadingFlag::kOk);
  EXPECT_EQ(image.flags[6], ReadingFlag::kSaturated);
  EXPECT_NEAR(image.force_N[6], 0.1 + 3780.0 / 700, 1e-12);
  EXPECT_EQ(image.flags[7], ReadingFlag::kUncalibrated);
  EXPECT_TRUE(std::isnan(image.force_N[7]));
  EXPECT_EQ(image.flags[0], ReadingFlag::kBelow);
  EXPECT_TRUE(std::isnan(image.force_N[0]));
  EXPECT_FALSE(image.total_N);  // the model has none
}

TEST(ComparedNewtons, DifferByAtLeastWhatOneImageAloneShows) {
  const ComparedNewtons newtons(written_model());
  const auto real = newtons.image(image_with(700, 350, 300));
  const auto simulated = newtons.image(image_with(630, 0, 300));
  const auto difference_N = newtons.difference_N(real, simulated);
  EXPECT_NEAR(difference_N[5], 0.1, 1e-12);
  EXPECT_NEAR(difference_N[6], 0.5, 1e-12);  // 0.6 N against what is below 0.1 N
  EXPECT_NEAR(newtons.difference_N(simulated, real)[6], -0.5, 1e-12);
  EXPECT_EQ(difference_N[0], 0);
  EXPECT_TRUE(std::isnan(difference_N[7]));
}

TEST(ComparedNewtons, LeaveOutWhatWasNotRead) {
  const ComparedNewtons newtons(written_model());
  auto image = image_with(700, 0, 0);
  image[9] = std::nan("");
  const auto real = newtons.image(image);
  EXPECT_EQ(real.flags[9], ReadingFlag::kNoReading);
  EXPECT_TRUE(std::isnan(newtons.difference_N(real, newtons.image(image_with(700, 0, 0)))[9]));
}

}  // namespace
}  // namespace tactelier
