#include "libcalib/pad/stage_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr double kHour_s = 3600;
constexpr double kSettled_s = 0.05;
constexpr double kMicrosteps = 16;
constexpr double kFullSteps = 4;  // after which the field holds the rotor again
constexpr double kInStep = 0.6;   // of what the field holds: a stage that works is nowhere near it
constexpr int kMostDraws = 100;
constexpr double kMostDamping = 0.9;
constexpr double kTwoPi = 2 * std::numbers::pi;

}  // namespace

StageMotion::StageMotion(const StageEffects& effects, std::uint64_t seed)
    : effects_(effects), random_(seed, "stage"), delay_(effects, seed) {
  for (double& phase : phase_rad_) phase = random_.uniform(0, kTwoPi);
  Random second(seed, "second harmonic");
  for (double& phase : second_phase_rad_) phase = second.uniform(0, kTwoPi);
  if (effects_.lost_steps_per_hour > 0)
    until_lost_s_ = random_.exponential() * kHour_s / effects_.lost_steps_per_hour;
  if (!(effects_.ring_least_hz > 0) || !(effects_.step_m > 0)) return;
  Random axes(seed, "stage ringing");
  for (std::size_t i = 0; i < rung_.size(); ++i)
    rung_[i] = draw_rung(axes, i == 2 ? effects_.z_speed_m_per_s : effects_.xy_speed_m_per_s);
}

double StageMotion::field_m() const { return kFullSteps * kMicrosteps * effects_.step_m; }

MagneticAxis StageMotion::draw_rung(Random& axes, double most_m_per_s) const {
  double frequency_hz = 0, damping = 0;
  for (int draw = 0; draw < kMostDraws; ++draw) {
    frequency_hz = axes.log_uniform(effects_.ring_least_hz, effects_.ring_most_hz);
    damping = axes.log_uniform(effects_.ring_damping_least, effects_.ring_damping_most);
    if (keeps_in_step({frequency_hz, damping, field_m()}, most_m_per_s)) break;
  }
  // Steps so fine at such a speed want a stiffer motor than is drawn.
  while (!keeps_in_step({frequency_hz, damping, field_m()}, most_m_per_s)) {
    frequency_hz *= 2;
    damping = std::min(kMostDamping, 1.5 * damping);
  }
  return {frequency_hz, damping, field_m()};
}

// At speed damping holds the rotor back by 2 zeta v/w, and in tune with the microstep error it
// swings by that over 2 zeta; beyond P/(2 pi) and P/2 the field lets go.
bool StageMotion::keeps_in_step(const MagneticAxis& axis, double most_m_per_s) const {
  const double w = kTwoPi * axis.frequency_hz(), twice = 2 * axis.damping_ratio();
  const double behind_m = twice * most_m_per_s / w;
  const double swing_m = effects_.microstep_error_m * (1 + effects_.microstep_second) / twice;
  return behind_m < kInStep * field_m() / kTwoPi &&
         (swing_m < kInStep * field_m() || axis.damping_ratio() >= kMostDamping);
}

double StageMotion::stepped_m(double commanded_m) const {
  const double step = effects_.step_m;
  return step > 0 ? std::round(commanded_m / step) * step : commanded_m;
}

void StageMotion::drive(std::size_t axis, double nut_m) {
  // Down (z) and up (x, y) the screw drives; the other way it first takes up the play.
  const double play = effects_.backlash_m;
  driven_[axis] = axis == 2 ? std::clamp(driven_[axis], nut_m - play, nut_m)
                            : std::clamp(driven_[axis], nut_m, nut_m + play);
}

double StageMotion::held_m(std::size_t axis) const {
  double at_m = driven_[axis];
  if (effects_.microstep_error_m > 0 && effects_.step_m > 0) {
    const double turn_rad = kTwoPi * driven_[axis] / (kMicrosteps * effects_.step_m);
    double error = std::sin(turn_rad + phase_rad_[axis]);
    if (effects_.microstep_second > 0)
      error += effects_.microstep_second * std::sin(2 * turn_rad + second_phase_rad_[axis]);
    at_m += effects_.microstep_error_m * error;
  }
  return at_m;
}

void StageMotion::ring(std::size_t axis, double dt_s, double commanded_m) {
  auto& rotor = *rung_[axis];
  const double from_m = commanded_[axis], step_m = effects_.step_m;
  const double way = commanded_m > from_m ? 1 : -1;
  const auto last = std::llround(commanded_m / step_m);
  double begun_s = 0;
  for (auto nut = std::llround(from_m / step_m); nut != last;) {
    // Half a step further on the next one is due.
    const double due_m = (static_cast<double>(nut) + way / 2) * step_m;
    const double due_s =
        std::clamp(dt_s * (due_m - from_m) / (commanded_m - from_m), begun_s, dt_s);
    if (due_s > begun_s) rotor.follow(due_s - begun_s, held_m(axis));
    begun_s = due_s;
    nut += way > 0 ? 1 : -1;
    drive(axis, static_cast<double>(nut) * step_m);
  }
  if (dt_s > begun_s) rotor.follow(dt_s - begun_s, held_m(axis));
}

StagePosition StageMotion::step(double dt_s, const Vector3& told_m) {
  const Vector3 commanded_m = delay_.follow(dt_s, told_m);
  StagePosition position;
  bool moved = false;
  bool moved_z = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double target = stepped_m(commanded_m[axis]);
    const bool this_moved = target != steps_[axis];
    moved = moved || this_moved;
    if (axis == 2) moved_z = this_moved;
    steps_[axis] = target;
    if (first_) {
      driven_[axis] = target;
      if (rung_[axis]) rung_[axis]->rest_at(held_m(axis));
    }
    if (rung_[axis] && !first_)
      ring(axis, dt_s, commanded_m[axis]);
    else
      drive(axis, target);
    position.actual_m[axis] = rung_[axis] ? rung_[axis]->place_m() : held_m(axis);
  }
  commanded_ = commanded_m;
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
