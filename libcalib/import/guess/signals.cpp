#include "libcalib/import/guess/signals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tactelier {

double middle_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::vector<double> steps_of(const std::vector<double>& values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
  return steps;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  double n = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    ++n;
    const double step_a = a[i] - mean_a, step_b = b[i] - mean_b;
    mean_a += step_a / n;
    mean_b += step_b / n;
    aa += step_a * (a[i] - mean_a);
    bb += step_b * (b[i] - mean_b);
    ab += step_a * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

bool rows_follow(const std::vector<double>& values) {
  constexpr std::size_t kEnoughRows = 100;
  constexpr double kNear = 0.05;  // of what rows in any order would give
  if (values.size() < kEnoughRows) return false;
  const double middle = middle_of(values);
  double steps = 0, squares = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (std::isnan(values[i]) || std::isnan(values[i - 1])) continue;
    steps += std::pow(values[i] - values[i - 1], 2);
    squares += std::pow(values[i] - middle, 2);
  }
  return squares > 0 && steps < kNear * 2 * squares;
}

Swing swing_about(std::span<const double> values, double rest) {
  Swing swing;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    swing.low = std::min(swing.low, value - rest);
    swing.high = std::max(swing.high, value - rest);
  }
  return swing;
}

Touches touches_of(const std::vector<double>& load, double rest, double threshold) {
  Touches touches;
  for (const double value : load) {
    if (!touches.open && value - rest > threshold) {
      touches.open = true;
      ++touches.count;
    }
    if (touches.open && value - rest < threshold / 2) touches.open = false;
  }
  return touches;
}

}  // namespace tactelier
