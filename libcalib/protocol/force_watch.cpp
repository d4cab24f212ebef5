#include "libcalib/protocol/force_watch.hpp"

namespace tactelier {
namespace {

constexpr double kSmoothing = 0.1;  // part of the newest sample: 10 ms at 1 kHz
constexpr int kMinSamples = 100;    // of free air before a bias is believed

}  // namespace

void ForceWatch::see(double force_N, bool in_free_air) {
  smooth_N_ = begun_ ? smooth_N_ + kSmoothing * (force_N - smooth_N_) : force_N;
  begun_ = true;
  if (!in_free_air) {
    resting_ = 0;
    sum_N_ = 0;
    return;
  }
  sum_N_ += force_N;
  if (++resting_ < kMinSamples) return;
  bias_N_ = sum_N_ / resting_;
  tared_ = true;
}

}  // namespace tactelier
