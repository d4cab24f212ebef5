#pragma once
// Where the force acts, from the torques: a check of tip_mm and rz_deg (docs/theory/force.md 3).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct PressureCentre {
  double x_m = 0, y_m = 0;  // sensor frame, from the tip: medians over presses
  double scatter_m = 0;     // between presses, robust
  std::size_t presses = 0;
};

/// From a few presses. Empty without torques, without tip_mm, or with another press axis than z.
/// Fails only for damage and cancellation.
Result<std::optional<PressureCentre>> find_pressure_centre(const FitContext& context,
                                                           std::size_t session);

}  // namespace tactelier
