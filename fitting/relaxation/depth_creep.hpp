#pragma once
// Creep: how far a pad goes on giving way under a force that is held. Not relaxation, which is the
// fall of the force at a depth that is held; each needs its own kind of hold.

#include <optional>
#include <span>

namespace tactelier {

struct DepthCreep {
  double total = 0;       // last less first depth, medians over three rows each
  double per_decade = 0;  // slope over log10 of time since the hold began
  double u_per_decade = 0;
};

/// Rows of the hold, the servo's settling left out; `since_s` > 0 rising. Any unit of depth. Empty
/// with fewer than 40 rows.
std::optional<DepthCreep> depth_creep(std::span<const double> since_s,
                                      std::span<const double> depth);

}  // namespace tactelier
