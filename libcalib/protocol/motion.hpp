#pragma once
// Where the tip is when: moves with trapezoidal speed, dwells and oscillations as closed functions
// of time, so that planner, simulated rig and real one agree to the last digit.
//
// Line, from rest to rest over length L at speed v with acceleration a:
//   L >= v^2/a:  speeds up for v/a, cruises for L/v - v/a, slows down for v/a; T = L/v + v/a
//   else:        never reaches v; top speed sqrt(L a), T = 2 sqrt(L/a)
// Oscillation, faded in over F = one period and out over G = four, each at most T/4, so that it
// begins and ends at rest:
//   s(t) = A w(t) sin(phi(t)),  dphi/dt = 2 pi f(t),  f(t) = f0 (f1/f0)^(t/T)
//   w(t) = (1 - cos(pi t/F))/2 for t < F, (1 - cos(pi (T-t)/G))/2 for t > T - G, else 1

#include <array>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

class Motion {
 public:
  /// Stays where it is.
  static Motion dwell(const Vector3& at_m, double duration_s);
  /// Straight, from rest to rest. speed and acceleration > 0.
  static Motion line(const Vector3& from_m, const Vector3& to_m, double speed_m_per_s,
                     double acceleration_m_per_s2);
  /// From a velocity to rest along it.
  static Motion brake(const Vector3& from_m, const Vector3& velocity_m_per_s,
                      double acceleration_m_per_s2);
  /// About `centre_m` along the unit vector `direction`; from_hz <= to_hz.
  static Motion oscillation(const Vector3& centre_m, const Vector3& direction, double amplitude_m,
                            double from_hz, double to_hz, double duration_s);

  double duration_s() const { return duration_s_; }
  /// Before 0 and after the end: at rest there.
  Vector3 position_m(double t_s) const;
  Vector3 velocity_m_per_s(double t_s) const;
  Vector3 acceleration_m_per_s2(double t_s) const;

  Vector3 from_m() const { return from_m_; }
  Vector3 end_m() const { return position_m(duration_s_); }
  /// The same motion beginning elsewhere (dwell, oscillation) or to the same end (line): see
  /// plan_run.hpp.
  Motion moved_by(const Vector3& offset_m) const;
  bool is_line() const { return kind_ == Kind::kLine; }
  bool is_oscillation() const { return kind_ == Kind::kOscillation; }

  /// Upper bounds over the whole motion.
  double top_speed_m_per_s() const;
  double top_acceleration_m_per_s2() const;
  /// Length of the path; an oscillation counts 4 A per period.
  double path_m() const;

  /// Line: when it has covered `length_m` (0 .. whole length).
  double time_at_length_s(double length_m) const;
  /// Line: covered length between the end of speeding up and the begin of slowing down.
  std::array<double, 2> constant_speed_between_m() const;

 private:
  enum class Kind { kDwell, kLine, kOscillation };
  struct Along {
    double s = 0;
    double v = 0;
    double a = 0;
  };
  Along along(double t_s) const;
  Along along_line(double t_s) const;
  Along along_oscillation(double t_s) const;

  Kind kind_ = Kind::kDwell;
  Vector3 from_m_{};
  Vector3 direction_{};
  double duration_s_ = 0;
  // line
  double length_m_ = 0;
  double start_speed_m_s_ = 0;
  double speed_m_s_ = 0;
  double acceleration_m_s2_ = 0;
  double speed_up_s_ = 0;
  double cruise_s_ = 0;
  // oscillation
  double amplitude_m_ = 0;
  double from_Hz_ = 0;
  double to_Hz_ = 0;
  double fade_in_s_ = 0;
  double fade_out_s_ = 0;
};

double distance_m(const Vector3& a, const Vector3& b);

}  // namespace tactelier
