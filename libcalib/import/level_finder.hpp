#pragma once
// Finds where a signal of a table stands still: plateaus of weights, holds, or the other way round,
// where a stage moves. Works on any sampling, also a logarithmic one: rows are compared by value,
// times only say how long.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tactelier {

struct LevelRule {
  /// Share of the signal's range (2nd to 98th percentile) by which a level may vary either way;
  /// never less than four times the noise.
  double within = 0.02;
  /// A level is at least this long; when missing, one fiftieth of the table's length.
  std::optional<double> least_s;
  /// Looked for is what was held, where another signal drifts within the tolerance: a level ends
  /// with its window.
  bool held = false;
};

/// Rows [first, last].
struct LevelRows {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Longest stretches of at least five rows over which the signal stays within the tolerance about
/// its median and does not climb through it: a slow ramp is no level. NaN rows belong to none.
std::vector<LevelRows> find_levels(std::span<const double> time_s, std::span<const double> signal,
                                   const LevelRule& rule);

/// Standard deviation of the noise of a signal, from the differences of neighbours (a median: steps
/// and ramps between levels don't count).
double noise_of(std::span<const double> signal);

}  // namespace tactelier
