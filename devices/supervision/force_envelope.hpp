#pragma once
// How much force a depth may mean, at most: decides how far a queued descent may reach, should
// nobody be there to stop it. Learnt from what presses show under one tip; until then nothing is
// known, and descents go in small steps.
//
// B(d): the greatest force seen at depth d from first touch, over all presses. Beyond the greatest
// depth D seen, up to 2 D, a contact that hardens is allowed for:
//   B(d) = B(D) (d / D)^3        a sphere on rubber rises with 3/2, a foam before it is full with 3
// No two places are alike: from here on the force may rise twice as much as B does.

#include <optional>
#include <vector>

namespace tactelier::rig {

class ForceEnvelope {
 public:
  /// Forget where the last press was, keep what it showed.
  void begin_press();
  /// Height (rising upwards) and force of one moment in contact, in any order within a press.
  void see(double z_m, double force_N);

  /// Enough has been seen to reach further than a step.
  bool known() const { return deepest_m() >= kKnown_m; }
  /// How much deeper the tip may go from where it stands before the force might pass the ceiling; 0
  /// when it already has.
  double reach_m(double z_m, double force_N, double ceiling_N) const;
  /// Twice the steepest rise seen.
  double bound_N_per_m() const;

 private:
  static constexpr double kBin_m = 5e-6;
  static constexpr double kKnown_m = 20e-6;
  double deepest_m() const;
  /// B(d); infinite where nothing is known.
  double most_N(double depth_m) const;

  std::optional<double> touch_z_m_;
  std::vector<double> most_N_;  // by depth, a bin of kBin_m each; rising
};

}  // namespace tactelier::rig
