#pragma once
// Where the stage is, and where it says it is: whole steps, microstep error, backlash, lost steps.
// A step is there at once, at the end of the time step in which it is due; where the axes ring
// (effects.hpp), it begins when it is due, and the axis follows (magnetic_axis.hpp). What is told is
// begun late (command_delay.hpp).

#include <array>
#include <optional>

#include "libcalib/pad/command_delay.hpp"
#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/magnetic_axis.hpp"
#include "libcalib/pad/random.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::pad {

struct StagePosition {
  Vector3 actual_m{0, 0, 0};
  Vector3 reported_m{0, 0, 0};  // steps counted
  bool stepping = false;        // a motor stepped within the last 50 ms
};

class StageMotion {
 public:
  StageMotion(const StageEffects& effects, std::uint64_t seed);

  /// `told_m`: where the path is at the end of the step, stage frame. Moving down and towards
  /// +x, +y there is no backlash; moving the other way the table lags by all of it.
  StagePosition step(double dt_s, const Vector3& told_m);

  /// Sum of the steps that Z has lost so far, upwards.
  double lost_m() const { return lost_m_; }
  /// Empty where steps are there at once. Stage frame.
  const std::array<std::optional<MagneticAxis>, 3>& rung() const { return rung_; }

 private:
  /// The screw turns to `nut_m` [m], a whole number of steps, and takes the table along.
  void drive(std::size_t axis, double nut_m);
  /// Where the table is at rest.
  double held_m(std::size_t axis) const;
  /// From the last place commanded to this one, step by step as they fall due.
  void ring(std::size_t axis, double dt_s, double commanded_m);
  double stepped_m(double commanded_m) const;
  double field_m() const;
  MagneticAxis draw_rung(Random& axes, double most_m_per_s) const;
  /// Whether a motor that rings so follows its field at up to this speed: no stage is built that
  /// loses its steps on the way.
  bool keeps_in_step(const MagneticAxis& axis, double most_m_per_s) const;

  StageEffects effects_;
  Random random_;
  CommandDelay delay_;
  std::array<double, 3> phase_rad_{}, second_phase_rad_{};
  std::array<std::optional<MagneticAxis>, 3> rung_;
  Vector3 commanded_{0, 0, 0};  // so late as it is done
  Vector3 steps_{0, 0, 0};   // counted position
  Vector3 driven_{0, 0, 0};  // behind the backlash
  bool first_ = true;
  double lost_m_ = 0;
  double still_s_ = 1;
  double until_lost_s_ = 0;  // of Z motion
};

}  // namespace tactelier::pad
