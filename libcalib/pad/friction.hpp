#pragma once
// Friction between indenter and pad: LuGre's bristles in the tangent plane, integrated exactly for
// constant speed and load within a step.
//   g = N (mu_d + (mu_s - mu_d) exp(-(|v|/v_s)^2));  z' = v - sigma0 |v| / g z
//   F = sigma0 z + sigma1 z' + c_t v          on the pad, along the sliding of the indenter
// Source: Canudas de Wit et al., IEEE Trans. Automatic Control 40(3), 1995.

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/pad_truth.hpp"
#include "libcalib/pad/polygon.hpp"

namespace tactelier::pad {

class Bristles {
 public:
  /// `shear_m_per_N`: the rig's sideways compliance, in series with the bristles.
  Bristles(const FrictionTruth& truth, const FrictionEffects& effects, double shear_m_per_N)
      : truth_(truth), effects_(effects), shear_m_per_N_(shear_m_per_N) {}

  /// Force on the pad [N] at the end of a step at tangential velocity `v` [m/s] and load
  /// `normal_N`. Without load the bristles let go.
  Point step_N(double dt_s, Point v, double normal_N);

  Point deflection_m() const { return z_; }
  double slid_m() const { return slid_m_; }
  bool present() const { return truth_.mu_s > 0; }

 private:
  FrictionTruth truth_;
  FrictionEffects effects_;
  double shear_m_per_N_ = 0;
  Point z_;
  double slid_m_ = 0;  // under load, for running-in
};

}  // namespace tactelier::pad
