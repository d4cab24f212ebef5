#pragma once
// What a press's speed adds is taken out of k_punch by the loop between loading and unloading
// (stiffness_loop.hpp): by the press's own where the rubber under it was pressed as deep before.
// A press into virgin rubber softens it on the way, so that loading and unloading differ by more
// than speed (docs/theory/contact-and-stiffness.md 5): where such loops differ from those of rubber
// that is run in, its presses take the loop of the others, at half to twice their speed. Where
// nothing is run in a first press takes its own and one that only went deeper than before none.

#include <vector>

#include "fitting/stiffness/stiffness_quantity.hpp"

namespace tactelier {

/// Makes k_punch the value at rest where the loop is small (kMaxViscousLoop).
void take_speed_out(std::vector<StiffnessPress>& presses);

/// Median size of the loops that are small, of rubber that is run in where there are such; 0
/// without any. Relative.
double median_hysteresis_half_width(const std::vector<StiffnessPress>& presses);

}  // namespace tactelier
