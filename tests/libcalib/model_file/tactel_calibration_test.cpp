// Readings to newtons, each number worked by hand.
#include "libcalib/model_file/tactel_calibration.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using testing_models::identified;

/// Rest 60, noise 4, dead zone 0.1 N, 1/700 N per count, ceiling 3840.
SensorModel line_model() {
  auto model = testing_models::wts_model();
  auto& tactel = model.response.tactels[5];
  tactel.offset = identified(60, "counts");
  tactel.noise = identified(4, "counts");
  tactel.press_threshold = identified(0.1, "N");
  tactel.press_gain = identified(1.0 / 700, "N/count");
  tactel.saturation = identified(3840, "counts");
  return model;
}

TEST(TactelCalibration, ReadsForceAboveTheDeadZoneAndUpToTheCeiling) {
  const auto tactel = tactel_calibration(line_model(), 5);
  EXPECT_EQ(tactel.force(72).flag, ReadingFlag::kBelow);  // 60 + 3 * 4
  EXPECT_FALSE(tactel.force(72).force_N);
  EXPECT_EQ(tactel.force(73).flag, ReadingFlag::kOk);
  EXPECT_DOUBLE_EQ(tactel.force(410).force_N.value(), 0.1 + 0.5);
  EXPECT_EQ(tactel.force(3835.5).flag, ReadingFlag::kOk);
  EXPECT_EQ(tactel.force(3836).flag, ReadingFlag::kSaturated);
  EXPECT_DOUBLE_EQ(tactel.force(4095).force_N.value(), 0.1 + 3780.0 / 700);
}

TEST(TactelCalibration, CallsNothingBelowWhereThereIsNoDeadZone) {
  auto model = line_model();
  model.response.tactels[5].press_threshold = identified(0, "N");
  const auto tactel = tactel_calibration(model, 5);
  EXPECT_EQ(tactel.force(53).flag, ReadingFlag::kOk);
  EXPECT_DOUBLE_EQ(tactel.force(53).force_N.value(), -0.01);
}

TEST(TactelCalibration, MirrorsReadingsThatFall) {
  auto model = line_model();
  model.sensor.falling = true;
  model.sensor.adc.min = 10;
  model.sensor.adc.max = 4095;
  model.response.tactels[5].offset = identified(4045, "counts");  // 60, turned
  model.response.tactels[5].saturation = identified(265, "counts");
  const auto tactel = tactel_calibration(model, 5);
  EXPECT_DOUBLE_EQ(tactel.force(3695).force_N.value(), 0.1 + 0.5);
  EXPECT_EQ(tactel.force(4050).flag, ReadingFlag::kBelow);
  EXPECT_EQ(tactel.force(200).flag, ReadingFlag::kSaturated);
  EXPECT_DOUBLE_EQ(tactel.force(200).force_N.value(), 0.1 + 3780.0 / 700);
}

TEST(TactelCalibration, CountsFromAZeroThatWasTakenAndSaturatesWhereTheConverterEnds) {
  auto tactel = tactel_calibration(line_model(), 5);
  tactel.set_zero(75);                                    // 15 above the model's rest
  EXPECT_EQ(tactel.force(87).flag, ReadingFlag::kBelow);  // 75 + 3 * 4
  EXPECT_EQ(tactel.force(88).flag, ReadingFlag::kOk);
  EXPECT_DOUBLE_EQ(tactel.force(425).force_N.value(), 0.1 + 0.5);
  EXPECT_EQ(tactel.force(3835.5).flag, ReadingFlag::kOk);
  EXPECT_EQ(tactel.force(3836).flag, ReadingFlag::kSaturated);
  EXPECT_DOUBLE_EQ(tactel.force(4095).force_N.value(), 0.1 + (3840.0 - 75) / 700);
}

TEST(TactelCalibration, TakesAZeroOfReadingsThatFallAndOfACurve) {
  auto model = line_model();
  model.sensor.falling = true;
  model.sensor.adc.min = 10;
  model.sensor.adc.max = 4095;
  auto& response = model.response.tactels[5];
  response.offset = identified(4045, "counts");
  response.saturation = identified(265, "counts");
  auto falling = tactel_calibration(model, 5);
  falling.set_zero(4030);
  EXPECT_DOUBLE_EQ(falling.force(3680).force_N.value(), 0.1 + 0.5);

  auto curved = line_model();
  curved.response.model = "monotone";
  curved.response.tactels[5].knots = {{0.1, 60}, {0.5, 460}, {1.5, 960}};
  auto tactel = tactel_calibration(curved, 5);
  tactel.set_zero(75);
  EXPECT_DOUBLE_EQ(tactel.force(275).force_N.value(), 0.3);  // knots: 260
}

TEST(TactelCalibration, SaysWhyATactelHasNoNewtons) {
  auto model = line_model();
  model.response.tactels[6].press_gain =
      unidentifiable("N/count", "RS-01 Tactel 6 stayed at its offset.", "response");
  EXPECT_EQ(tactel_calibration(model, 6).why, "RS-01 Tactel 6 stayed at its offset.");
  EXPECT_EQ(tactel_calibration(model, 6).force(500).flag, ReadingFlag::kUncalibrated);
  EXPECT_EQ(tactel_calibration(model, 84).why, "NOT-FITTED the model has no such tactel");
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(tactel_calibration(model, 6).force(none).flag, ReadingFlag::kNoReading);
}

}  // namespace
}  // namespace tactelier
