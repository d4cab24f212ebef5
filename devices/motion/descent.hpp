#pragma once
// Down into a contact so that nobody need be there at its end: whatever is queued with the stage
// ends where the force is safe, by the surface and the forces known so far (descent_law.hpp). Until
// these are known the way is cut into steps, each sent when the one before is over and its force
// has been felt: a sample taken after the tip came to rest, however late it is read.

#include <map>

#include "devices/motion/descent_law.hpp"
#include "devices/motion/rig_motion.hpp"

namespace tactelier::rig {

/// The smallest of pad limit (on the pad), rig limit and 95 % of what the force sensor bears when
/// pressed there.
double descent_ceiling_N(const LiveRig& live, const RigFile& rig, Touch touch);

class Descent {
 public:
  /// `stage_step_m`: as DescentLaw.
  explicit Descent(LiveRig& live, RigMotion& motion, double stage_step_m = 0)
      : live_(live), motion_(motion), stage_step_m_(stage_step_m) {}

  /// True when `met` ended it; the tip rests. Fails as RigMotion::go_until(), and with kDeviceFault
  /// where the ground is too stiff for the stage's step.
  Result<bool> go(const DescentGoal& goal, const RigMotion::Condition& met);

  /// What the stage's next step adds on plate and reference pad, by the last two rests; 0 under
  /// way, and on a pad, which is soft.
  double step_N() const { return step_N_; }

  /// What was learnt is void: another indenter, another pad.
  void forget() { laws_.clear(); }

 private:
  DescentLaw& law(Touch touch) {
    return laws_.try_emplace(touch, touch, stage_step_m_).first->second;
  }
  /// Ground is no stiffer than a plate behind the same frame.
  void compare_with_plate(Touch touch);
  void learn(const DescentGoal& goal);
  Result<bool> feel(const RigMotion::Condition& met);
  /// What is asked for, or slower where a stop would come too late.
  double speed_m_per_s(const DescentGoal& goal);
  Result<void> extend(const DescentGoal& goal, double speed_m_per_s, Vector3& end_m);
  Result<bool> go_piece(const DescentGoal& goal, const RigMotion::Condition& met, double piece_m);

  LiveRig& live_;
  RigMotion& motion_;
  double stage_step_m_;
  double step_N_ = 0;
  std::map<Touch, DescentLaw> laws_;
};

}  // namespace tactelier::rig
