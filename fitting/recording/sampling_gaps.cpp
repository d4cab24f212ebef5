#include "fitting/recording/sampling_gaps.hpp"

#include <algorithm>
#include <array>

namespace tactelier {
namespace {

constexpr std::size_t kSide = 5;

/// Median interval between rows [first, last]; 0 for a single row.
double usual_step(std::span<const double> time_s, std::size_t first, std::size_t last) {
  std::array<double, kSide> steps{};
  const auto count = last - first;
  if (count == 0) return 0;
  for (std::size_t k = 0; k < count; ++k) steps[k] = time_s[first + k + 1] - time_s[first + k];
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(steps.begin(), middle, steps.begin() + static_cast<std::ptrdiff_t>(count));
  return *middle;
}

}  // namespace

bool gap_before(std::span<const double> time_s, std::size_t i, double periods) {
  const double before = usual_step(time_s, i - 1 - std::min(i - 1, kSide), i - 1);
  const double after = usual_step(time_s, i, std::min(i + kSide, time_s.size() - 1));
  const double usual = std::max(before, after);
  return usual > 0 && time_s[i] - time_s[i - 1] > periods * usual;
}

double longest_step(std::span<const double> time_s, double periods) {
  double longest_s = 0;
  for (std::size_t i = 1; i < time_s.size(); ++i) {
    const double step_s = time_s[i] - time_s[i - 1];
    if (step_s > longest_s && !gap_before(time_s, i, periods)) longest_s = step_s;
  }
  return longest_s;
}

}  // namespace tactelier
