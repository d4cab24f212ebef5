#include "libcalib/protocol/motion.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kPi = std::numbers::pi;

Vector3 shifted(const Vector3& from_m, const Vector3& direction, double s_m) {
  return {from_m[0] + direction[0] * s_m, from_m[1] + direction[1] * s_m,
          from_m[2] + direction[2] * s_m};
}

Vector3 scaled(const Vector3& direction, double by) {
  return {direction[0] * by, direction[1] * by, direction[2] * by};
}

double length_of(const Vector3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

}  // namespace

double distance_m(const Vector3& a, const Vector3& b) {
  return length_of({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
}

Motion Motion::dwell(const Vector3& at_m, double duration_s) {
  Motion motion;
  motion.from_m_ = at_m;
  motion.duration_s_ = std::max(duration_s, 0.0);
  return motion;
}

Motion Motion::line(const Vector3& from_m, const Vector3& to_m, double speed_m_per_s,
                    double acceleration_m_per_s2) {
  assert(speed_m_per_s > 0 && acceleration_m_per_s2 > 0);
  Motion motion;
  motion.kind_ = Kind::kLine;
  motion.from_m_ = from_m;
  motion.length_m_ = distance_m(from_m, to_m);
  motion.acceleration_m_s2_ = acceleration_m_per_s2;
  if (motion.length_m_ == 0) return motion;
  const double by = 1 / motion.length_m_;
  motion.direction_ = scaled({to_m[0] - from_m[0], to_m[1] - from_m[1], to_m[2] - from_m[2]}, by);
  motion.speed_m_s_ = std::min(speed_m_per_s, std::sqrt(motion.length_m_ * acceleration_m_per_s2));
  motion.speed_up_s_ = motion.speed_m_s_ / acceleration_m_per_s2;
  motion.cruise_s_ = std::max(motion.length_m_ / motion.speed_m_s_ - motion.speed_up_s_, 0.0);
  motion.duration_s_ = 2 * motion.speed_up_s_ + motion.cruise_s_;
  return motion;
}

Motion Motion::brake(const Vector3& from_m, const Vector3& velocity_m_per_s,
                     double acceleration_m_per_s2) {
  assert(acceleration_m_per_s2 > 0);
  Motion motion;
  motion.kind_ = Kind::kLine;
  motion.from_m_ = from_m;
  motion.acceleration_m_s2_ = acceleration_m_per_s2;
  const double speed_m_per_s = length_of(velocity_m_per_s);
  if (speed_m_per_s == 0) return motion;
  motion.direction_ = scaled(velocity_m_per_s, 1 / speed_m_per_s);
  motion.start_speed_m_s_ = speed_m_per_s;
  motion.speed_m_s_ = speed_m_per_s;
  motion.length_m_ = speed_m_per_s * speed_m_per_s / (2 * acceleration_m_per_s2);
  motion.duration_s_ = speed_m_per_s / acceleration_m_per_s2;
  return motion;
}

Motion Motion::oscillation(const Vector3& centre_m, const Vector3& direction, double amplitude_m,
                           double from_hz, double to_hz, double duration_s) {
  assert(duration_s > 0 && from_hz > 0 && to_hz >= from_hz);
  Motion motion;
  motion.kind_ = Kind::kOscillation;
  motion.from_m_ = centre_m;
  motion.direction_ = direction;
  motion.amplitude_m_ = amplitude_m;
  motion.from_Hz_ = from_hz;
  motion.to_Hz_ = to_hz;
  motion.duration_s_ = duration_s;
  motion.fade_in_s_ = std::min(1 / from_hz, duration_s / 4);
  motion.fade_out_s_ = std::min(4 / to_hz, duration_s / 4);
  return motion;
}

Motion Motion::moved_by(const Vector3& offset_m) const {
  Motion moved = *this;
  for (std::size_t i = 0; i < 3; ++i) moved.from_m_[i] += offset_m[i];
  return moved;
}

Motion::Along Motion::along_line(double t_s) const {
  const double v0 = start_speed_m_s_;
  const double v = speed_m_s_;
  const double a = acceleration_m_s2_;
  if (t_s < speed_up_s_) return {v0 * t_s + a * t_s * t_s / 2, v0 + a * t_s, a};
  const double speed_up_m = (v0 + v) / 2 * speed_up_s_;
  if (t_s < speed_up_s_ + cruise_s_) return {speed_up_m + v * (t_s - speed_up_s_), v, 0};
  const double left_s = duration_s_ - t_s;
  return {length_m_ - a * left_s * left_s / 2, a * left_s, -a};
}

Motion::Along Motion::along_oscillation(double t_s) const {
  double w = 1;
  double dw = 0;
  double ddw = 0;
  const bool fading_out = t_s > duration_s_ - fade_out_s_;
  if (t_s < fade_in_s_ || fading_out) {
    const double fade = kPi / (fading_out ? fade_out_s_ : fade_in_s_);
    const double sign = fading_out ? -1 : 1;
    const double x = fade * (fading_out ? duration_s_ - t_s : t_s);
    w = (1 - std::cos(x)) / 2;
    dw = sign * fade * std::sin(x) / 2;
    ddw = fade * fade * std::cos(x) / 2;
  }
  const double rate = std::log(to_Hz_ / from_Hz_) / duration_s_;
  const double turns =
      rate * t_s < 1e-9 ? from_Hz_ * t_s : from_Hz_ * std::expm1(rate * t_s) / rate;
  const double phase = 2 * kPi * turns;
  const double omega = 2 * kPi * from_Hz_ * std::exp(rate * t_s);
  const double sine = std::sin(phase);
  const double cosine = std::cos(phase);
  return {amplitude_m_ * w * sine, amplitude_m_ * (dw * sine + w * omega * cosine),
          amplitude_m_ * (ddw * sine + 2 * dw * omega * cosine +
                          w * (omega * rate * cosine - omega * omega * sine))};
}

Motion::Along Motion::along(double t_s) const {
  if (kind_ == Kind::kDwell) return {};
  if (t_s < 0) return {0, 0, 0};
  if (t_s >= duration_s_) return {kind_ == Kind::kLine ? length_m_ : 0, 0, 0};
  return kind_ == Kind::kLine ? along_line(t_s) : along_oscillation(t_s);
}

Vector3 Motion::position_m(double t_s) const { return shifted(from_m_, direction_, along(t_s).s); }
Vector3 Motion::velocity_m_per_s(double t_s) const { return scaled(direction_, along(t_s).v); }
Vector3 Motion::acceleration_m_per_s2(double t_s) const { return scaled(direction_, along(t_s).a); }

double Motion::top_speed_m_per_s() const {
  if (kind_ != Kind::kOscillation) return speed_m_s_;
  const double fade = kPi / std::min(fade_in_s_, fade_out_s_);
  return amplitude_m_ * (fade / 2 + 2 * kPi * to_Hz_);
}

double Motion::top_acceleration_m_per_s2() const {
  if (kind_ == Kind::kDwell || length_m_ + amplitude_m_ == 0) return 0;
  if (kind_ == Kind::kLine) return acceleration_m_s2_;
  const double omega = 2 * kPi * to_Hz_;
  const double rate = std::log(to_Hz_ / from_Hz_) / duration_s_;
  const double fade = kPi / std::min(fade_in_s_, fade_out_s_);
  return amplitude_m_ * (fade * fade / 2 + fade * omega + omega * rate + omega * omega);
}

double Motion::path_m() const {
  if (kind_ != Kind::kOscillation) return length_m_;
  const double ratio = std::log(to_Hz_ / from_Hz_);
  const double turns =
      ratio < 1e-9 ? from_Hz_ * duration_s_ : (to_Hz_ - from_Hz_) * duration_s_ / ratio;
  return 4 * amplitude_m_ * turns;
}

double Motion::time_at_length_s(double length_m) const {
  assert(kind_ == Kind::kLine && start_speed_m_s_ == 0);
  const double s = std::clamp(length_m, 0.0, length_m_);
  const double a = acceleration_m_s2_;
  const double speed_up_m = speed_m_s_ * speed_up_s_ / 2;
  if (s <= speed_up_m) return std::sqrt(2 * s / a);
  const double cruise_m = speed_m_s_ * cruise_s_;
  if (s <= speed_up_m + cruise_m) return speed_up_s_ + (s - speed_up_m) / speed_m_s_;
  return duration_s_ - std::sqrt(2 * (length_m_ - s) / a);
}

std::array<double, 2> Motion::constant_speed_between_m() const {
  const double speed_up_m = speed_m_s_ * speed_up_s_ / 2;
  return {speed_up_m, speed_up_m + speed_m_s_ * cruise_s_};
}

}  // namespace tactelier
