#include "devices/emulator/axis_machine.hpp"

#include <algorithm>
#include <cmath>

#include "devices/emulator/emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kStep_ns = 500'000;

}  // namespace

std::int64_t AxisMachine::next_ns() const { return moving_ ? now_ns_ + kStep_ns : kNever; }

void AxisMachine::go(double target, double speed, double acceleration) {
  target_ = target;
  speed_ = speed;
  acceleration_ = acceleration;
  stopping_ = false;
  moving_ = true;
}

void AxisMachine::stop(double deceleration) {
  acceleration_ = deceleration;
  stopping_ = true;
}

void AxisMachine::halt() {
  velocity_ = 0;
  moving_ = stopping_ = false;
}

void AxisMachine::run_until(std::int64_t now_ns) {
  while (now_ns_ + kStep_ns <= now_ns) {
    if (!moving_) {
      now_ns_ = now_ns;
      return;
    }
    now_ns_ += kStep_ns;
    step(static_cast<double>(kStep_ns) * 1e-9);
  }
}

/// The speed at the end of the step from which the way left, d, is still enough to brake in:
///   (v0 + v1) dt / 2 + v1^2 / (2 a) <= d
void AxisMachine::step(double dt_s) {
  const double gain = acceleration_ * dt_s;
  double after = 0;
  if (stopping_) {
    after = std::copysign(std::max(0.0, std::abs(velocity_) - gain), velocity_);
  } else {
    const double way = target_ - position_, side = way < 0 ? -1 : 1;
    const double towards = velocity_ * side, half = gain / 2;
    const double root = half * half + 2 * acceleration_ * std::abs(way) - gain * towards;
    const double most = root > 0 ? std::max(0.0, std::sqrt(root) - half) : 0.0;
    const double wanted = std::min(speed_, most);
    after = side * std::clamp(wanted, towards - gain, towards + gain);
  }
  const double moved = (velocity_ + after) / 2 * dt_s;
  velocity_ = after;
  const bool arrives =
      !stopping_ && std::abs(target_ - position_ - moved) < 0.5 && std::abs(after) <= gain;
  position_ += moved;
  if (arrives) position_ = target_;
  if (arrives || (stopping_ && after == 0)) {
    position_ = std::round(position_);
    halt();
  }
}

}  // namespace tactelier::devices
