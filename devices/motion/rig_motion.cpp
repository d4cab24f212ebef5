#include "devices/motion/rig_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::StageState;
using devices::Timeout;

constexpr Timeout kListen{2};
constexpr double kThere_m = 10e-6;     // a report is that near when a move is over
constexpr double kLate_s = 1;          // longer than planned: something is in the way
constexpr double kSideways_m = 20e-6;  // less is no XY move
constexpr double kHeightDoubt_m = 20e-6;
constexpr double kNothing_m = 0.05e-6;  // shorter moves aren't sent
constexpr double kUnconfirmed_m_per_s = 1e-3;
constexpr double kJog_m = 1e-6;  // three decimals of a millimetre
// What a sensor's own period may add on a soft pad before it tells: v T k.
constexpr double kUnseen_N = 0.1, kSoftPad_N_per_m = 2e3;

double length_m(const Vector3& a, const Vector3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

bool straight_up(const Vector3& from_m, const Vector3& to_m) {
  return to_m[2] >= from_m[2] &&
         std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1]) <= kSideways_m;
}

/// A virtual bench waits while somebody waits for a condition.
class Pacing {
 public:
  explicit Pacing(LiveRig& live) : live_(live) {}
  ~Pacing() { live_.pace_world(false); }
  Pacing(const Pacing&) = delete;
  Pacing& operator=(const Pacing&) = delete;
  void here() { live_.pace_world(true); }
  void elsewhere() { live_.pace_world(false); }

 private:
  LiveRig& live_;
};

/// Judged in air while it lives.
class AirWatching {
 public:
  AirWatching(LiveRig& live, AirWatch watch, bool confirmed) : live_(live) {
    live_.watch_air(watch, confirmed);
  }
  /// After a trip the judging goes on until the stage stands (LiveRig::secure()).
  ~AirWatching() {
    if (!live_.trip()) live_.watch_air(AirWatch::kOff, false);
  }
  AirWatching(const AirWatching&) = delete;
  AirWatching& operator=(const AirWatching&) = delete;

 private:
  LiveRig& live_;
};

}  // namespace

RigMotion::RigMotion(LiveRig& live, const RigFile& rig, const SensorDescription& sensor,
                     std::stop_token stop)
    : live_(live), rig_(rig), frame_(rig, sensor), stop_(std::move(stop)) {}

Vector3 RigMotion::at_m() const {
  return frame_.plan_from_stage_m(commanded_known_ ? commanded_m_
                                                   : live_.reading().stage.position_m);
}

double RigMotion::possible_speed(const Vector3& from_m, const Vector3& to_m,
                                 double speed_m_per_s) const {
  const double way_m = length_m(from_m, to_m);
  const auto& axis_m_per_s = live_.stage().travel().most_speed_m_per_s;
  const std::array limits{std::min(axis_m_per_s[0], rig_.stage.xy_speed_m_per_s),
                          std::min(axis_m_per_s[1], rig_.stage.xy_speed_m_per_s),
                          std::min(axis_m_per_s[2], rig_.stage.z_speed_m_per_s)};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const double part_m = std::abs(to_m[axis] - from_m[axis]); part_m > 0)
      speed_m_per_s = std::min(speed_m_per_s, limits[axis] * way_m / part_m);
  return speed_m_per_s;
}

double RigMotion::acceleration(const Vector3& from_m, const Vector3& to_m) const {
  const double way_m = length_m(from_m, to_m);
  double most = rig_.stage.acceleration_m_per_s2;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const double part_m = std::abs(to_m[axis] - from_m[axis]); part_m > 0)
      most = std::min(most, live_.stage().travel().acceleration_m_per_s2[axis] * way_m / part_m);
  return most;
}

double RigMotion::duration_s(const Vector3& from_m, const Vector3& to_m,
                             double speed_m_per_s) const {
  const double way_m = length_m(from_m, to_m);
  if (way_m < kNothing_m) return 0;
  return Motion::line(from_m, to_m, possible_speed(from_m, to_m, speed_m_per_s),
                      acceleration(from_m, to_m))
      .duration_s();
}

/// The whole way's end, whatever pieces it will be gone in.
Result<void> RigMotion::check_travel(const Vector3& to_m) const {
  constexpr double kRounding_m = 1e-6;  // of whole micrometres
  const auto& travel = live_.stage().travel();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low_m = travel.low_m[axis], high_m = travel.high_m[axis];
    if (!(low_m < high_m)) continue;  // the stage doesn't say
    if (to_m[axis] >= low_m - kRounding_m && to_m[axis] <= high_m + kRounding_m) continue;
    return fail(ErrorCode::kInvalidInput,
                "a move to ({:.3f}, {:.3f}, {:.3f}) mm ends outside the stage's travel, {} from "
                "{:.3f} to {:.3f} mm; nothing has moved",
                m_to_mm(to_m[0]), m_to_mm(to_m[1]), m_to_mm(to_m[2]), "XYZ"[axis], m_to_mm(low_m),
                m_to_mm(high_m));
  }
  return {};
}

Result<void> RigMotion::check(const Vector3& from_m, const Vector3& to_m, Path path) const {
  if (!live_.stage().position_trusted())
    return fail(ErrorCode::kDeviceFault, "the stage's position is not known ({}); home it first",
                live_.stage().position_doubt());
  if (auto reached = check_travel(to_m); !reached) return reached;
  if (const auto forbidden = forbidden_way(rig_, from_m, to_m))
    return fail(ErrorCode::kInvalidInput, "a move to ({:.3f}, {:.3f}, {:.3f}) mm {}",
                m_to_mm(to_m[0]), m_to_mm(to_m[1]), m_to_mm(to_m[2]), forbidden->why);
  if (!straight_up(from_m, to_m) && !live_.force_live())
    return fail(ErrorCode::kDeviceFault,
                "no live force (none for {:.0f} ms, {:.0f} ms are allowed): nothing moves but "
                "upwards",
                static_cast<double>(live_.clock().now_ns() - live_.reading().force_ns) * 1e-6,
                live_.limits().live_force_s * 1e3);
  const bool sideways = std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1]) > kSideways_m;
  if (!sideways || path == Path::kAlongSurface) return {};
  for (const auto& at_m : {from_m, to_m}) {
    const double height_m = frame_.plan_from_stage_m(at_m)[2];
    if (height_m < rig_.stage.safe_height_m - kHeightDoubt_m)
      return fail(ErrorCode::kInvalidInput,
                  "a move sideways {:.3f} mm over the surface: below the safe height of {:.3f} mm",
                  m_to_mm(height_m), m_to_mm(rig_.stage.safe_height_m));
  }
  return {};
}

Result<void> RigMotion::send(const Vector3& to_m, double speed_m_per_s) {
  const auto from_m = commanded_m_;
  live_.pace_world(false);  // the stage's answer takes the world's time
  Vector3 by_m{};
  // A jog is sent in whole micrometres: what is cut off here must not add up over many small ones.
  auto sent_m = from_m;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    by_m[axis] = std::round((to_m[axis] - from_m[axis]) / kJog_m) * kJog_m;
    sent_m[axis] += by_m[axis];
  }
  const double possible_m_per_s = possible_speed(from_m, sent_m, speed_m_per_s);
  const auto queued_ns = live_.clock().now_ns();
  const auto begin_ns = std::max(done_ns_, queued_ns);
  if (auto sent = live_.stage().jog(by_m, possible_m_per_s); !sent) {
    if (const auto trip = live_.trip()) return fail(ErrorCode::kDeviceFault, "{}", trip->text);
    return sent;
  }
  done_ns_ =
      begin_ns + static_cast<std::int64_t>(duration_s(from_m, sent_m, possible_m_per_s) * 1e9);
  if (const double way_m = length_m(from_m, sent_m); way_m > kNothing_m) {
    Move move;
    move.from_m = from_m;
    move.to_m = sent_m;
    move.speed_m_per_s = possible_m_per_s;
    move.acceleration_m_per_s2 = acceleration(from_m, sent_m);
    live_.moved(move, queued_ns, live_.clock().now_ns(), done_ns_);
  }
  commanded_m_ = sent_m;
  return {};
}

bool RigMotion::arrived() const {
  const auto& stage = live_.reading().stage;
  return stage.host_time_ns >= done_ns_ && stage.state == StageState::kIdle;
}

Result<bool> RigMotion::wait(const Condition& met, bool cancellable) {
  Pacing pacing(live_);
  while (true) {
    pacing.here();
    if (auto heard = live_.pump(kListen); !heard) {
      commanded_known_ = false;
      return fail(heard.error());
    }
    const bool stopped = cancellable && stop_.stop_requested();
    if (stopped || (met && met())) {
      pacing.elsewhere();
      if (auto halted = live_.stop_jog(); !halted) return fail(halted.error());
      if (auto heard = live_.pump(kListen); !heard) return fail(heard.error());
      commanded_m_ = live_.reading().stage.position_m;
      done_ns_ = 0;
      if (stopped) return fail(ErrorCode::kCancelled, "stopped on request");
      return true;
    }
    const double off_m = length_m(live_.reading().stage.position_m, commanded_m_);
    if (arrived() && off_m <= kThere_m) return false;
    const double over_s = static_cast<double>(live_.clock().now_ns() - done_ns_) * 1e-9;
    if (over_s <= kLate_s + live_.limits().stage_age_s) continue;
    return fail(ErrorCode::kDeviceFault,
                "the stage stands {:.3f} mm from where it was sent, {:.1f} s after it should be "
                "there: has something stopped it?",
                m_to_mm(off_m), over_s);
  }
}

Result<void> RigMotion::know_place() {
  if (commanded_known_) return {};
  if (auto heard = live_.pump(kListen); !heard) return heard;
  commanded_m_ = live_.reading().stage.position_m;
  commanded_known_ = true;
  done_ns_ = 0;
  return {};
}

Result<bool> RigMotion::leg(const Vector3& to_stage_m, double speed_m_per_s, const Condition& met) {
  if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
  if (length_m(commanded_m_, to_stage_m) < kNothing_m) return false;
  if (auto sent = send(to_stage_m, speed_m_per_s); !sent) return fail(sent.error());
  return wait(met, true);
}

/// Over a tilted pad the same height may lie above it, where the tip was at the top.
double RigMotion::top_of_travel_m() const {
  const auto& travel = live_.stage().travel();
  double top_m = std::numeric_limits<double>::infinity();
  if (travel.low_m[2] < travel.high_m[2]) top_m = travel.high_m[2];  // else it doesn't say
  if (rig_.travel_m) top_m = std::min(top_m, (*rig_.travel_m)[5]);
  return top_m;
}

Result<bool> RigMotion::go_until(const Vector3& to_m, double speed_m_per_s, const Condition& met,
                                 Path path) {
  if (auto known = know_place(); !known) return fail(known.error());
  auto to_stage_m = frame_.stage_from_plan_m(to_m);
  if (path == Path::kThroughAir && to_m[2] <= at_m()[2] + kNothing_m)
    to_stage_m[2] = std::min(to_stage_m[2], top_of_travel_m());
  if (auto allowed = check(commanded_m_, to_stage_m, path); !allowed) return fail(allowed.error());
  if (path == Path::kThroughAir && !straight_up(commanded_m_, to_stage_m))
    return through_air(to_stage_m, speed_m_per_s, met);
  return leg(to_stage_m, speed_m_per_s, met);
}

/// A slow sensor tells of a contact one period late.
double RigMotion::unconfirmed_speed_m_per_s() const {
  const double rate_hz = live_.shapes().force_rate_hz;
  const double by_period =
      rate_hz > 0 ? kUnseen_N * rate_hz / kSoftPad_N_per_m : kUnconfirmed_m_per_s;
  return std::min(kUnconfirmed_m_per_s, by_period);
}

double RigMotion::crossing_s(const Vector3& from_m, const Vector3& to_m,
                             double speed_m_per_s) const {
  double sum_s = 0;
  auto at_m = from_m;
  for (const auto& stretch : live_.air().split(from_m, to_m)) {
    const bool slow = !stretch.confirmed && !straight_up(at_m, stretch.to_m);
    sum_s +=
        duration_s(at_m, stretch.to_m,
                   slow ? std::min(speed_m_per_s, unconfirmed_speed_m_per_s()) : speed_m_per_s);
    at_m = stretch.to_m;
  }
  return sum_s;
}

std::vector<Vector3> RigMotion::corners(const Vector3& to_m, double speed_m_per_s) const {
  const auto& from_m = commanded_m_;
  const double top_m = live_.air().free_above_m();
  auto up_m = from_m, over_m = to_m;
  up_m[2] = over_m[2] = std::max({top_m, from_m[2], to_m[2]});
  const std::vector<Vector3> around{up_m, over_m, to_m};
  double around_s = 0;
  auto at_m = from_m;
  for (const auto& corner_m : around) {
    if (!check(at_m, corner_m, Path::kThroughAir)) return {to_m};
    around_s += crossing_s(at_m, corner_m, speed_m_per_s);
    at_m = corner_m;
  }
  return around_s < crossing_s(from_m, to_m, speed_m_per_s) ? around : std::vector{to_m};
}

Result<bool> RigMotion::guarded(const Stretch& stretch, double speed_m_per_s,
                                const Condition& met) {
  const auto from_m = commanded_m_;
  const bool up = straight_up(from_m, stretch.to_m);
  const bool down = stretch.to_m[2] < from_m[2] - kHeightDoubt_m;
  if (!stretch.confirmed && !up)
    speed_m_per_s = std::min(speed_m_per_s, unconfirmed_speed_m_per_s());
  const AirWatching watching(live_,
                             up     ? AirWatch::kOff
                             : down ? AirWatch::kDescending
                                    : AirWatch::kMoving,
                             stretch.confirmed);
  const auto gone = leg(stretch.to_m, speed_m_per_s, met);
  if (gone) live_.air().confirm(from_m, commanded_m_);
  return gone;
}

/// Nothing is near the tip up there, whatever it is and however high the pad.
Result<void> RigMotion::zero_at_top() {
  if (!live_.needs_tare()) return {};
  auto top_m = commanded_m_;
  top_m[2] = std::max(top_m[2], live_.air().free_above_m());
  if (auto allowed = check(commanded_m_, top_m, Path::kInContact); !allowed) return allowed;
  if (auto up = leg(top_m, rig_.stage.z_speed_m_per_s, {}); !up) return fail(up.error());
  return live_.tare_at_top();
}

Result<bool> RigMotion::through_air(const Vector3& to_m, double speed_m_per_s,
                                    const Condition& met) {
  if (auto tared = zero_at_top(); !tared) return fail(tared.error());
  for (const auto& corner_m : corners(to_m, speed_m_per_s))
    for (const auto& stretch : live_.air().split(commanded_m_, corner_m)) {
      const auto gone = guarded(stretch, speed_m_per_s, met);
      if (!gone || *gone) return gone;
    }
  return false;
}

Result<void> RigMotion::go(const Vector3& to_m, double speed_m_per_s, Path path) {
  const auto gone = go_until(to_m, speed_m_per_s, {}, path);
  if (!gone) return fail(gone.error());
  return {};
}

Result<void> RigMotion::queue(const Vector3& to_m, double speed_m_per_s) {
  const auto to_stage_m = frame_.stage_from_plan_m(to_m);
  if (auto allowed = check(commanded_m_, to_stage_m, Path::kAlongSurface); !allowed) return allowed;
  return send(to_stage_m, speed_m_per_s);
}

Result<void> RigMotion::settle() {
  const auto settled = wait({}, true);
  if (!settled) return fail(settled.error());
  return {};
}

Result<bool> RigMotion::rest(double duration_s, const Condition& met) {
  const double until_s = now_s() + duration_s;
  while (now_s() < until_s) {
    if (auto heard = live_.pump(kListen); !heard) return fail(heard.error());
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    if (met && met()) return true;
  }
  return false;
}

Result<void> RigMotion::retreat() {
  if (auto heard = live_.pump(kListen); !heard) return heard;
  commanded_m_ = live_.reading().stage.position_m;
  commanded_known_ = true;
  done_ns_ = 0;
  auto up_m = frame_.plan_from_stage_m(commanded_m_);
  if (up_m[2] >= rig_.stage.safe_height_m - kHeightDoubt_m) return {};
  up_m[2] = rig_.stage.safe_height_m;
  auto to_m = frame_.stage_from_plan_m(up_m);
  to_m[0] = commanded_m_[0];
  to_m[1] = commanded_m_[1];
  if (auto allowed = check(commanded_m_, to_m, Path::kAlongSurface); !allowed) return allowed;
  if (auto sent = send(to_m, rig_.stage.z_speed_m_per_s); !sent) return sent;
  const auto done = wait({}, false);
  if (!done) return fail(done.error());
  return {};
}

}  // namespace tactelier::rig
