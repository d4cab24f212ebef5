#pragma once
// Force samples of a slide without holes: the traces of the friction fit are equally spaced.

#include <array>
#include <vector>

namespace tactelier {

/// Tare taken off; vectors of equal length.
struct ForceRows {
  std::vector<double> time_s;
  std::array<std::vector<double>, 3> force_N;  // press axis, side x, side y; NaN where missing
};

constexpr std::size_t kMaxBridged = 3;  // samples in a row: spikes that were taken out

/// Up to kMaxBridged missing samples in a row become the straight line between their neighbours;
/// of what is left, the longest stretch without missing samples and without a gap in time (more
/// than 1.5 periods).
void keep_whole_stretch(ForceRows& rows, double period_s);

}  // namespace tactelier
