#pragma once
// Holds a force by small moves along z, as a rig does that can only move in steps and looks ten
// times a second.

namespace tactelier {

/// Every 100 ms moves by half of what would be missing on a spring of the stiffness seen so far:
/// while loading, and in its own moves (a plate on a pad is a thousand times stiffer than a pin).
/// Within the dead band, and where half a step of the stage would do more, it rests.
class ForceRegulator {
 public:
  explicit ForceRegulator(double stage_step_m = 0) : stage_step_m_(stage_step_m) {}
  /// A new segment begins; the correction so far went into the path.
  void restart();
  /// Remembers how stiff the contact is: call while it is loaded.
  void learn(double force_N, double depth_m);
  /// One control step; returns by how much the tip is to be above (+) or below the plan.
  double step(double dt_s, double target_N, double force_N);
  /// As seen so far; 0 before the first contact.
  double stiffness_N_per_m() const { return stiffness_N_per_m_; }
  double correction_m() const { return correction_m_; }

 private:
  /// What the last move did to the force.
  void learn_from_move(double force_N);

  double stage_step_m_ = 0;
  double stiffness_N_per_m_ = 0;
  double correction_m_ = 0;
  double goal_m_ = 0;
  double since_look_s_ = 0;
  double looked_at_N_ = 0, looked_at_m_ = 0;  // force and correction at the last look
};

}  // namespace tactelier
