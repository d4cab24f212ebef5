#include "libcalib/protocol/saturation_watch.hpp"

#include <algorithm>

namespace tactelier {
namespace {

constexpr double kSmoothing = 0.2;  // part of the newest frame
constexpr int kFreeAirFrames = 5;   // that tell the reading without load
constexpr double kMinRise_counts = 10;
constexpr double kMinRise = 0.01;  // of the rise so far
constexpr double kMinSignal = 10;  // rises of kMinRise_counts before anything is believed
constexpr double kForceGrowth = 1.1;

}  // namespace

void SaturationWatch::see(double counts, double force_N) {
  if (frames_ < kFreeAirFrames) {
    free_air_ += (counts - free_air_) / ++frames_;
    smooth_ = highest_ = free_air_;
    return;
  }
  smooth_ += kSmoothing * (counts - smooth_);
  const double rise = std::max(kMinRise_counts, kMinRise * (highest_ - free_air_));
  if (smooth_ > highest_ + rise) {
    highest_ = smooth_;
    force_at_highest_N_ = force_N;
  }
  if (highest_ - free_air_ > kMinSignal * kMinRise_counts &&
      force_N > kForceGrowth * force_at_highest_N_)
    saturated_ = true;
}

}  // namespace tactelier
