#include "app/gui/state/tip_place.hpp"

#include <algorithm>

#include "app/gui/state/rig_link.hpp"
#include "libcalib/protocol/pad_frame.hpp"

namespace tactelier::gui {
namespace {

constexpr double kHeightDoubt_m = 20e-6;  // as RigMotion has it

/// Of the pad: x, y over it, z over its surface.
std::optional<Vector3> placeInPlan(const RigLink& rig) {
  const auto& status = rig.status();
  const bool known = rig.connected() && rig.live() && rig.live()->stage_ns != 0 &&
                     status.position_trusted && status.surface_found;
  if (!known) return std::nullopt;
  return PadFrame(rig.facts().rig, rig.facts().sensor).plan_from_stage_m(rig.live()->position_m);
}

}  // namespace

TipPlace tipPlace(const RigLink& rig) {
  TipPlace place;
  if (!rig.connected() || !rig.live() || !rig.status().position_trusted) return place;
  if (const auto& travel = rig.facts().rig.travel_m)
    place.left_m = rig.live()->position_m[2] - (*travel)[2];
  const auto at_m = placeInPlan(rig);
  if (!at_m) return place;
  place.depth_m = -(*at_m)[2];
  if (rig.status().registered) place.over_pad_m = at_m;
  const auto& limit_m = rig.facts().limits.depth_m;
  if (!limit_m) return place;
  const double to_limit_m = *limit_m - *place.depth_m;
  if (!place.left_m || to_limit_m < *place.left_m) {
    place.left_m = to_limit_m;
    place.left_to_depth_limit = true;
  }
  return place;
}

std::optional<Vector3> wayOver(const RigLink& rig, int tactel) {
  const auto at_m = placeInPlan(rig);
  const auto& sensor = rig.facts().sensor;
  if (!at_m || !rig.status().registered || tactel < 0 || tactel >= sensor.tactels())
    return std::nullopt;
  const auto centre_m = sensor.position_m(tactel);
  const double height_m = std::max((*at_m)[2], rig.facts().rig.stage.safe_height_m);
  const auto to_m =
      PadFrame(rig.facts().rig, sensor).stage_from_plan_m({centre_m[0], centre_m[1], height_m});
  Vector3 by_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    by_m[axis] = to_m[axis] - rig.live()->position_m[axis];
  return by_m;
}

bool atSafeHeight(const RigLink& rig) {
  const auto at_m = placeInPlan(rig);
  return at_m && (*at_m)[2] >= rig.facts().rig.stage.safe_height_m - kHeightDoubt_m;
}

}  // namespace tactelier::gui
