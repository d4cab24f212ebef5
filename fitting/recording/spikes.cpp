#include "fitting/recording/spikes.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kSide = 3;             // samples to each side that have to agree
constexpr std::size_t kLongest = 3;          // samples in a row
constexpr double kAgree = 0.25;              // of the spike: what both sides may differ by
constexpr double kSteeper = 5;               // than any step beside it
constexpr double kMinOfRange = 0.05;         // smaller ones do no harm
constexpr std::size_t kMinSamples = 50;      // to know the noise from
constexpr std::size_t kNoiseSamples = 4096;  // and enough to

/// Standard deviation of the noise of one sample, from differences, of which few are spikes.
double noise_of(std::span<const double> values) {
  const std::size_t stride = std::max<std::size_t>(1, values.size() / kNoiseSamples);
  std::vector<double> steps;
  for (std::size_t i = 0; i + 1 < values.size(); i += stride)
    if (const double step = std::abs(values[i + 1] - values[i]); !std::isnan(step))
      steps.push_back(step);
  constexpr double kMedianOfNormal = 0.6745;
  return steps.size() < kMinSamples / 2 ? 0 : median(steps) / kMedianOfNormal / std::sqrt(2.0);
}

double range_of(std::span<const double> values) {
  std::vector<double> some;
  const std::size_t stride = std::max<std::size_t>(1, values.size() / kNoiseSamples);
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (!std::isnan(values[i])) some.push_back(values[i]);
  if (some.empty()) return 0;
  std::sort(some.begin(), some.end());
  return some[some.size() - 1 - some.size() / 50] - some[some.size() / 50];
}

/// Mean of three and the largest step among them.
struct Side {
  double mean = 0, step = 0;
};

Side side_of(std::span<const double> values, std::size_t from) {
  Side side;
  for (std::size_t i = from; i < from + kSide; ++i) side.mean += values[i] / kSide;
  for (std::size_t i = from; i + 1 < from + kSide; ++i)
    side.step = std::max(side.step, std::abs(values[i + 1] - values[i]));
  return side;
}

/// Do the samples [at, at + length) stand off both sides, which agree with each other?
bool stands_alone(std::span<const double> values, std::size_t at, std::size_t length,
                  double limit) {
  const auto before = side_of(values, at - kSide), after = side_of(values, at + length);
  const double slope = kSteeper * std::max(before.step, after.step);
  const bool up = values[at] > before.mean;
  for (std::size_t i = at; i < at + length; ++i) {
    const double off = std::min((values[i] - before.mean) * (up ? 1 : -1),
                                (values[i] - after.mean) * (up ? 1 : -1));
    // Written so that a missing cell anywhere near says no.
    if (!(off > limit && off > slope && std::abs(before.mean - after.mean) < kAgree * off))
      return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> find_spikes(std::span<const double> values) {
  std::vector<std::size_t> spikes;
  if (values.size() < kMinSamples) return spikes;
  const double noise = noise_of(values);
  if (!(noise > 0)) return spikes;
  const double limit = std::max(kSpikeSigmas * noise, kMinOfRange * range_of(values));
  std::size_t i = kSide;
  while (i + kSide < values.size()) {
    std::size_t length = 0;
    if (std::abs(values[i] - values[i - 1]) > limit / 2)
      for (std::size_t n = 1; n <= kLongest && length == 0 && i + n + kSide <= values.size(); ++n)
        if (stands_alone(values, i, n, limit)) length = n;
    for (std::size_t k = 0; k < length; ++k) spikes.push_back(i + k);
    i += std::max<std::size_t>(1, length);
  }
  return spikes;
}

}  // namespace tactelier
