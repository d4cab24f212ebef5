#include "fitting/press/spikes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kHalf = 3;             // of the window, to each side
constexpr double kAloneBy = 5;               // times as far as the middle of the others' distances
constexpr std::size_t kLeastSamples = 50;    // to know the noise from
constexpr std::size_t kNoiseSamples = 4096;  // and enough to

/// Standard deviation of the noise of one sample, from differences, of which few are spikes.
double noise_of(std::span<const double> values) {
  const std::size_t stride = std::max<std::size_t>(1, values.size() / kNoiseSamples);
  std::vector<double> steps;
  for (std::size_t i = 0; i + 1 < values.size(); i += stride)
    if (const double step = std::abs(values[i + 1] - values[i]); !std::isnan(step))
      steps.push_back(step);
  constexpr double kMedianOfNormal = 0.6745;
  return steps.size() < kLeastSamples / 2 ? 0 : median(steps) / kMedianOfNormal / std::sqrt(2.0);
}

bool alone(std::span<const double> values, std::size_t at, double limit) {
  std::array<double, 2 * kHalf + 1> window{};
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at - kHalf), window.size(),
              window.begin());
  if (std::any_of(window.begin(), window.end(), [](double v) { return std::isnan(v); }))
    return false;
  const auto middle = window.begin() + kHalf;
  std::nth_element(window.begin(), middle, window.end());
  const double centre = *middle;
  const double away = std::abs(values[at] - centre);
  if (!(away > limit)) return false;
  for (double& v : window) v = std::abs(v - centre);
  std::nth_element(window.begin(), middle, window.end());
  return away > kAloneBy * *middle;
}

}  // namespace

std::vector<std::size_t> find_spikes(std::span<const double> values) {
  std::vector<std::size_t> spikes;
  if (values.size() < kLeastSamples) return spikes;
  const double limit = kSpikeSigmas * noise_of(values);
  if (!(limit > 0)) return spikes;
  for (std::size_t i = kHalf; i + kHalf < values.size(); ++i) {
    const bool jumps = std::abs(values[i] - values[i - 1]) > limit / 2 ||
                       std::abs(values[i + 1] - values[i]) > limit / 2;
    if (jumps && alone(values, i, limit)) spikes.push_back(i);
  }
  return spikes;
}

}  // namespace tactelier
