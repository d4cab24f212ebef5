#pragma once
// Notices that a tactel's reading has stopped rising while the force still does: `until:
// saturated`.

namespace tactelier {

/// Smooths over a few frames. Saturated once the force has grown by a tenth since the reading last
/// rose by more than a hundredth of what it has risen so far (10 counts at least).
class SaturationWatch {
 public:
  /// A new press begins.
  void restart() { *this = {}; }
  void see(double counts, double force_N);
  bool saturated() const { return saturated_; }

 private:
  double smooth_ = 0;
  double free_air_ = 0;
  double highest_ = 0;
  double force_at_highest_N_ = 0;
  int frames_ = 0;
  bool saturated_ = false;
};

}  // namespace tactelier
