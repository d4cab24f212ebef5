#pragma once
// Moves: every line that was sent to the stage, so that where the tip was is computed instead of
// sampled. An event `move` stands at the time it was queued; `move_stop` where a line was cut
// short.

#include <optional>
#include <span>
#include <vector>

#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier {

/// Straight, from rest to rest, at trapezoidal speed (libcalib/protocol/motion.hpp).
struct Move {
  int line = 0;      // its number, counting from 1 within a recording
  Vector3 from_m{};  // stage frame
  Vector3 to_m{};
  double speed_m_per_s = 0;
  double acceleration_m_per_s2 = 0;
  double queued_s = 0;                // host time
  std::optional<double> answered_s;   // host time of the stage's answer to the line
  std::optional<double> stopped_s{};  // braking from then on; the end was not reached
};

/// As they are recorded; numbers are rounded to nanometres, the time to microseconds.
Result<Event> move_event(const Move& move);
Result<Event> move_stop_event(int line, double t_s);

/// In order of their lines. Fails with kInvalidInput on a stop of a line that was not sent.
Result<std::vector<Move>> moves(std::span<const Event> events);

}  // namespace tactelier
