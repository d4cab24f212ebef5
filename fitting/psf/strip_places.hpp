#pragma once
// One row of tactels says how far along it a press was, and nothing of how far beside it: a shift
// across a strip and its turn change all readings of a tactel by the same factor, as its gain does.

#include <array>

#include "fitting/psf/psf_problem.hpp"

namespace tactelier {

/// x, y: whether the array lies along the other one and the presses do, too, so that their places
/// this way stay as they are stated.
std::array<bool, 2> across_strip(const SensorDescription& sensor, const PsfProblem& problem);

}  // namespace tactelier
