#pragma once
// A rest that creeps away while presses go on: what it adds to the readings of each press, and what
// of it the readings before the presses do not tell (docs/theory/response.md 11).

#include <span>
#include <vector>

#include "fitting/response/response_limits.hpp"
#include "fitting/response/response_press.hpp"

namespace tactelier {

struct RestDrift {
  /// Of each press, from its own free air to that of the next of the same recording (of the last
  /// one: as before it). Empty where the rest of all presses together does not creep one way.
  std::vector<double> counts_per_s;
  /// By how much the rest may creep besides while a press loads: where readings before the presses
  /// creep in all of them, and otherwise than from press to press. 0 where none shows.
  double left_counts = 0;
};

/// `presses` in the order of time in each session. Readings at rest have no time course, and no
/// drift.
RestDrift rest_drift(std::span<const TactelPress> presses);

/// Takes the drift since the free air before the press out of the readings that load. Readings from
/// `saturation_counts` on don't follow the rest: they stay.
void remove_drift(const TactelPress& press, double counts_per_s, double saturation_counts,
                  std::vector<double>& loading_counts);

/// Offsets of each press: its own free air where that is long enough, less what the rest crept
/// since, else the tactel's.
std::vector<ResponsePress> with_offsets(std::span<const TactelPress> presses,
                                        const ReadingLimits& limits, const RestDrift& drift);

}  // namespace tactelier
