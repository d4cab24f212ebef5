#pragma once
// Whether a stop that was sent takes effect. A stage that brakes from v with a stands after v/a and
// what it had prepared; it is late when
//   a report after  t_stop + v/a + 150 ms  and a later one are more than two steps apart, or
//   after that time the force has risen by more than 0.1 N (means of 20 ms), or
//   nothing was heard of a stage that moved for a second more.
// Then only a reset is left, which costs the position. 25 mm/s at 100 mm/s^2 needs 300 ms: a fixed
// time would reset, and home, after every such stop. Pure judgement: clock and wire are elsewhere.

#include <cstdint>
#include <optional>
#include <string>

#include "libcalib/protocol/rig.hpp"

namespace tactelier::rig {

class StopWatch {
 public:
  /// `timeout_scale`: an emulated world's that is faster than real time; `silence_s`: of the stage.
  explicit StopWatch(double timeout_scale = 1, double silence_s = 1);

  /// Stop bytes were sent; `braking_s` is v/a, 0 when nothing moves. A stop that is already watched
  /// keeps its beginning.
  void begin(std::int64_t told_ns, double braking_s);
  /// It stands, or has been reset.
  void end() { told_ns_.reset(); }
  bool watching() const { return told_ns_.has_value(); }

  // Each says why the stop is late, and ends the watch with it.

  /// `rests`: by the state that it reports (Idle, Hold:0, Alarm). Two such reports from one place
  /// mean that it stands: the watch is over.
  std::optional<std::string> see_report(std::int64_t time_ns, const Vector3& at_m, bool rests);
  std::optional<std::string> see_force(std::int64_t time_ns, double force_N);
  std::optional<std::string> look(std::int64_t now_ns);

 private:
  struct Place {
    std::int64_t time_ns;
    Vector3 at_m;
  };
  struct Mean {
    std::int64_t bin = 0;  // of 20 ms, counted from the time by which it should stand
    double sum_N = 0;
    int samples = 0;
    double mean_N() const { return sum_N / samples; }
  };
  double since_stop_ms(std::int64_t time_ns) const;

  double timeout_scale_, silence_s_, braking_s_ = 0;
  std::optional<std::int64_t> told_ns_;
  std::int64_t due_ns_ = 0;
  std::optional<Place> rested_, after_due_;
  std::optional<double> force_at_due_N_;
  Mean mean_;
};

}  // namespace tactelier::rig
