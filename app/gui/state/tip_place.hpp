#pragma once
// Where the tip stands over the pad, as far as surface and registration are known since homing.

#include <optional>

#include "libcalib/protocol/plan.hpp"

namespace tactelier::gui {

class RigLink;

struct TipPlace {
  /// Of the stage's way under the surface, negative over it: the rig's compliance is in it.
  std::optional<double> depth_m;
  std::optional<Vector3> over_pad_m;  // sensor frame
  /// Downwards, to the end of the stage's travel or to the depth limit, whichever comes first.
  std::optional<double> left_m;
  bool left_to_depth_limit = false;
};

TipPlace tipPlace(const RigLink& rig);

/// A move of the stage that brings the tip over a tactel, level or upwards, never lower than the
/// safe height; nothing where it isn't known where the pad lies.
std::optional<Vector3> wayOver(const RigLink& rig, int tactel);
/// Sideways is allowed from there on.
bool atSafeHeight(const RigLink& rig);

}  // namespace tactelier::gui
