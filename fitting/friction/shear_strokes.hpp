#pragma once
// What the rig gives along the surface, from strokes of the tip along a rigid plate to which it
// sticks (step `shear`; docs/theory/friction.md 9). Between the axis' play and the slip each stroke
// j shows
//   F = a_j + (s + A sin(2 pi s/lambda + phi) + ...) / C
// with s the place along the strokes that the stage was told, A its microstep error, of two
// harmonics, to and fro apart. Strokes that begin at several places tell C from the error.

#include <optional>
#include <span>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// One way; equal lengths, in order of time.
struct ShearStroke {
  std::vector<double> place_m;  // along the strokes, the same axis for all
  std::vector<double> force_N;  // along the surface, likewise
};

/// C, m/N. `step_m`: of the stage, 0 where unknown. Fails with kUnidentifiable where fewer than
/// four strokes show a rise of the force.
Result<Estimate> fit_shear(std::span<const ShearStroke> strokes, double step_m);

/// Of one session; empty where it has no such strokes or what lies on the plate gives. Fails with
/// kUnidentifiable where its strokes tell nothing, else for damage and cancellation.
Result<std::optional<Estimate>> find_shear(const FitContext& context, std::size_t session);

}  // namespace tactelier
