#pragma once
// The numbers of a pad in SDFormat for Gazebo, apart from the text that holds them.
//
// Both engines step a spring implicitly: the force of a step is k (depth at its end) + c v, which
// is k (depth at its begin) + (c + k dt) v, and what swings decays with c + k dt. So c - k dt is
// written, and the file holds for its time step.
//
// DART, the engine of gz-sim, does that for forces and not for contacts: of the force of a spring
// on a mass m, m / (m + dt c + dt^2 k) reaches what presses, of whatever is written. So s = 1 / (1
// - dt c / m) times both is written, after which k and c come out.

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// Where the spring stands. A contact's kp and kd are read by ODE in Gazebo classic alone; the
/// engines of gz-sim leave them out, but know springs of joints.
enum class SdfSpring { kJoint, kContact };

struct SdfPad : TactelPad {
  SdfSpring spring = SdfSpring::kJoint;
  double time_step_s = 0;
  double acting_damping_N_s_per_m = 0;  // the tactel's own, or k dt where that is more
  double tip_kg = 0;                    // of kJoint
  double share = 1;                     // 1 / s: of a joint's spring that reaches a contact
  std::optional<double> rate_hz;

  double written_stiffness_N_per_m() const { return stiffness_N_per_m / share; }
  double written_damping_N_s_per_m() const {
    return (acting_damping_N_s_per_m - stiffness_N_per_m * time_step_s) / share;
  }
  /// Deepest press of a tip: its travel, or through the whole of it.
  double deepest_m() const;
  /// ODE corrects a depth at most at this speed, which limits the force to speed * (dt kp + kd):
  /// enough for the deepest press.
  double correcting_speed_m_per_s() const;
};

std::span<const Slot> sdf_slots();
SdfPad sdf_pad(const SensorModel& model, const SlotContents& contents, SdfSpring spring);

}  // namespace tactelier
