#pragma once
// What the array's own temperature does to its readings. Piezoresistive arrays read 0.36 % more per
// kelvin (Tekscan, FlexiForce manual), others up to as much less, and hardly any recording goes
// through enough kelvin to tell; so it is no correction but a part of the budget.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Relative standard uncertainty, in percent, of every gain and threshold: how far the recorded
/// temperature (aux column `temperature`) went from the one that the first session states, else from
/// where it began. 0 where none was recorded.
Result<double> temperature_u_percent(const FitContext& context);

}  // namespace tactelier
