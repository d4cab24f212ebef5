#pragma once
// How a screw and its nut make a place of a command (docs/theory/clocks.md 8):
//
//   g    = q round(s/q)                                      steps
//   d   <- clamp(d, g - B, g)  where - drives                backlash: the other way it first
//          clamp(d, g, g + B)  where + drives                takes up the play B
//   place = d + sum A_i sin(2 pi d / lambda_i + phi_i)       microstep error
//
// On z, down (-) drives: gravity and the pad push up.

#include <array>

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

/// The screw and its nut, one command after the other. `drive` must outlive it.
class Screw {
 public:
  Screw(const AxisDrive& drive, double start_m);

  /// The whole step nearest to a command, m; the command where there are no steps.
  double stepped_m(double at_m) const;
  void command(double at_m) { turn_to(stepped_m(at_m)); }
  void turn_to(double nut_m);
  double place_m() const { return driven_m_ + error_m_; }

 private:
  const AxisDrive& drive_;
  double driven_m_;
  double error_m_;  // there
};

}  // namespace tactelier
