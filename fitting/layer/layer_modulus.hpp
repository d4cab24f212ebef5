#pragma once
// Stage "layer": Young's modulus of the rubber or foam from the punch that pressed it, once
// thickness and Poisson's ratio are known (docs/theory/contact-and-stiffness.md 9):
//   E = k_punch (1 - nu^2)/(2 a kappa(a/h, nu))       flat round punch of radius a, layer h, bonded
// and of a layer that can be compressed, where nobody pressed a plate,
//   K_f = E (1 - nu)/((1 + nu)(1 - 2 nu) h)           far from the array's edges

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// How much stiffer a flat round punch that sticks presses deep rubber than one that slides:
/// (1 - nu) ln(3 - 4 nu)/(1 - 2 nu), 1.10 at nu = 0 and 1 at 0.5.
double no_slip_factor(double poisson_ratio);

/// Fills context.model.stiffness.youngs_modulus, and foundation_modulus and k where the model has
/// none. Takes k_punch and the thickness that earlier stages left.
Result<void> run_layer(FitContext& context);

}  // namespace tactelier
