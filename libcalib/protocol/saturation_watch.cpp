#include "libcalib/protocol/saturation_watch.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kSmoothing = 0.2;  // part of the newest frame
constexpr int kFreeAirFrames = 5;   // that tell the reading without load
constexpr double kMinRise_counts = 10;
constexpr double kMinRise = 0.01;  // of the rise so far
constexpr double kMinSignal = 10;  // rises of kMinRise_counts before anything is believed
constexpr double kForceGrowth = 1.1;
constexpr double kNoiseFrames = 50;   // over which noise is averaged
constexpr double kNoise = 5;          // standard deviations of a difference of smoothed forces
constexpr double kOfDifferences = 6;  // variance of a second difference over that of a value

}  // namespace

void SaturationWatch::see(double counts, double force_N) {
  see_noise(force_N);
  if (frames_ < kFreeAirFrames) {
    force_N_ += (force_N - force_N_) / (frames_ + 1);
    free_air_ += (counts - free_air_) / ++frames_;
    smooth_ = highest_ = free_air_;
    return;
  }
  smooth_ += kSmoothing * (counts - smooth_);
  force_N_ += kSmoothing * (force_N - force_N_);
  const double rise = std::max(kMinRise_counts, kMinRise * (highest_ - free_air_));
  if (smooth_ > highest_ + rise) {
    highest_ = smooth_;
    force_at_highest_N_ = force_N_;
  }
  const double smoothed_N2 = kSmoothing / (2 - kSmoothing) * noise_N2_;
  if (highest_ - free_air_ > kMinSignal * kMinRise_counts &&
      force_N_ > kForceGrowth * force_at_highest_N_ + kNoise * std::sqrt(2 * smoothed_N2))
    saturated_ = true;
}

void SaturationWatch::see_noise(double force_N) {
  const double step_N = force_N - force_before_N_;
  if (frames_ > 1) {
    const double second_N = step_N - force_step_N_;
    const double now_N2 = second_N * second_N / kOfDifferences;
    noise_N2_ += (now_N2 - noise_N2_) / std::min<double>(++noise_frames_, kNoiseFrames);
  }
  force_before_N_ = force_N;
  force_step_N_ = step_N;
}

}  // namespace tactelier
