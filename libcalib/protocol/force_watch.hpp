#pragma once
// The force as whoever follows a plan knows it: measured along the pressing axis, smoothed, tared
// in free air.

namespace tactelier {

class ForceWatch {
 public:
  /// One sample after the other, at about 1 kHz, pressing positive. `in_free_air`: the tip is at
  /// rest and touches nothing, so the sample also tells the bias.
  void see(double force_N, bool in_free_air);
  double force_N() const { return smooth_N_ - bias_N_; }
  double bias_N() const { return bias_N_; }
  /// A bias has been measured.
  bool tared() const { return tared_; }

 private:
  double smooth_N_ = 0;
  double bias_N_ = 0;
  double sum_N_ = 0;
  int resting_ = 0;  // samples in this stretch of free air
  bool begun_ = false, tared_ = false;
};

}  // namespace tactelier
