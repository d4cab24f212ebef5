#pragma once
// Stage "hydroelastic": the pad as a pressure field for simulators of that kind: modulus,
// dissipation, receptive radius of a tactel, friction (docs/theory/pressure-field.md).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills context.model.hydroelastic. Takes K_f of the plate, the spread, friction and Hunt-Crossley
/// damping from earlier stages.
Result<void> run_hydroelastic(FitContext& context);

/// Radius of a receptive field weighted by 1 - (r/r_c)^2 whose second moment per axis, r_c^2/6, is
/// that of a Gaussian of `sigma_m` spread over a cell of `pitch_m`.
double receptive_radius_m(double sigma_m, double pitch_m);

}  // namespace tactelier
