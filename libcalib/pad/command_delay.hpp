#pragma once
// From command to motion: a controller begins a line somewhat after it was told, and later still
// when it had nothing to do before (serial line, parser, planner). What it has begun it follows at
// its own pace, so the path is late as a whole.

#include <deque>

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/random.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::pad {

class CommandDelay {
 public:
  CommandDelay(const StageEffects& effects, std::uint64_t seed);

  /// Where the controller is that was told to be at `commanded_m` now, `dt_s` after the last call.
  Vector3 follow(double dt_s, const Vector3& commanded_m);
  /// Of the line under way [s].
  double late_s() const { return constant_s_ + start_s_; }

 private:
  struct Told {
    double t_s;
    Vector3 at_m;
  };
  double constant_s_, least_s_, most_s_;
  Random random_;
  double start_s_ = 0;  // of this line, beyond what is constant
  double t_s_ = 0;
  double still_since_s_ = 0;
  std::deque<Told> told_;  // as far back as the delay reaches
};

}  // namespace tactelier::pad
