#include "fitting/damping/segments.hpp"

#include <cmath>

namespace tactelier {

std::vector<PressSegment> segments(std::span<const double> time_s, std::span<const double> depth_m,
                                   std::span<const double> force_N, const SegmentLengths& lengths) {
  std::vector<PressSegment> found;
  const std::size_t rows = time_s.size();
  const auto speed = [&](std::size_t from, std::size_t to) {
    return (depth_m[to] - depth_m[from]) / (time_s[to] - time_s[from]);
  };
  for (std::size_t begin = 1; begin + 1 < rows;) {
    std::size_t end = begin + 1;
    const auto too_short = [&] {
      return time_s[end] - time_s[begin] < lengths.least_s ||
             std::abs(depth_m[end] - depth_m[begin]) < lengths.least_m;
    };
    while (end + 1 < rows && time_s[end] - time_s[begin] < lengths.most_s && too_short()) ++end;
    PressSegment one;
    one.begin = begin;
    one.end = end;
    for (std::size_t i = begin; i < end; ++i) {
      one.depth_m += depth_m[i] / one.rows();
      one.force_N += force_N[i] / one.rows();
    }
    one.velocity_m_per_s = speed(begin - 1, end - 1);
    one.half_sample_m_per_s = (speed(begin, end) - one.velocity_m_per_s) / 2;
    const std::size_t middle = (begin + end) / 2;
    one.turning = (depth_m[end] - depth_m[middle]) * (depth_m[middle] - depth_m[begin]) < 0;
    found.push_back(one);
    begin = end;
  }
  return found;
}

}  // namespace tactelier
