#pragma once
// The exported pad in MuJoCo itself, pressed by what mujoco_scene() has put above it.

#include <memory>

#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

/// `engine` has the text of mujoco_scene() of this pad and these shapes.
std::unique_ptr<PressTarget> mujoco_target(std::unique_ptr<MujocoEngine> engine,
                                           const MujocoPad& pad,
                                           const std::optional<PadShapes>& shapes);

}  // namespace tactelier
