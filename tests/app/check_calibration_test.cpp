#include "app/workflow/check_calibration.hpp"

#include <gtest/gtest.h>

#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

/// All gains 3 % below those of forward_model(), each known to 0.1 %.
SensorModel with_gains(double press_gain, std::optional<double> creep) {
  auto model = testing_models::forward_model();
  for (auto& tactel : model.response.tactels) {
    testing_models::set(tactel.press_gain, press_gain);
    tactel.press_gain.ci95 = {0.999 * press_gain, 1.001 * press_gain};
    if (creep) testing_models::set(tactel.creep, *creep);
  }
  return model;
}

// Readings that creep by 4 % per decade read 2 % more after half a decade: a session that can't
// know it finds gains that much smaller, and no more.
TEST(CheckCalibration, AllowsForCreepThatOnlyOneSessionKnew) {
  const auto now = with_gains(0.97e-3, {});
  const auto verdict = [&](const SensorModel& model) {
    return compare_calibration(model, now, {}).value().verdict;
  };
  EXPECT_EQ(verdict(with_gains(1e-3, {})), CalibrationVerdict::kRescale);
  EXPECT_EQ(verdict(with_gains(1e-3, 4)), CalibrationVerdict::kValid);
  EXPECT_EQ(verdict(with_gains(1.02e-3, 4)), CalibrationVerdict::kRescale);
  const auto both = compare_calibration(with_gains(1e-3, 4), with_gains(0.97e-3, 4), {});
  EXPECT_EQ(both.value().verdict, CalibrationVerdict::kRescale);
}

}  // namespace
}  // namespace tactelier
