#pragma once
// Edges of the force on a rigid plate where steps ring: half of a rung step is there after a sixth
// of a period, 3 ms at 50 Hz, long after what a ramp comes late by (2 zeta/w). Taken for a jump it
// makes a stage as much too late.

#include <optional>

#include "fitting/recording/edge_stairs.hpp"

namespace tactelier {

struct RungEdges {
  EdgeShape shape;
  double delay_s = 0;   // of the edges' begin
  double u_mean_s = 0;  // standard, of delay_s + shape.mean_s()
  EdgesAtDelay fit;
};

/// From what a jump ended with. `like`: another press of the same axis, from which alone it then is
/// sought. Leaves `stairs` in the shape found. Empty where it does not converge.
std::optional<RungEdges> find_rung_edges(EdgeStairs& stairs, const PlateLoading& press,
                                         const EdgeShape& jump, double jump_delay_s,
                                         const EdgeShape* like = nullptr);

}  // namespace tactelier
