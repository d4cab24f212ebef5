#include "devices/emulator/grbl_machine.hpp"

#include <algorithm>
#include <cmath>

#include "devices/emulator/emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kStep_ns = 1'000'000;
constexpr double kArrived_mm = 1e-7;
constexpr double kCollinear = 0.9999;  // cosine above which a corner is taken without stopping

Axes_mm difference(const Axes_mm& a, const Axes_mm& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double length(const Axes_mm& a) { return std::hypot(a[0], a[1], a[2]); }

double cosine(const Axes_mm& a, const Axes_mm& b) {
  const double scale = length(a) * length(b);
  return scale > 0 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / scale : 0;
}

}  // namespace

Axes_mm GrblMachine::planned_mm() const {
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    if (block->dwell_s == 0) return block->target_mm;
  return position_mm_;
}

void GrblMachine::hold() {
  if (holding_) return;
  holding_ = true;
  hold_from_ns_ = now_ns_ + (empty() ? 0 : kPrepared_ns);
}

void GrblMachine::resume() {
  if (held()) holding_ = false;  // while still decelerating it is lost, as in the firmware
}

void GrblMachine::halt() {
  blocks_.clear();
  speed_mm_s_ = 0;
  dwelt_s_ = 0;
  holding_ = false;
}

std::int64_t GrblMachine::next_ns() const {
  return (blocks_.empty() && !moving()) || held() ? kNever : now_ns_ + kStep_ns;
}

void GrblMachine::run_until(std::int64_t now_ns) {
  while (now_ns_ + kStep_ns <= now_ns) {
    if (next_ns() == kNever) {
      now_ns_ = now_ns;
      return;
    }
    now_ns_ += kStep_ns;
    step(static_cast<double>(kStep_ns) * 1e-9);
  }
}

/// The highest speed at the end of this step from which everything queued can still be met: with a
/// the acceleration, d the way left and ve the speed wanted there, v0 now,
///   (v0 + v1) dt / 2 + (v1^2 - ve^2) / (2 a) <= d.
double GrblMachine::speed_after(double dt_s) const {
  const auto& now = blocks_.front();
  const double a = now.acceleration_mm_per_s2;
  const bool stopping = holding_ && now_ns_ > hold_from_ns_;
  if (stopping) return std::max(0.0, speed_mm_s_ - a * dt_s);
  double most = std::min(speed_mm_s_ + a * dt_s, now.speed_mm_per_s);
  if (speed_mm_s_ > now.speed_mm_per_s) most = std::max(now.speed_mm_per_s, speed_mm_s_ - a * dt_s);
  double way = 0;
  Axes_mm from = position_mm_;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto leg = difference(blocks_[i].target_mm, from);
    way += length(leg);
    from = blocks_[i].target_mm;
    const bool goes_on = i + 1 < blocks_.size() && blocks_[i + 1].dwell_s == 0 &&
                         cosine(leg, difference(blocks_[i + 1].target_mm, from)) > kCollinear;
    const double end = goes_on ? blocks_[i + 1].speed_mm_per_s : 0;
    const double half = a * dt_s / 2;
    const double root = half * half + 2 * a * way + end * end - a * dt_s * speed_mm_s_;
    most = std::min(most, root > 0 ? std::max(0.0, std::sqrt(root) - half) : 0.0);
    if (!goes_on) break;
  }
  return most;
}

void GrblMachine::move_by(double distance_mm) {
  while (!blocks_.empty() && blocks_.front().dwell_s == 0) {
    const auto& target_mm = blocks_.front().target_mm;
    const auto leg = difference(target_mm, position_mm_);
    const double left_mm = length(leg);
    if (distance_mm < left_mm - kArrived_mm) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        position_mm_[axis] += leg[axis] / left_mm * distance_mm;
      return;
    }
    position_mm_ = target_mm;
    distance_mm = std::max(0.0, distance_mm - left_mm);
    blocks_.pop_front();
    if (distance_mm < kArrived_mm) return;
  }
}

void GrblMachine::step(double dt_s) {
  if (blocks_.empty()) {
    speed_mm_s_ = 0;
    return;
  }
  if (blocks_.front().dwell_s > 0) {
    speed_mm_s_ = 0;
    dwelt_s_ += dt_s;
    if (dwelt_s_ < blocks_.front().dwell_s) return;
    dwelt_s_ = 0;
    blocks_.pop_front();
    return;
  }
  const double after_mm_per_s = speed_after(dt_s);
  const double distance_mm = (speed_mm_s_ + after_mm_per_s) / 2 * dt_s;
  const bool stands = after_mm_per_s == 0 && distance_mm < kArrived_mm;
  speed_mm_s_ = after_mm_per_s;
  if (stands && !holding_) {  // the last step of a ramp: what is left is rounding
    position_mm_ = blocks_.front().target_mm;
    blocks_.pop_front();
    return;
  }
  move_by(distance_mm);
  if (blocks_.empty()) speed_mm_s_ = 0;
}

}  // namespace tactelier::devices
