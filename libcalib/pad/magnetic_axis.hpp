#pragma once
// What a stepper motor's axis makes of its steps: the rotor hangs on the magnetic field as on a
// spring, so that each step is followed within a rise time and rung out.
//
//   x'' = -2 zeta w x' - w^2 P/(2 pi) sin(2 pi (x - u)/P),   w = 2 pi f
//
// u: where the field holds the rotor at rest, P: four full steps, after which it holds it again.
// For lags that are small beside P a linear oscillator; near a full step the spring gives way.
// Source: Acarnley, Stepping Motors: a guide to theory and practice, 4th ed. 2002.

namespace tactelier::pad {

class MagneticAxis {
 public:
  /// `period_m`: four full steps, as way of the axis.
  MagneticAxis(double frequency_hz, double damping_ratio, double period_m);

  double frequency_hz() const { return frequency_hz_; }
  double damping_ratio() const { return damping_; }

  /// At rest here.
  void rest_at(double at_m);
  /// The next `dt_s` with the field at `held_m`; fourth order in pieces of 25 us at most.
  void follow(double dt_s, double held_m);
  double place_m() const { return place_m_; }

 private:
  double acceleration_m_per_s2(double place_m, double speed_m_per_s, double held_m) const;

  double frequency_hz_;
  double damping_;
  double period_m_;
  double place_m_ = 0;
  double speed_m_per_s_ = 0;
};

}  // namespace tactelier::pad
