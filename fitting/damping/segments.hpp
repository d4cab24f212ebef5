#pragma once
// A press as means over short segments, for fits that look at force, depth and speed together.

#include <cstddef>
#include <span>
#include <vector>

namespace tactelier {

/// Mean over rows begin .. end-1.
struct PressSegment {
  std::size_t begin = 0, end = 0;
  double depth_m = 0;
  double force_N = 0;
  double velocity_m_per_s = 0;     // of the steps that end at these rows
  double half_sample_m_per_s = 0;  // the same half a sample later, less the velocity
  bool turning = false;            // the motion reverses within it

  double rows() const { return static_cast<double>(end - begin); }
};

struct SegmentLengths {
  double least_s = 5e-3;
  double least_m = 10e-6;  // 0: by time alone
  double most_s = 1;
};

/// From the second row on, so that each has a step before it; columns of equal length.
std::vector<PressSegment> segments(std::span<const double> time_s, std::span<const double> depth_m,
                                   std::span<const double> force_N, const SegmentLengths& lengths);

/// Largest depth times `shallow` and peak force times `least` must be passed: less is not yet in
/// touch, clamped, or about to let go.
struct InTouch {
  double shallow_m = 0, least_N = 0;
  bool holds(const PressSegment& segment) const {
    return !segment.turning && segment.depth_m > shallow_m && segment.force_N > least_N;
  }
};

}  // namespace tactelier
