#pragma once
// Creep of readings: how a tactel's counts go on rising under the force it feels, per decade of
// time (docs/theory/response.md 9). Relaxation, the fall of the force itself, is taken out.

#include <span>

#include "fitting/relaxation/hold_data.hpp"

namespace tactelier {

/// A load that a tactel bore before a hold of it.
struct EarlierLoad {
  double lasted_s = 0;
  double ended_before_s = 0;  // the hold began
};

/// How much of a creep that goes on with the logarithm of time the earlier loads, as heavy as what
/// is held, take from it: what they leave falls while the hold lasts (Boltzmann's superposition).
/// 0 after a long rest; above 1 the readings fall. `from_s`: where the hold's readings count from.
double creep_hidden(std::span<const EarlierLoad> earlier, double from_s, double hold_s);

/// Fills response.tactels[].creep from presses with a hold on tactels whose response is known.
Result<void> report_creep(FitContext& context);

}  // namespace tactelier
