#include "fitting/statistics/white_noise.hpp"

#include <cmath>
#include <vector>

#include "fitting/statistics/robust.hpp"

namespace tactelier {

double white_noise(std::span<const double> values) {
  std::vector<double> second;
  for (std::size_t i = 2; i < values.size(); ++i)
    second.push_back(values[i] - 2 * values[i - 1] + values[i - 2]);
  return second.empty() ? 0 : mad_sigma(second) / std::sqrt(6.0);
}

}  // namespace tactelier
