#pragma once
// Readings at rest of one table often hold several rounds of the same loads: each is a press of
// its own, whose scatter counts and that can be left out.

#include <cstddef>
#include <span>
#include <vector>

namespace tactelier {

/// The row in which each round begins; the first is 0. A round ends where the force falls below a
/// fifth of the highest, after it was above four fifths; rounds of few readings
/// join the one before.
std::vector<std::size_t> round_begins(std::span<const double> force_N);

}  // namespace tactelier
