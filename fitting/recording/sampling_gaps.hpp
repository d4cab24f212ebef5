#pragma once
// Where samples are missing, as far as times alone can say. Rows need not be equally spaced: a hold
// recorded in log time grows apart without a gap, and so does a table whose writer slowed down. A
// gap is an interval much longer than those on both sides of it, that is, one in a clock which is
// regular there.

#include <cstddef>
#include <span>

namespace tactelier {

/// Whether `periods` intervals of the clock or more lie between rows i - 1 and i: more than
/// `periods` times the median of up to five intervals before and of up to five after, whichever is
/// longer. At either end the side that there is decides.
bool gap_before(std::span<const double> time_s, std::size_t i, double periods);

/// The longest interval that is no gap; 0 for fewer than two rows.
double longest_step(std::span<const double> time_s, double periods);

}  // namespace tactelier
