#pragma once
// An encoder that nobody mounted: where an axis was, from what it was told and how it is built
// (axis_drive.hpp), s(t) = command(t - delay). docs/theory/clocks.md 8.

#include <span>
#include <vector>

#include "fitting/recording/axis_drive.hpp"
#include "fitting/recording/commanded_path.hpp"

namespace tactelier {

/// Places of `axis` (0 x, 1 y, 2 z; stage frame) at rising times, at any rate. What lies between
/// two of them counts too: play is taken up wherever a line reversed. Empty for an empty path.
std::vector<double> virtual_encoder_m(const CommandedPath& path, std::size_t axis,
                                      const AxisDrive& drive, std::span<const double> times_s);

/// What the axis makes of a step: the rotor on its magnetic field, which stands for all that is
/// between the motor and the tip.
///   x'' = -2 zeta w x' - w^2 P/(2 pi) sin(2 pi (x - place)/P),   w = 2 pi f
/// The field holds the rotor again after P, four full steps: at a full step of lag it pulls most.
struct AxisRing {
  double frequency_hz = 0;
  double damping = 0;  // zeta, below 1
  double field_m = 0;  // P; 0: a spring
};

/// The same where each step begins when it is due and rings: on a spring exact between steps, each
/// placed within its period by a straight line of the command. `times_s` are `period_s` apart;
/// where they are further apart the axis has come to rest. Needs a step.
std::vector<double> rung_encoder_m(const CommandedPath& path, std::size_t axis,
                                   const AxisDrive& drive, const AxisRing& ring, double period_s,
                                   std::span<const double> times_s);

}  // namespace tactelier
