#pragma once
// How far a piece of a descent may go so that nobody need be there at its end. Pure: knows no stage
// and no sensor, so that a test can put any ground under it.
//
// Nothing felt yet, or less than ForceEnvelope needs: a piece may use half of what is left to the
// ceiling on the stiffest thing that there is, one step of the stage at least,
//   step <= (F_ceiling - F) / (2 k_stiffest)
// Afterwards as far as the envelope says. A force counts only at a place where the stage was no
// later than the force: of an older one the ground looks softer than it is.

#include <cstdint>
#include <optional>

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

class DescentLaw {
 public:
  static constexpr double kTouch_N = 0.05;
  static constexpr double kStep_m = 20e-6;  // the longest piece into the unknown

  /// `stage_step_m`: the shortest way that the stage can go, 0 where nobody knows.
  explicit DescentLaw(Touch touch, double stage_step_m = 0);

  void begin_press();
  /// Something else that is rigid showed this under the same tip and frame: what is not felt yet
  /// is no stiffer.
  void expect(double bound_N_per_m) { expected_N_per_m_ = bound_N_per_m; }
  /// Height (plan frame) and force of one moment. `force_ns`, `place_ns`: when each was taken; a
  /// force that is older than the place is passed over.
  void see(double z_m, std::int64_t place_ns, double force_N, std::int64_t force_ns);
  /// The tip rests there, and the force has been felt since.
  void rest(double z_m, double force_N);

  bool known() const { return seen_.known(); }
  double bound_N_per_m() const { return seen_.bound_N_per_m(); }
  /// Of a tip at rest. Nothing: on plate or reference pad one step of the stage might pass the
  /// ceiling.
  std::optional<double> piece_m(const DescentGoal& goal, double z_m, double force_N) const;
  /// Of a tip that moves; 0 where nothing is known.
  double reach_m(const DescentGoal& goal, double z_m, double force_N) const;
  /// By the last two rests; at the first touch, which came somewhere between them, as if it had
  /// come in the middle.
  double slope_N_per_m() const { return slope_N_per_m_; }
  /// The least that it can be: as if the first touch had come at once.
  double least_slope_N_per_m() const { return least_slope_N_per_m_; }
  double least_step_m() const { return least_step_m_; }

 private:
  double air_m(const DescentGoal& goal, double z_m, double force_N) const;
  double step_m(const DescentGoal& goal, double force_N) const;

  Touch touch_;
  double least_step_m_;
  std::optional<double> expected_N_per_m_;
  ForceEnvelope seen_;
  std::optional<double> felt_z_m_;  // of what is beside the pad: where it was felt last
  std::optional<double> rest_z_m_;  // of this press, the last
  double rest_N_ = 0, slope_N_per_m_ = 0, least_slope_N_per_m_ = 0;
  bool in_contact_ = false;
};

}  // namespace tactelier::rig
