#include "devices/supervision/force_envelope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier::rig {
namespace {

constexpr double kUnlike = 2;
constexpr double kHardening = 3;
constexpr double kFurther = 2;  // times the greatest depth seen
constexpr std::size_t kMaxBins = 4000;
constexpr std::size_t kSlopeBins = 8;  // over a shorter way noise would tell the slope

}  // namespace

void ForceEnvelope::begin_press() { touch_z_m_.reset(); }

double ForceEnvelope::deepest_m() const {
  return most_N_.empty() ? 0 : kBin_m * static_cast<double>(most_N_.size() - 1);
}

void ForceEnvelope::see(double z_m, double force_N) {
  // The touch is where it was felt first: that makes depths too small rather than too large.
  touch_z_m_ = std::max(touch_z_m_.value_or(z_m), z_m);
  const auto bin = static_cast<std::size_t>((*touch_z_m_ - z_m) / kBin_m);
  if (bin >= kMaxBins) return;
  const auto known = most_N_.size();
  if (bin >= known) most_N_.resize(bin + 1, known == 0 ? 0 : most_N_.back());
  // A force at a depth bounds those at smaller depths, of which the last stretch wasn't seen.
  for (auto i = std::min(known, bin); i <= bin; ++i) most_N_[i] = std::max(most_N_[i], force_N);
  for (auto i = bin + 1; i < most_N_.size() && most_N_[i] < force_N; ++i) most_N_[i] = force_N;
}

double ForceEnvelope::most_N(double depth_m) const {
  const double deepest = deepest_m();
  if (depth_m <= deepest)
    return most_N_[std::min(most_N_.size() - 1,
                            static_cast<std::size_t>(std::ceil(std::max(0.0, depth_m) / kBin_m)))];
  if (depth_m > kFurther * deepest) return std::numeric_limits<double>::infinity();
  return most_N_.back() * std::pow(depth_m / deepest, kHardening);
}

double ForceEnvelope::reach_m(double z_m, double force_N, double ceiling_N) const {
  if (!known() || force_N >= ceiling_N) return 0;
  const double depth_m = touch_z_m_ ? std::max(0.0, *touch_z_m_ - z_m) : 0;
  // Not touched yet: from the first touch on all of it counts.
  const double here_N = touch_z_m_ ? std::min(most_N(depth_m), force_N) : 0;
  double reach = 0;
  while (force_N + kUnlike * (most_N(depth_m + reach + kBin_m) - here_N) <= ceiling_N)
    reach += kBin_m;
  return reach;
}

double ForceEnvelope::bound_N_per_m() const {
  double steepest = 0;
  for (std::size_t i = kSlopeBins; i < most_N_.size(); ++i)
    steepest = std::max(steepest, (most_N_[i] - most_N_[i - kSlopeBins]) /
                                      (kBin_m * static_cast<double>(kSlopeBins)));
  return kUnlike * steepest;
}

}  // namespace tactelier::rig
