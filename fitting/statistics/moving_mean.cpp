#include "fitting/statistics/moving_mean.hpp"

#include <algorithm>

namespace tactelier {

std::vector<double> moving_mean(std::span<const double> values, std::size_t half) {
  std::vector<double> sums(values.size() + 1, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i];
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t low = i - std::min(i, half);
    const std::size_t high = std::min(values.size(), i + half + 1);
    result[i] = (sums[high] - sums[low]) / static_cast<double>(high - low);
  }
  return result;
}

}  // namespace tactelier
