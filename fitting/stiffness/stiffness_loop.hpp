#pragma once
// What a press's speed adds to its stiffness (docs/theory/contact-and-stiffness.md 5;
// docs/theory/damping-and-relaxation.md 1). A viscous pad is stiffer while loading and softer on
// the unloading branch by the same share when both go at one speed:
//   Hunt-Crossley  F = k depth (1 +- d v): slopes k (1 +- d v);  Kelvin-Voigt  F = k depth +- c v:
//   both k.
// So slope_in / (1 + h), h = (slope_in - slope_out)/(slope_in + slope_out), is the slope at rest.
// Hysteresis that doesn't depend on speed looks the same in one press: h belongs into the budget.

#include <limits>
#include <optional>
#include <span>

#include "fitting/statistics/identified.hpp"

namespace tactelier {

constexpr double kMaxViscousLoop = 0.05;  // h beyond this is not taken for viscosity

/// One press, rows in time order; depth from first touch, bias removed from the force. `peak`: last
/// row of the loading branch, `out`: first row of the unloading branch.
struct PressLoop {
  std::span<const double> time_s, depth_m, force_N;
  std::size_t peak = 0;
  std::size_t out = 0;
  double seen_m = std::numeric_limits<double>::infinity();  // deeper rows count on neither way
};

/// h, relative.
struct HalfWidth : Estimate {
  double speed_m_per_s = 0;  // of loading
};

/// h with its standard error, from lines between 0.3 and 0.9 of the largest depth. Empty when
/// either way has fewer than 8 rows there or the speeds differ by more than a tenth.
std::optional<HalfWidth> hysteresis_half_width(const PressLoop& press);

}  // namespace tactelier
