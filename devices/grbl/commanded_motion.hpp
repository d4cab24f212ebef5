#pragma once
// Where the stage is between two reports. A report ten times a second is 0.2 mm apart at 2 mm/s;
// the move that was commanded is known much better: a straight line with a trapezoidal speed,
//   v(t) = min(a t, v, a (T - t)),   T = L/v + v/a   (L >= v^2/a, else a triangle, T = 2 sqrt(L/a))
// Only when it began is not known, and the reports tell: each, taken while the stage moved, gives
// one estimate of the start, and their mean is used. Valid for moves that begin and end at rest.

#include <cstdint>
#include <optional>
#include <vector>

#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {

/// One straight move from rest to rest.
class TrapezoidMove {
 public:
  /// Speed and acceleration along the path, both above 0.
  TrapezoidMove(const StagePosition& from_m, const StagePosition& to_m, double speed_m_per_s,
                double acceleration_m_per_s2);

  double duration_s() const { return 2 * ramp_s_ + cruise_s_; }
  double length_m() const { return length_m_; }
  StagePosition at(double since_start_s) const;
  /// When it is at that place, where it moves fast enough to tell: above half its top speed.
  std::optional<double> time_at(const StagePosition& place_m) const;

 private:
  double way_m(double since_start_s) const;

  StagePosition from_m_, to_m_;
  double length_m_, acceleration_m_per_s2_, ramp_s_, cruise_s_, speed_m_per_s_;
};

class CommandedMotion {
 public:
  /// It stands there: what was known about moves is forgotten.
  void rest_at(const StagePosition& place_m);
  /// Begins at `accepted_ns`, or when the moves before it have ended.
  void add(const TrapezoidMove& move, std::int64_t accepted_ns);
  /// What the stage reported; moves its start estimate.
  void correct(const StagePosition& reported_m, std::int64_t host_time_ns);

  StagePosition at(std::int64_t host_time_ns) const;

 private:
  struct Started {
    TrapezoidMove move;
    std::int64_t start_ns;
    double sum_s = 0;  // of the estimates of its start, from start_ns
    int estimates = 0;
  };
  std::int64_t start_of(std::size_t index) const;

  StagePosition rest_m_{};
  std::vector<Started> moves_;
};

}  // namespace tactelier::devices
