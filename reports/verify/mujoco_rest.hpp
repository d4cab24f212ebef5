#pragma once
// Finding in MuJoCo how deep a load presses what is driven (mjcf::add_driven_slide). A load laid on
// a body swings, and contacts at rims and on slopes keep it trembling (MuJoCo 2); what stands at a
// given depth does neither, and carries there what it would come to rest under.

#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

/// The dampers' own time, forty times.
double creep_s(const MujocoPad& pad);

/// From where it is after reset(). Throws std::runtime_error where it meets nothing as deep as the
/// pad gives way, or springs of which one alone would carry the load.
PressSeen pressed_under(MujocoEngine& engine, int dof, double load_N, const MujocoPad& pad);

}  // namespace tactelier
