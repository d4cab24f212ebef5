// Runner: what is done in a contact.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/motion/runner.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kLook_s = 0.1;  // between two corrections of a force
constexpr double kCorrection_m_per_s = 0.4e-3;
constexpr double kMinCorrection_m = 0.5e-6;
constexpr double kAhead_s = 0.15;                    // an oscillation is queued so far ahead
constexpr double kFelt_N = 0.1, kFewest_m = 0.1e-3;  // of ground: felt, and so far into it
constexpr double kSoftGround_m_per_N = 60e-6;        // no rig gives that much

Vector3 plus(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Speed of a line from rest to rest that takes so long, or as near as the acceleration allows.
double speed_for_duration(double length_m, double duration_s, double acceleration_m_per_s2) {
  const double at = acceleration_m_per_s2 * duration_s;
  const double root = at * at - 4 * acceleration_m_per_s2 * length_m;
  return root > 0 ? (at - std::sqrt(root)) / 2 : std::sqrt(acceleration_m_per_s2 * length_m);
}

}  // namespace

Vector3 Runner::target_of(const Segment& segment) const {
  if (!segment.keeps_displacement) return segment.motion.end_m();
  return plus(motion_.at_m(), minus(segment.motion.end_m(), segment.motion.from_m()));
}

/// A descent goes straight down from wherever the tip stands: by the stage's word, not by what it
/// was told.
Result<void> Runner::stands_over(const Vector3& place_m) const {
  constexpr double kBeside_m = 0.1e-3;  // a tilted pad's way down is a few hundredths aside
  const auto at_m = motion_.frame().plan_from_stage_m(live_.reading().stage.position_m);
  const double beside_m = std::hypot(place_m[0] - at_m[0], place_m[1] - at_m[1]);
  if (beside_m <= kBeside_m) return {};
  return fail(ErrorCode::kDeviceFault,
              "the tip stands {:.3f} mm beside the place that is pressed next: nothing goes down "
              "there",
              m_to_mm(beside_m));
}

Result<bool> Runner::load(const Segment& segment) {
  const auto target_m = target_of(segment);
  // What held a force may stand deeper than the next, greater one was thought to be: no way back
  // up.
  if (segment.aim_N && target_m[2] >= motion_.at_m()[2]) return false;
  if (target_m[2] > motion_.at_m()[2])
    return motion_.go_until(target_m, segment.speed_m_per_s, condition(segment), Path::kInContact);
  if (auto over = stands_over(target_m); !over) return fail(over.error());
  DescentGoal goal;
  goal.to_z_m = target_m[2];
  goal.surface_z_m = segment.surface_z_m;
  goal.speed_m_per_s = segment.speed_m_per_s;
  goal.touch = segment.touch;
  goal.ceiling_N = descent_ceiling_N(live_, rig_, segment.touch);
  if (segment.touch == Touch::kGround) return touch_ground(segment, goal);
  return descent_.go(goal, condition(segment));
}

/// Rubber under the tip is no ground: it is left before a pad is pressed that nobody watches as
/// one.
Result<bool> Runner::touch_ground(const Segment& segment, const DescentGoal& goal) {
  const auto met = condition(segment);
  std::optional<double> felt_z_m;
  bool soft = false;
  const auto ended = descent_.go(goal, [&] {
    const auto reading = live_.reading();
    const double z_m = reading.stage.position_m[2];
    if (!felt_z_m && reading.force_N > kFelt_N) felt_z_m = z_m;
    const double into_m = felt_z_m.value_or(z_m) - z_m;
    soft = into_m > kFewest_m && reading.force_N * kSoftGround_m_per_N < into_m;
    return soft || met();
  });
  if (soft && ended)
    return leave_ground(segment, "GROUND-SOFT",
                        fmt::format("what is beside the pad gives way like rubber from z {:.2f} mm "
                                    "of the stage on: does ground_mm lie over the pad's edge?",
                                    m_to_mm(*felt_z_m)));
  if (ended && !*ended)
    return leave_ground(segment, "GROUND-MISSED",
                        fmt::format("nothing rigid was met beside the pad down to z {:.2f} mm of "
                                    "the stage: is ground_mm where the pad's carrier is bare?",
                                    m_to_mm(live_.reading().stage.position_m[2])));
  return ended;
}

Result<bool> Runner::leave_ground(const Segment& segment, const char* code, std::string_view why) {
  report_.warnings.push_back({code, fmt::format("{} The thickness stays unknown.", why),
                              fmt::format("step {}", plan_.steps[segment.step].label)});
  note(fmt::format("{} {}", code, why));
  close_open_events("aborted");
  if (auto up = motion_.retreat(); !up) return fail(up.error());
  while (next_ < plan_.segments.size() && plan_.segments[next_].step == segment.step) ++next_;
  return true;
}

Result<bool> Runner::hold(const Segment& segment) {
  const double duration_s = segment.motion.duration_s();
  if (segment.by_hand)
    if (auto laid = operator_.place_object(segment.by_hand); !laid) return fail(laid.error());
  if (!segment.regulate_N) {
    auto rested = motion_.rest(duration_s, condition(segment));
    if (segment.by_hand)
      if (auto taken = operator_.place_object(std::nullopt); !taken) return fail(taken.error());
    return rested;
  }
  const auto met = condition(segment);
  const auto base_m = motion_.at_m();
  const double begun_s = motion_.now_s();
  double looked_s = begun_s;
  double squares = 0, worst_N = 0;
  int looks = 0;
  regulator_.restart();
  while (motion_.now_s() - begun_s < duration_s) {
    const auto ended = motion_.rest(kLook_s, met);
    if (!ended || *ended) return ended;
    const double now_s = motion_.now_s();
    const double force_N = live_.reading().force_N;
    const double error_N = force_N - *segment.regulate_N;
    squares += error_N * error_N;
    worst_N = std::max(worst_N, std::abs(error_N));
    ++looks;
    const double correction_m = regulator_.step(now_s - looked_s, *segment.regulate_N, force_N);
    looked_s = now_s;
    auto to_m = base_m;
    to_m[2] += correction_m;
    const double deepest_m = live_.limits().depth_m.value_or(1);
    to_m[2] = std::max(to_m[2], segment.surface_z_m - deepest_m);
    if (std::abs(to_m[2] - motion_.at_m()[2]) < kMinCorrection_m) continue;
    if (auto moved = motion_.go(to_m, kCorrection_m_per_s, Path::kInContact); !moved)
      return fail(moved.error());
  }
  if (looks > 0)
    live_.event("note",
                canonical(json{{"text", fmt::format("{:.3f} N held with an error of {:.3f} N rms, "
                                                    "{:.3f} N at most, looked at {} times",
                                                    *segment.regulate_N, std::sqrt(squares / looks),
                                                    worst_N, looks)}}));
  return false;
}

/// Half period by half period: straight moves from turn to turn, each as long as half a period.
Result<bool> Runner::oscillate(const Segment& segment) {
  const auto centre_m = motion_.at_m();
  const auto& motion = segment.motion;
  const double duration_s = motion.duration_s();
  const double begun_s = motion_.now_s();
  const auto met = condition(segment);
  constexpr double kFine_s = 1e-3;
  double queued_s = 0;
  auto last_m = motion.from_m();
  double turn_s = 0;
  for (double t_s = kFine_s; t_s <= duration_s; t_s += kFine_s) {
    const auto before = motion.velocity_m_per_s(t_s - kFine_s), now = motion.velocity_m_per_s(t_s);
    const double turned = before[0] * now[0] + before[1] * now[1] + before[2] * now[2];
    const bool last = t_s + kFine_s > duration_s;
    if (turned > 0 && !last) continue;
    if (!last && distance_m(motion.position_m(t_s), last_m) < kMinCorrection_m) continue;
    const auto to_m = motion.position_m(last ? duration_s : t_s);
    const double length_m = distance_m(last_m, to_m);
    if (length_m > kMinCorrection_m) {
      const double acceleration = rig_.stage.acceleration_m_per_s2;
      const double v = speed_for_duration(length_m, t_s - turn_s, acceleration);
      const auto place_m = plus(centre_m, minus(to_m, motion.from_m()));
      const double least_m_per_s = live_.stage().travel().least_speed_m_per_s;
      if (auto sent = motion_.queue(place_m, std::max(v, least_m_per_s)); !sent)
        return fail(sent.error());
    }
    last_m = to_m;
    turn_s = t_s;
    queued_s = t_s;
    while (motion_.now_s() - begun_s < queued_s - kAhead_s) {
      if (auto heard = live_.pump(devices::Timeout(2)); !heard) return fail(heard.error());
      if (stop_.stop_requested() || met()) {
        if (auto halted = live_.stop_jog(); !halted) return fail(halted.error());
        if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
        return true;
      }
    }
  }
  if (auto settled = motion_.settle(); !settled) return fail(settled.error());
  return false;
}

}  // namespace tactelier::rig
