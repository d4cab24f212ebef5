#include "fitting/statistics/robust.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace tactelier {

double quantile(std::span<const double> values, double p) {
  assert(p >= 0 && p <= 1);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double low = *middle;
  if (below + 1 >= sorted.size()) return low;
  const double high = *std::min_element(middle + 1, sorted.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double mad_sigma(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> distance(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) distance[i] = std::abs(values[i] - centre);
  return 1.482602218505602 * median(distance);
}

double RobustLoss::rho(double s) const {
  const double a2 = tuning * tuning;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? s : 2 * tuning * std::sqrt(s) - a2;
    case LossShape::kCauchy:
      return a2 * std::log1p(s / a2);
    case LossShape::kTukey: {
      const double left = std::max(0.0, 1 - s / a2);
      return a2 / 3 * (1 - left * left * left);
    }
  }
  return s;
}

double RobustLoss::weight(double s) const {
  const double a2 = tuning * tuning;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? 1 : tuning / std::sqrt(s);
    case LossShape::kCauchy:
      return 1 / (1 + s / a2);
    case LossShape::kTukey: {
      const double left = std::max(0.0, 1 - s / a2);
      return left * left;
    }
  }
  return 1;
}

double RobustLoss::psi_slope(double r) const {
  const double a2 = tuning * tuning;
  const double s = r * r;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? 1 : 0;
    case LossShape::kCauchy:
      return (1 - s / a2) / ((1 + s / a2) * (1 + s / a2));
    case LossShape::kTukey:
      return s >= a2 ? 0 : (1 - s / a2) * (1 - 5 * s / a2);
  }
  return 1;
}

}  // namespace tactelier
