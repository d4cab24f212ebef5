#pragma once
// The normal distribution as the point spread needs it.

#include <cmath>
#include <numbers>

namespace tactelier::psf_cell {

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
inline double normal_density(double x) {
  return std::numbers::inv_sqrtpi / std::numbers::sqrt2 * std::exp(-0.5 * x * x);
}

}  // namespace tactelier::psf_cell
