#pragma once
// Images of a comparison in newtons, as `tactelier apply` gives them: of each tactel the force on
// the calibration indenter over its centre that makes it read that much.

#include <optional>
#include <span>
#include <vector>

#include "app/workflow/array_newtons.hpp"
#include "libcalib/forward/tactel_readout.hpp"

namespace tactelier {

/// By tactel; NaN where there is no number.
struct ForceImage {
  std::vector<double> force_N;
  std::vector<ReadingFlag> flags;
  std::optional<double> total_N;  // of the whole array, where the model knows it
};

class ComparedNewtons {
 public:
  /// `model`: of one channel per tactel (fits_array()).
  explicit ComparedNewtons(const SensorModel& model);

  /// `above_rest`: counts above rest by tactel.
  ForceImage image(std::span<const double> above_rest) const;
  /// What `a` has more than `b`. A tactel below its threshold counts as at it, so that what one
  /// image alone shows is at least that much more; below it in both there is none.
  std::vector<double> difference_N(const ForceImage& a, const ForceImage& b) const;

 private:
  TactelReadout readout_;
  ArrayNewtons newtons_;
  std::vector<double> least_N_;  // that a tactel tells
};

}  // namespace tactelier
