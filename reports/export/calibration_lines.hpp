#pragma once
// The readings of one tactel to newtons as straight lines between knots, for readers that know
// nothing else: what TactelCalibration::force() does, as far as lines can.

#include <array>
#include <vector>

#include "libcalib/model_file/tactel_calibration.hpp"

namespace tactelier {

struct CalibrationLines {
  std::vector<std::array<double, 2>> knots;  // reading as recorded, newtons; readings rise
  double worst_N = 0;  // largest difference from force() of readings that are ok, the step apart
};

/// 0 N up to where the tactel says something, then its line or curve, level from where it
/// saturates. A law is cut into 32 lines. Empty for a tactel without newtons.
CalibrationLines calibration_lines(const TactelCalibration& tactel, const SensorModel& model);

}  // namespace tactelier
