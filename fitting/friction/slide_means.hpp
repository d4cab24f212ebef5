#pragma once
// Friction of one slide, known tick by tick, as means over the blocks of rows that are compared;
// and how late its line began, where a controller begins each line when it likes:
//   late = argmin sum ((mean(late) + lean N + side - F)/sigma)^2 + (late/u)^2
// by Gauss and Newton for each slide alone, so that a search sees it no more (variable projection:
// Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973). docs/theory/friction.md 13.

#include <algorithm>
#include <span>
#include <vector>

#include "fitting/friction/slide_law.hpp"
#include "fitting/friction/slide_sensor.hpp"

namespace tactelier {

/// Mean over the rows of a block of what lies between ticks, the first of which is at `first_s`.
template <typename Value>
Value block_mean(const SlideContact& contact, const SlideBlock& block, double first_s,
                 double tick_s, std::span<const Value> by_tick, Value zero) {
  for (std::size_t i = block.begin; i < block.end; ++i)
    zero += between_ticks<Value>(by_tick, (contact.time_s[i] - first_s) / tick_s);
  return zero / static_cast<double>(block.end - block.begin);
}

/// What stands beside friction in a contact, and what is known of its lines.
struct SlideBeside {
  double lean = 0;  // side force over load
  double side_N = 0;
  double u_late_s = 0;  // standard, of when a line begins; 0: as told
};

/// `by_tick_N` filtered; its first tick seen by the force sensor at `first_s`.
double best_late_s(const SlideContact& contact, std::span<const SlideBlock> blocks, double first_s,
                   double tick_s, std::span<const double> by_tick_N, const SlideBeside& beside);

/// Of each block d mean/d late, N/s.
void late_slopes(const SlideContact& contact, std::span<const SlideBlock> blocks, double first_s,
                 double tick_s, std::span<const double> by_tick_N, std::span<double> slopes);

}  // namespace tactelier
