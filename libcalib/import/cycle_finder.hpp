#pragma once
// Finds the cycles of a load that goes up and down, also where it never comes back to nothing: each
// from one valley to the next.

#include <span>
#include <vector>

#include "libcalib/import/level_finder.hpp"

namespace tactelier {

/// Rows of each whole cycle: a rise and a fall of `within` of the signal's range (2nd to 98th
/// percentile) or more, and of six times its noise. Neighbours meet in the middle of the rest
/// between them; the first takes the rows before it, the last those behind. A rise at the end that
/// never falls, and a fall at the beginning, belong to no cycle. NaN rows are passed over.
std::vector<LevelRows> find_cycles(std::span<const double> signal, double within);

/// A signal that may fall when something presses, turned where it does: its start is rest, and what
/// presses takes it further away on one side.
std::vector<double> rising_from_start(std::vector<double> signal);

}  // namespace tactelier
