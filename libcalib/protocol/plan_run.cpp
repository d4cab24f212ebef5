#include "libcalib/protocol/plan_run.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3 plus(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

}  // namespace

std::optional<EarlyEnd> ended_by(const Segment& segment, const ContactReading& reading) {
  const auto& until = segment.until;
  const double reached_N = reading.force_N + reading.step_N / 2;
  if ((until.force_N && reached_N >= *until.force_N) ||
      (until.depth_m && reading.depth_m > *until.depth_m) ||
      (until.pressure_Pa && reading.pressure_Pa >= *until.pressure_Pa) ||
      (until.saturated && reading.saturated) ||
      (until.time_s && reading.since_clock_s >= *until.time_s))
    return EarlyEnd::kUntil;
  if (segment.phase == Phase::kLoad && segment.aim_N && reached_N >= *segment.aim_N)
    return EarlyEnd::kAim;
  return std::nullopt;
}

PlanRun::PlanRun(const Plan& plan, double start_s, bool prompts_wait)
    : plan_(&plan),
      prompts_wait_(prompts_wait),
      ended_s_(plan.segments.size(), std::numeric_limits<double>::quiet_NaN()) {
  enter(0, start_s, plan.start_m);
}

void PlanRun::plan_grew() {
  const bool had_ended = index_ >= ended_s_.size();
  ended_s_.resize(plan_->segments.size(), std::numeric_limits<double>::quiet_NaN());
  if (had_ended) enter(index_, end_s_, motion_.from_m());
}

Motion PlanRun::motion_from(const Segment& segment, const Vector3& at_m, double t_s) const {
  const auto offset_m = minus(at_m, segment.motion.from_m());
  if (segment.motion.is_oscillation()) return segment.motion.moved_by(offset_m);
  if (!segment.motion.is_line()) {
    double duration_s = segment.motion.duration_s();
    if (segment.rest_after && std::isfinite(ended_s_[*segment.rest_after]))
      duration_s = segment.rest_s - (t_s - ended_s_[*segment.rest_after]);
    return Motion::dwell(at_m, duration_s);
  }
  // What held a force may stand deeper than the next, greater one was thought to be.
  if (segment.phase == Phase::kLoad && segment.aim_N && segment.motion.end_m()[2] >= at_m[2] &&
      segment.motion.end_m()[2] < segment.motion.from_m()[2])
    return Motion::dwell(at_m, 0);
  if (offset_m == Vector3{0, 0, 0} || segment.keeps_displacement)
    return segment.motion.moved_by(offset_m);
  return Motion::line(at_m, segment.motion.end_m(), segment.speed_m_per_s,
                      plan_->acceleration_m_per_s2);
}

void PlanRun::enter(std::size_t index, double t_s, const Vector3& at_m) {
  index_ = index;
  begin_s_ = t_s;
  end_s_ = t_s;
  brake_s_ = kInfinity;
  motion_ = Motion::dwell(at_m, 0);
  next_ = index + 1;
  if (!running()) return;
  if (segment().starts_clock) clock_s_ = t_s;
  motion_ = motion_from(segment(), at_m, t_s);
  end_s_ = t_s + motion_.duration_s();
  if (segment().phase == Phase::kPrompt && prompts_wait_) end_s_ = kInfinity;
}

Vector3 PlanRun::position_m(double t_s) const {
  const double since_s = t_s - begin_s_;
  if (since_s <= brake_s_) return motion_.position_m(since_s);
  return brake_.position_m(since_s - brake_s_);
}

Vector3 PlanRun::velocity_m_per_s(double t_s) const {
  const double since_s = t_s - begin_s_;
  if (since_s <= brake_s_) return motion_.velocity_m_per_s(since_s);
  return brake_.velocity_m_per_s(since_s - brake_s_);
}

void PlanRun::stop(double t_s, EarlyEnd why) {
  assert(running());
  if (std::isfinite(brake_s_)) return;
  const double since_s = std::clamp(t_s - begin_s_, 0.0, end_s_ - begin_s_);
  brake_ = Motion::brake(motion_.position_m(since_s), motion_.velocity_m_per_s(since_s),
                         plan_->acceleration_m_per_s2);
  brake_s_ = since_s;
  end_s_ = begin_s_ + since_s + brake_.duration_s();
  if (why == EarlyEnd::kUntil) next_ = segment().after_until;
}

void PlanRun::answer(double t_s) {
  if (running() && segment().phase == Phase::kPrompt) end_s_ = std::max(t_s, begin_s_);
}

void PlanRun::advance(const Vector3& correction_m) {
  assert(running() && std::isfinite(end_s_));
  const auto at_m = plus(position_m(end_s_), correction_m);
  ended_s_[index_] = end_s_;
  enter(next_, end_s_, at_m);
}

}  // namespace tactelier
