#pragma once
// Friction between indenter and pad: LuGre's bristles in the tangent plane, integrated exactly for
// constant speed and load within a step.
//   g = N (mu_d + (mu_s - mu_d) exp(-(|v|/v_s)^2));  z' = v - sigma0 |v| / g z
//   F = sigma0 z + sigma1 z' + c_t v          on the pad, along the sliding of the indenter
// Source: Canudas de Wit et al., IEEE Trans. Automatic Control 40(3), 1995.
//
// The rig bends sideways, in series with them. What is driven at v drags the touched point at u:
//   u = v - C F';  z' = u - sigma0 |u| / g z;  F = sigma0 z + sigma1 z' + c_t u
// solved for u at the end of each step. g keeps the driven speed: with its own the point would jump
// where friction falls with speed faster than c_t, since neither rig nor tip has a mass here.

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/pad_truth.hpp"
#include "libcalib/pad/polygon.hpp"

namespace tactelier::pad {

class Bristles {
 public:
  /// `shear_m_per_N`: the rig's sideways compliance, in series with the bristles.
  Bristles(const FrictionTruth& truth, const FrictionEffects& effects, double shear_m_per_N)
      : truth_(truth), effects_(effects), shear_m_per_N_(shear_m_per_N) {}

  /// Force on the pad [N] at the end of a step at tangential velocity `v` [m/s] of the rig and load
  /// `normal_N`. Without load the bristles let go.
  Point step_N(double dt_s, Point v, double normal_N);

  Point deflection_m() const { return z_; }
  double slid_m() const { return slid_m_; }
  bool present() const { return truth_.mu_s > 0; }

 private:
  /// What acts within one step.
  struct Law {
    double dt_s, sigma0, sigma1, c_t, g_N;
  };
  /// Of the touched point.
  Point velocity(const Law& law, Point driven) const;
  FrictionTruth truth_;
  FrictionEffects effects_;
  double shear_m_per_N_ = 0;
  Point z_;
  Point force_N_;
  double slid_m_ = 0;  // under load, for running-in
};

}  // namespace tactelier::pad
