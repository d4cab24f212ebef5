#pragma once
// Down into a contact so that nobody need be there at its end: whatever is queued with the stage
// ends where the force is safe, by the surface and the stiffness known so far. Until these are
// known the way is cut into steps of at most 20 um, each sent when the one before is over.
//
// A step may use half of what is left to the ceiling on the stiffest thing that it could be:
//   step <= (F_ceiling - F) / (2 k_bound)

#include <map>

#include "devices/rig/rig_motion.hpp"
#include "devices/rig/stiffness_bound.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier::rig {

struct DescentGoal {
  double to_z_m = 0;       // plan frame; never further
  double surface_z_m = 0;  // where the touch is believed
  double speed_m_s = 0;
  Touch touch = Touch::kPad;
  double ceiling_N = 0;  // what must not be passed even if nobody watches
};

class Descent {
 public:
  explicit Descent(LiveRig& live, RigMotion& motion) : live_(live), motion_(motion) {}

  /// True when `met` ended it; the tip rests. Fails as RigMotion::go_until().
  Result<bool> go(const DescentGoal& goal, const RigMotion::Condition& met);

  const StiffnessBound& bound(Touch touch) { return bounds_[touch]; }
  /// What was learnt is void: another indenter, another pad.
  void forget() { bounds_.clear(); }

 private:
  /// How far the next queued move may go.
  double reach_m(const DescentGoal& goal, double z_m) const;
  void learn(Touch touch, double surface_z_m);

  LiveRig& live_;
  RigMotion& motion_;
  std::map<Touch, StiffnessBound> bounds_;
};

}  // namespace tactelier::rig
