#pragma once
// The limit that has acted, kept until it is taken back, and whether the stop that it sent takes
// effect. Any thread raises; of several trips the hardest counts, of equal ones the first.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "devices/supervision/stop_watch.hpp"
#include "devices/supervision/supervisor.hpp"

namespace tactelier::rig {

class TripLatch {
 public:
  std::optional<Trip> trip() const;
  /// All since the last clear(), in order, of each kind the first: what came behind the one that
  /// counts often says why.
  std::vector<Trip> trips() const;
  /// Among trips() from now on; false when one of its kind is.
  bool keep(const Trip& trip);
  /// False when as hard a trip is held already: nothing is to be sent then. A stop is watched from
  /// `now_ns` on, `braking_s` being v/a of the stage; after an abort there is none to watch.
  bool raise(const Trip& trip, std::int64_t now_ns, double braking_s);
  void clear();

  void watch_stops(const StopWatch& watch);
  void begin_stop(std::int64_t now_ns, double braking_s);
  void end_stop();

  // Each says why the stop is late, as StopWatch does; the caller resets the stage.
  std::optional<std::string> see_report(std::int64_t time_ns, const Vector3& at_m, bool rests);
  std::optional<std::string> see_force(std::int64_t time_ns, double force_N);
  std::optional<std::string> look(std::int64_t now_ns);

 private:
  mutable std::mutex mutex_;
  std::optional<Trip> trip_;
  std::vector<Trip> all_;
  StopWatch watch_;
};

}  // namespace tactelier::rig
