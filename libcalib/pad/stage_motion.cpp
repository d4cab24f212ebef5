#include "libcalib/pad/stage_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr double kHour_s = 3600;
constexpr double kSettled_s = 0.05;
constexpr double kMicrosteps = 16;
constexpr double kTwoPi = 2 * std::numbers::pi;

}  // namespace

StageMotion::StageMotion(const StageEffects& effects, std::uint64_t seed)
    : effects_(effects), random_(seed, "stage") {
  for (double& phase : phase_rad_) phase = random_.uniform(0, kTwoPi);
  if (effects_.lost_steps_per_hour > 0)
    until_lost_s_ = random_.exponential() * kHour_s / effects_.lost_steps_per_hour;
}

StagePosition StageMotion::step(double dt_s, const Vector3& commanded_m) {
  StagePosition position;
  bool moved = false;
  bool moved_z = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double step = effects_.step_m;
    const double target =
        step > 0 ? std::round(commanded_m[axis] / step) * step : commanded_m[axis];
    const bool this_moved = target != steps_[axis];
    moved = moved || this_moved;
    if (axis == 2) moved_z = this_moved;
    steps_[axis] = target;
    if (first_) driven_[axis] = target;
    // Down (z) and up (x, y) the screw drives; the other way it first takes up the play.
    const double play = effects_.backlash_m;
    driven_[axis] = axis == 2 ? std::clamp(driven_[axis], target - play, target)
                              : std::clamp(driven_[axis], target, target + play);
    position.actual_m[axis] = driven_[axis];
    if (effects_.microstep_error_m > 0 && step > 0)
      position.actual_m[axis] +=
          effects_.microstep_error_m *
          std::sin(kTwoPi * driven_[axis] / (kMicrosteps * step) + phase_rad_[axis]);
  }
  if (moved_z && !first_ && effects_.lost_steps_per_hour > 0 && (until_lost_s_ -= dt_s) <= 0) {
    lost_m_ += effects_.lost_steps_m;
    until_lost_s_ = random_.exponential() * kHour_s / effects_.lost_steps_per_hour;
  }
  position.actual_m[2] += lost_m_;
  position.reported_m = steps_;
  still_s_ = moved && !first_ ? 0 : still_s_ + dt_s;
  position.stepping = still_s_ < kSettled_s;
  first_ = false;
  return position;
}

}  // namespace tactelier::pad
