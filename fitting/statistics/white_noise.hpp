#pragma once
// Noise of one sample from a signal that changes slowly: (x_i - 2 x_(i-1) + x_(i-2)) has six times
// its variance where samples have no memory of each other.

#include <span>

namespace tactelier {

/// Standard deviation, by the median absolute deviation of second differences; 0 with fewer than
/// three values.
double white_noise(std::span<const double> values);

}  // namespace tactelier
