#include "libcalib/synth/force_watch.hpp"

namespace tactelier::synth {
namespace {

constexpr double kSmoothing = 0.1;  // part of the newest sample: 10 ms at 1 kHz
constexpr int kLeastSamples = 100;  // of free air before a bias is believed

}  // namespace

void ForceWatch::see(std::span<const pad::ForceSample> samples, bool in_free_air) {
  if (!in_free_air) {
    resting_ = 0;
    sum_N_ = 0;
  }
  for (const auto& sample : samples) {
    const double force_N = press_sign_ * sample.wrench[2];
    smooth_N_ = begun_ ? smooth_N_ + kSmoothing * (force_N - smooth_N_) : force_N;
    begun_ = true;
    if (!in_free_air) continue;
    sum_N_ += force_N;
    if (++resting_ >= kLeastSamples) bias_N_ = sum_N_ / resting_;
  }
}

}  // namespace tactelier::synth
