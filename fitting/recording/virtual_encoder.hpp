#pragma once
// An encoder that nobody mounted: where an axis was, from what it was told and how it is built.
//
//   s(t) = command(t - delay)
//   g    = q round(s/q)                                      steps
//   d   <- clamp(d, g - B, g)  where - drives                backlash: the other way it first
//          clamp(d, g, g + B)  where + drives                takes up the play B
//   place = d + sum A_i sin(2 pi d / lambda_i + phi_i)       microstep error
//
// On z, down (-) drives: gravity and the pad push up. docs/theory/clocks.md 8.

#include <array>
#include <span>
#include <vector>

#include "fitting/recording/commanded_path.hpp"

namespace tactelier {

/// How an axis makes a place of a command. All zero: it is where it was told to be.
struct AxisDrive {
  struct Harmonic {
    double amplitude_m = 0;
    double period_m = 0;  // a full step of the motor, or half of one
    double phase_rad = 0;
  };

  double delay_s = 0;  // from command to motion, the same for every line
  double step_m = 0;
  double backlash_m = 0;
  bool up_drives = false;  // towards larger places
  std::array<Harmonic, 2> microstep{};

  double microstep_error_m(double at_m) const;
};

/// Places of `axis` (0 x, 1 y, 2 z; stage frame) at rising times, at any rate. What lies between
/// two of them counts too: play is taken up wherever a line reversed. Empty for an empty path.
std::vector<double> virtual_encoder_m(const CommandedPath& path, std::size_t axis,
                                      const AxisDrive& drive, std::span<const double> times_s);

}  // namespace tactelier
