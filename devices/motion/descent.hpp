#pragma once
// Down into a contact so that nobody need be there at its end: whatever is queued with the stage
// ends where the force is safe, by the surface and the forces known so far (force_envelope.hpp).
// Until these are known the way is cut into steps of at most 20 um, each sent when the one before
// is over. A step may use half of what is left to the ceiling on the stiffest thing that there is:
//   step <= (F_ceiling - F) / (2 k_stiffest)

#include <map>

#include "devices/motion/rig_motion.hpp"
#include "devices/supervision/force_envelope.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier::rig {

struct DescentGoal {
  double to_z_m = 0;       // plan frame; never further
  double surface_z_m = 0;  // where the touch is believed
  double speed_m_per_s = 0;
  Touch touch = Touch::kPad;
  double ceiling_N = 0;  // what must not be passed even if nobody watches
};

/// The smallest of pad limit (on the pad), rig limit and 95 % of what the force sensor bears when
/// pressed there.
double descent_ceiling_N(const LiveRig& live, const RigFile& rig, Touch touch);

class Descent {
 public:
  explicit Descent(LiveRig& live, RigMotion& motion) : live_(live), motion_(motion) {}

  /// True when `met` ended it; the tip rests. Fails as RigMotion::go_until().
  Result<bool> go(const DescentGoal& goal, const RigMotion::Condition& met);

  /// What was learnt is void: another indenter, another pad.
  void forget() { seen_.clear(); }

 private:
  /// How far the next queued move may go.
  double reach_m(const DescentGoal& goal, double z_m);
  void learn(const DescentGoal& goal);
  /// What is asked for, or slower where a stop would come too late.
  double speed_m_per_s(const DescentGoal& goal) const;
  Result<void> extend(const DescentGoal& goal, double speed_m_per_s, Vector3& end_m);

  LiveRig& live_;
  RigMotion& motion_;
  std::map<Touch, ForceEnvelope> seen_;
};

}  // namespace tactelier::rig
