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

/// How much a ramp of `ramp_s` leaves of a branch's force at its end, referred to t = 0: after the
/// ramp F/d0 = k_inf + sum k_i rho_i exp(-t/tau_i). Leaving it out inflates fast branches.
inline double prony_ramp_factor(double tau_s, double ramp_s) {
  const double x = ramp_s / tau_s;
  return x > 0 ? std::expm1(x) / x : 1;
}

/// Storage and loss stiffness of one branch over its k at w = omega tau.
inline double prony_storage(double w) { return w * w / (1 + w * w); }
inline double prony_loss(double w) { return w / (1 + w * w); }

}  // namespace tactelier
