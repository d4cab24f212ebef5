#pragma once
// Rows of a press in which the pad is being loaded, on which readings answer to the force as a
// loading line says. While the stage dwells the rubber relaxes, but hysteresis holds the readings
// where the highest force brought them, until the next step has passed that force again: such rows
// read more than their force says. (Nearly half of a staircase's rows, with 5 s a step, once were
// such, and the spread of a pad of `lab` came out 1 % too narrow.) So a row loads where the force, as a mean
// over the rows about it, is the highest so far but for its noise.

#include <cstddef>
#include <vector>

namespace tactelier {

struct PressContact;
struct PressData;

/// In order, from `touch` to `last` (counted in, cut at the end of data), which has a force. The
/// mean is over 1/32 of them or 0.05 s, whatever is less: too few rows stand for themselves.
std::vector<std::size_t> loading_rows(const PressData& data, const PressContact& contact,
                                      std::size_t touch, std::size_t last);

}  // namespace tactelier
