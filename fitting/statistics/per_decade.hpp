#pragma once
// Creep under a load that stays: what a reading gains per decade of time.

#include <optional>
#include <span>

#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// Slope over log10 of `since_s` as a share of the level after a second. Empty with fewer than 50
/// rows or less than a factor 3 between first and last time.
std::optional<Estimate> share_per_decade(std::span<const double> since_s,
                                         std::span<const double> level);

/// Mean over holds: its error from their scatter, where three or more tell it, and at least from
/// their own.
Estimate mean_of_holds(std::span<const Estimate> holds);

}  // namespace tactelier
