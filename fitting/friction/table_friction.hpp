#pragma once
// Friction of a table without a time course: speed, load and friction, a row each (map targets
// speed, force and Fx, rows at rest). Each row is a steady slide of its own
// (docs/theory/friction.md 6); how rows scatter about the curve makes the intervals.

#include <span>

#include "fitting/friction/friction_estimate.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Rows that move under a load, of all sessions; empty where no session is such a table. Friction
/// is along the motion: a column of magnitudes takes its sign from the speed, one that is negative
/// where the speed is positive is turned round.
Result<std::vector<SlidePoint>> friction_rows(const FitContext& context);

/// The simplest law that the rows don't speak against. Of rows whose friction has no drop the level
/// is mu_d: sliding shows no other.
FrictionEstimate estimate_rows(std::vector<SlidePoint> rows);

}  // namespace tactelier
