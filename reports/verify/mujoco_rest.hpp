#pragma once
// Waiting in MuJoCo until what presses stands still.

#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

constexpr double kStill_m_per_s = 1e-8;
constexpr int kStillSteps = 50;  // one after the other, slower than that

/// The dampers' own time, forty times.
double creep_s(const MujocoPad& pad);

/// A shape over several tactels, kShapeInertia_kg on a resting slide (mjcf_parts.hpp), under a
/// load: contacts that lean tremble for ever in MuJoCo 2, so this is the mean of 400 steps once it
/// had the time to settle. Springs are as strong in the mean as their mean is deep.
PressSeen mean_at_rest(MujocoEngine& engine, int dof, double load_N, const MujocoPad& pad);

}  // namespace tactelier
