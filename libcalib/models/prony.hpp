#pragma once
// Linear viscoelasticity as springs and dashpots beside each other (Prony series; one branch: the
// standard linear solid):  F = k_inf d + sum h_i,  h_i' = k_i d' - h_i / tau_i
// d depth in m, F in N. Source: docs/theory/damping-and-relaxation.md 1, 2.

#include <cmath>

namespace tactelier {

/// h/k of one branch of unit stiffness, exact for depth linear in time within a step, and its
/// derivative by log tau.
class PronyBranchState {
 public:
  explicit PronyBranchState(double tau_s) : tau_s_(tau_s) {}

  void step(double dt_s, double depth_change_m) {
    if (!(dt_s > 0)) {
      value_m_ += depth_change_m;
      return;
    }
    const double x = dt_s / tau_s_;
    const double keep = std::exp(-x);
    const double gain = -std::expm1(-x) / x;  // (tau/dt)(1 - E)
    slope_m_ = keep * slope_m_ + x * keep * value_m_ + depth_change_m * (gain - keep);
    value_m_ = keep * value_m_ + gain * depth_change_m;
  }
  double value_m() const { return value_m_; }
  double slope_m() const { return slope_m_; }

 private:
  double tau_s_;
  double value_m_ = 0;
  double slope_m_ = 0;
};

}  // namespace tactelier
