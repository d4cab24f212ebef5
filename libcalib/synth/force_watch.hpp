#pragma once
// The force as whoever follows a plan knows it: measured along the pressing axis, smoothed, tared
// in free air.

#include <span>

#include "libcalib/pad/pad.hpp"

namespace tactelier::synth {

class ForceWatch {
 public:
  explicit ForceWatch(double press_sign) : press_sign_(press_sign) {}

  /// `in_free_air`: the tip is at rest and touches nothing, so the samples also tell the bias.
  void see(std::span<const pad::ForceSample> samples, bool in_free_air);
  double force_N() const { return smooth_N_ - bias_N_; }

 private:
  double press_sign_;
  double smooth_N_ = 0;
  double bias_N_ = 0;
  double sum_N_ = 0;
  int resting_ = 0;  // samples in this stretch of free air
  bool begun_ = false;
};

}  // namespace tactelier::synth
