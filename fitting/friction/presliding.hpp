#pragma once
// Small oscillations about a stuck contact: can they show the bristles at all, and about how stiff
// are they? (docs/theory/friction.md 7). The numbers reported come from the joint fit.

#include <complex>
#include <string>
#include <vector>

#include "fitting/friction/slide_data.hpp"

namespace tactelier {

/// Force over motion at the run's frequency. Small-signal: sigma0 + i w (sigma1 + c_t).
struct Presliding {
  std::complex<double> stiffness_N_per_m;
  double amplitude_m = 0;       // of the motion
  double third_harmonic = 0;    // of the force, over its fundamental
  double u_third_harmonic = 0;  // standard uncertainty from the noise
};

/// Over the part of the run with full amplitude.
Presliding presliding(const SlideRun& run);

/// Why this run can't show bristles (FR-04: steps, sampling, play); empty when it can.
std::string cannot_preslide(const SlideRun& run, const Presliding& found);

}  // namespace tactelier
