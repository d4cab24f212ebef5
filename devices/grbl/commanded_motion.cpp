#include "devices/grbl/commanded_motion.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kOffThePath_m = 1e-4;
constexpr double kMaxShift_s = 0.5;  // later than accepted, or earlier: then the model is wrong

double dot(const StagePosition& a, const StagePosition& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

StagePosition minus(const StagePosition& a, const StagePosition& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

std::int64_t s_to_ns(double time_s) { return std::llround(time_s * 1e9); }

}  // namespace

TrapezoidMove::TrapezoidMove(const StagePosition& from_m, const StagePosition& to_m,
                             double speed_m_per_s, double acceleration_m_per_s2)
    : from_m_(from_m), to_m_(to_m), acceleration_m_per_s2_(acceleration_m_per_s2) {
  const auto path = minus(to_m, from_m);
  length_m_ = std::sqrt(dot(path, path));
  speed_m_per_s_ = std::min(speed_m_per_s, std::sqrt(length_m_ * acceleration_m_per_s2));
  ramp_s_ = speed_m_per_s_ / acceleration_m_per_s2;
  cruise_s_ = speed_m_per_s_ > 0 ? std::max(0.0, length_m_ / speed_m_per_s_ - ramp_s_) : 0;
}

double TrapezoidMove::way_m(double t_s) const {
  const double left_s = duration_s() - t_s;
  if (t_s <= 0) return 0;
  if (left_s <= 0) return length_m_;
  if (t_s < ramp_s_) return acceleration_m_per_s2_ * t_s * t_s / 2;
  if (left_s < ramp_s_) return length_m_ - acceleration_m_per_s2_ * left_s * left_s / 2;
  return speed_m_per_s_ * (t_s - ramp_s_ / 2);
}

StagePosition TrapezoidMove::at(double since_start_s) const {
  if (length_m_ == 0) return to_m_;
  const double share = way_m(since_start_s) / length_m_;
  StagePosition place_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    place_m[axis] = from_m_[axis] + share * (to_m_[axis] - from_m_[axis]);
  return place_m;
}

std::optional<double> TrapezoidMove::time_at(const StagePosition& place_m) const {
  if (length_m_ == 0) return std::nullopt;
  const auto path = minus(to_m_, from_m_), gone = minus(place_m, from_m_);
  const double way_m = dot(gone, path) / length_m_;
  if (std::sqrt(std::max(0.0, dot(gone, gone) - way_m * way_m)) > kOffThePath_m)
    return std::nullopt;
  const double half_ramp_m =
      acceleration_m_per_s2_ * ramp_s_ * ramp_s_ / 8;  // up to half the speed
  if (way_m < half_ramp_m || way_m > length_m_ - half_ramp_m) return std::nullopt;
  const double ramp_m = 4 * half_ramp_m;
  if (way_m < ramp_m) return std::sqrt(2 * way_m / acceleration_m_per_s2_);
  if (length_m_ - way_m < ramp_m)
    return duration_s() - std::sqrt(2 * (length_m_ - way_m) / acceleration_m_per_s2_);
  return ramp_s_ / 2 + way_m / speed_m_per_s_;
}

void CommandedMotion::rest_at(const StagePosition& place_m) {
  rest_m_ = place_m;
  moves_.clear();
}

void CommandedMotion::add(const TrapezoidMove& move, std::int64_t accepted_ns) {
  auto start_ns = accepted_ns;
  if (!moves_.empty()) {
    const auto last_ns = start_of(moves_.size() - 1) + s_to_ns(moves_.back().move.duration_s());
    start_ns = std::max(start_ns, last_ns);
    if (last_ns < accepted_ns) rest_at(moves_.back().move.at(1e9));
  }
  moves_.push_back({move, start_ns});
}

std::int64_t CommandedMotion::start_of(std::size_t index) const {
  const auto& started = moves_[index];
  const double later_s = started.estimates > 0 ? started.sum_s / started.estimates : 0;
  return started.start_ns + s_to_ns(later_s);
}

void CommandedMotion::correct(const StagePosition& reported_m, std::int64_t host_time_ns) {
  for (auto& started : moves_) {
    const auto since_s = started.move.time_at(reported_m);
    if (!since_s) continue;
    const double start_s = static_cast<double>(host_time_ns - started.start_ns) * 1e-9 - *since_s;
    if (std::abs(start_s) > kMaxShift_s) continue;
    started.sum_s += start_s;
    ++started.estimates;
    return;
  }
}

StagePosition CommandedMotion::at(std::int64_t host_time_ns) const {
  auto place_m = rest_m_;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const auto since_ns = host_time_ns - start_of(i);
    if (since_ns < 0 && i > 0) break;
    place_m = moves_[i].move.at(static_cast<double>(since_ns) * 1e-9);
  }
  return place_m;
}

}  // namespace tactelier::devices
