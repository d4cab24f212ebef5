#pragma once
// What a six-axis force sensor makes of the true wrench: low-pass, gain error, cross-axis, drift,
// noise, resolution.

#include <array>

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/random.hpp"

namespace tactelier::pad {

/// Fx Fy Fz [N] Tx Ty Tz [N m]
using Wrench = std::array<double, 6>;

class ForceSensor {
 public:
  ForceSensor(const ForceSensorEffects& effects, std::uint64_t seed);

  /// One sample, `dt_s` after the last; `t_s` since switching on.
  Wrench sample(double t_s, double dt_s, const Wrench& truth, bool stepping);

  /// Of Fz.
  double gain() const { return gains_[2]; }
  const Wrench& gains() const { return gains_; }

 private:
  ForceSensorEffects effects_;
  Random random_;
  Wrench gains_{1, 1, 1, 1, 1, 1};
  Wrench cross_{};       // of Fz into each other axis, with sign
  Wrench drift_sign_{};  // of each axis
  Wrench before_{};      // of the filter
  Wrench filtered_{};
  double filter_dt_s_ = 0;
  double filter_keep_ = 0;
  double filter_gain_ = 0;
};

}  // namespace tactelier::pad
