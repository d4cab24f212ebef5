#pragma once
// How much stiffer a layer bonded to a rigid base answers a flat round punch than deep rubber does:
//   F = 2 a E/(1 - nu^2) kappa(a/h, nu) delta          kappa -> 1 for a << h
// a punch radius, h layer thickness. kappa solves an integral equation
// (docs/theory/contact-and-stiffness.md 9); we ship its table and interpolate ln kappa with the
// monotone cubic, over ln(a/h) and then over nu:
// within 0.7 % for nu <= 0.45 and 2.4 % above, where kappa rises steeply. Below the table kappa - 1
// goes with a/h, its leading term.
// Source: Hayes et al., J. Biomechanics 5, 1972; table computed for this project.

#include "libcalib/result.hpp"

namespace tactelier {

constexpr double kHayesMinRadius = 0.05;  // a/h, of the table
constexpr double kHayesMaxRadius = 3.0;

/// kappa for radius_over_thickness in (0, 3] and Poisson's ratio in [0, 0.5].
/// Fails with kInvalidInput outside: the table says nothing there.
Result<double> hayes_factor(double radius_over_thickness, double poisson_ratio);

/// Largest relative error of hayes_factor() at that Poisson's ratio: 0.007 or 0.024.
double hayes_tolerance(double poisson_ratio);

/// E from the stiffness that a punch of radius a measured on a layer of thickness h; Pa.
Result<double> modulus_from_punch_Pa(double k_punch_N_per_m, double radius_m, double thickness_m,
                                     double poisson_ratio);

}  // namespace tactelier
