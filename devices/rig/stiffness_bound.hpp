#pragma once
// How stiff a contact may be, at most: decides how far a queued descent may reach, should nobody be
// there to stop it. Learnt from what presses show; until then nothing is known, and descents go in
// small steps.

#include <optional>

namespace tactelier::rig {

class StiffnessBound {
 public:
  /// A press begins: forget where the last one was, keep how stiff it was.
  void begin_press() { last_.reset(); }
  /// Depth and force of one moment, the stage reporting; in any order of time within a press.
  void see(double depth_m, double force_N);

  bool known() const { return steepest_N_per_m_ > 0; }
  /// Twice the steepest rise seen: rubber hardens and no two places are alike.
  double bound_N_per_m() const { return 2 * steepest_N_per_m_; }
  double seen_N_per_m() const { return steepest_N_per_m_; }

 private:
  struct Point {
    double depth_m, force_N;
  };
  std::optional<Point> last_;
  double steepest_N_per_m_ = 0;
};

}  // namespace tactelier::rig
