#pragma once
// What a load column reads where nothing presses. Mostly that is how the table begins; a logger
// that was started late begins under load, and then the start would turn every sign.

#include <cstddef>
#include <span>

namespace tactelier {

/// Rows of the start that tell a baseline.
constexpr std::size_t kBaselineRows = 20;

/// Median of the first `start_rows`; but where those are not near zero (a tenth of the range), and
/// more rows lie at zero or the table comes down to it and ends there, the rows at zero; and where
/// the start lies amid the range and moves, as no baseline does, the end at which most rows lie. In
/// the unit of `load`, whichever its sign; NaN: a cell without a number. 0 where there is no number
/// at all.
double unloaded_level(std::span<const double> load, std::size_t start_rows = kBaselineRows);

}  // namespace tactelier
