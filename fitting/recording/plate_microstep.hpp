#pragma once
// The microstep error of a stage along z, from presses of the rigid plate: the tip is not where the
// steps say, by a sine over each full step of the motor. Some micrometres of it are as much as a
// frame's seating bends, over the same way, so it goes out of the presses before the frame is
// looked at:
//   travel = z0 + c1 F + c2 F^2 + c3 F^3 + a sin(2 pi n/lambda) + b cos(2 pi n/lambda)
// n is where the nut stands, lambda a power of two of the stage's steps. A stage that reports every
// millisecond where it is has none left.

#include <span>

#include "fitting/recording/rig_compliance.hpp"

namespace tactelier {

struct PlateMicrostep {
  double period_m = 0;  // 0: none shows
  double sine_m = 0, cosine_m = 0;

  double error_m(double nut_m) const;  // of the travel read
};

/// From the loading branches, each with a z0 of its own, above a tenth of the peak force.
PlateMicrostep find_plate_microstep(std::span<const PlatePress> loadings, double step_m);

/// Takes it out of both branches of a press; while unloading the nut stays deeper by the backlash.
void take_off(const PlateMicrostep& microstep, double backlash_m, PlatePress& press);

/// Up to the largest force.
PlatePress loading_branch(const PlatePress& press);

}  // namespace tactelier
