#pragma once
// What the contact points of a whole session tell: height and tilt of the surface, how it drifted,
// and what touches of a reference pad say about the same.

#include <vector>

#include "fitting/contact/surface.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Contact points of presses with the session's indenter. context.contacts must be filled.
std::vector<SurfacePoint> surface_points(const FitContext& context, std::size_t session);
/// The plane through them.
Result<SurfaceFit> find_surface(const FitContext& context, std::size_t session);

struct ReferenceTouches {
  std::vector<double> time_s, z0_m;  // of the touches where contact was found
  double drift_m = 0;                // last less first
  double residual_m = 0;             // rms of those between, from the straight line first to last
};

/// Touches of the reference pad (`reference` events). Fails only for damage and cancellation.
Result<ReferenceTouches> find_reference_touches(const FitContext& context, std::size_t session);

/// Puts both into model.rig.tilt and the figures of `quality`; the tilt as stated where the presses
/// don't tell. The file has room for the first session's only.
Result<void> report_surface(FitContext& context, std::size_t session, StageQuality& quality);

}  // namespace tactelier
