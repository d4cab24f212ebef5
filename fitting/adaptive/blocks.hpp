#pragma once
// What presses one by one don't tell: damping wants the same depth at several speeds, relaxation
// depths that are held. Each is a block of steps, done once in the beginning and again until its
// target is met; the fit decides how often.

#include <nlohmann/json_fwd.hpp>

#include "fitting/adaptive/targets.hpp"

namespace tactelier::adaptive {

struct BlockSettings {
  int tactel = 0;  // under the tip
  double most_depth_m = 0;
  double most_speed_m_per_s = 0;  // of the stage along z
  double rest_s = 0;              // of a press: at rest before and after
};

/// It is nearer by blocks, not by chosen presses.
bool by_blocks(TargetKind kind);

/// Steps of a protocol, an array. `first`: with what is done once, a press deeper than all that
/// follow (virgin rubber is stiffer).
nlohmann::json block_steps(TargetKind kind, const BlockSettings& settings, bool first);

/// Rig time of such a block, about.
double block_s(TargetKind kind, const BlockSettings& settings);

}  // namespace tactelier::adaptive
