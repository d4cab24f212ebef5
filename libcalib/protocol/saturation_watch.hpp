#pragma once
// Notices that a tactel's reading has stopped rising while the force still does: `until:
// saturated`.

namespace tactelier {

/// Smooths reading and force over a few frames. Saturated once the force has grown by a tenth, and
/// by more than its noise, since the reading last rose by more than a hundredth of what it has
/// risen so far (10 counts at least). The noise is that of the force's second differences, which a
/// steady ramp has none of: motors make it several times louder than it is at rest.
class SaturationWatch {
 public:
  /// A new press begins.
  void restart() { *this = {}; }
  void see(double counts, double force_N);
  bool saturated() const { return saturated_; }

 private:
  void see_noise(double force_N);

  double smooth_ = 0;
  double free_air_ = 0;
  double highest_ = 0;
  double force_N_ = 0;  // smoothed
  double force_at_highest_N_ = 0;
  double force_before_N_ = 0, force_step_N_ = 0;  // of the frame before
  double noise_N2_ = 0;                           // of a frame's force
  int frames_ = 0, noise_frames_ = 0;
  bool saturated_ = false;
};

}  // namespace tactelier
