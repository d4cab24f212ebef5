#include "devices/motion/descent.hpp"

#include <algorithm>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kUnknownSpeed_m_per_s = 0.1e-3;  // the most on something not yet felt
constexpr double kEnd_m = 0.5e-6;
constexpr double kAhead_s = 0.2;  // before the end of what is queued; stages prepare 50 ms ahead
constexpr double kMinFurther_m = 10e-6, kMinFurther_s = 0.1;
// Steeper than that for the supervisor's reaction, the approach is slowed down.
constexpr double kPrepared_s = 0.05;
constexpr double kSmoothed = 30;  // samples until the smoothed force tells a step to 4 %
constexpr double kFeel_s = 2e-3;
constexpr std::int64_t kUnfelt_ns = 5'000'000'000;  // ages are the supervisor's: it acts before

}  // namespace

double descent_ceiling_N(const LiveRig& live, const RigFile& rig, Touch touch) {
  constexpr double kRange = 0.95;  // of the force sensor
  constexpr double kUnstated_N = 1;
  const auto& limits = live.limits();
  double ceiling_N = rig.limits.max_force_N.value_or(kUnstated_N);
  if (touch == Touch::kPad) ceiling_N = std::min(ceiling_N, limits.pad_force_N.value_or(ceiling_N));
  if (const auto sensor_N = sensor_press_limit_N(limits, live.shapes().force, rig))
    ceiling_N = std::min(ceiling_N, kRange * *sensor_N);
  return ceiling_N;
}

void Descent::learn(const DescentGoal& goal) {
  const auto reading = live_.reading();
  law(goal.touch)
      .see(motion_.frame().plan_from_stage_m(reading.stage.position_m)[2],
           reading.stage.host_time_ns, reading.force_N, reading.force_ns);
}

/// Rests until the force was taken here, and not on the way.
Result<bool> Descent::feel(const RigMotion::Condition& met) {
  const auto here_ns = live_.reading().stage.host_time_ns +
                       static_cast<std::int64_t>(1e9 * kSmoothed / live_.limits().force_hz);
  const auto give_up_ns = live_.clock().now_ns() + kUnfelt_ns;
  while (live_.reading().force_ns < here_ns) {
    if (live_.clock().now_ns() > give_up_ns)
      return fail(ErrorCode::kTimeout,
                  "no force has been heard since the tip came to rest: nothing goes deeper without "
                  "one");
    if (auto rested = motion_.rest(kFeel_s, met); !rested || *rested) return rested;
  }
  return false;
}

double Descent::speed_m_per_s(const DescentGoal& goal) {
  const auto& seen = law(goal.touch);
  if (!seen.known()) {
    live_.readings().set_pace(std::nullopt);
    return goal.speed_m_per_s;
  }
  const auto reading = live_.reading();
  Approach approach{seen.bound_N_per_m(), 0, reading.latency_s, kPrepared_s,
                    live_.stage().travel().acceleration_m_per_s2[2]};
  if (goal.touch == Touch::kPad || goal.touch == Touch::kReference)
    approach.steps_N =
        stepping_N(goal.ceiling_N, stage_step_m_ > 0 ? std::optional(stage_step_m_) : std::nullopt);
  const double room_N = std::max(0.1, goal.ceiling_N - reading.force_N);
  const auto pace = pace_for_margin(room_N, goal.speed_m_per_s, approach);
  live_.readings().set_pace(pace);
  return pace.gone_m_per_s();
}

/// Before the tip has come to the end of what is queued, as much again as is safe by now: by a
/// force that is no older than the place.
Result<void> Descent::extend(const DescentGoal& goal, double speed_m_per_s, Vector3& end_m) {
  const auto& seen = law(goal.touch);
  if (!seen.known() || end_m[2] <= goal.to_z_m + kEnd_m) return {};
  const auto reading = live_.reading();
  if (reading.force_ns < reading.stage.host_time_ns) return {};
  const auto at_m = motion_.frame().plan_from_stage_m(reading.stage.position_m);
  if (at_m[2] - end_m[2] > speed_m_per_s * kAhead_s) return {};
  const double further_m =
      std::max(goal.to_z_m, at_m[2] - seen.reach_m(goal, at_m[2], reading.force_N));
  const double least_m = std::max(kMinFurther_m, speed_m_per_s * kMinFurther_s);
  if (further_m > end_m[2] - least_m && further_m > goal.to_z_m + kEnd_m) return {};
  end_m[2] = std::min(end_m[2], further_m);
  return motion_.queue(end_m, speed_m_per_s);
}

Result<bool> Descent::go_piece(const DescentGoal& goal, const RigMotion::Condition& met,
                               double piece_m) {
  auto end_m = motion_.at_m();
  auto speed = speed_m_per_s(goal);
  if (!law(goal.touch).known() && piece_m <= DescentLaw::kStep_m)
    speed = std::min(speed, kUnknownSpeed_m_per_s);
  end_m[2] = std::max(goal.to_z_m, end_m[2] - piece_m);
  Result<void> extended;
  const RigMotion::Condition watch = [&] {
    learn(goal);
    if (met && met()) return true;
    extended = extend(goal, speed, end_m);
    return !extended;
  };
  const auto ended = motion_.go_until(end_m, speed, watch, Path::kInContact);
  if (!extended) return fail(extended.error());
  return ended;
}

void Descent::compare_with_plate(Touch touch) {
  if (touch != Touch::kGround) return;
  const auto plate = laws_.find(Touch::kPlate);
  if (plate != laws_.end() && plate->second.known())
    law(touch).expect(plate->second.bound_N_per_m());
}

Result<bool> Descent::go(const DescentGoal& goal, const RigMotion::Condition& met) {
  compare_with_plate(goal.touch);
  auto& seen = law(goal.touch);
  seen.begin_press();
  const RigMotion::Condition watch = [&] {
    learn(goal);
    return met && met();
  };
  while (true) {
    if (auto felt = feel(watch); !felt || *felt) return felt;
    const double z_m = motion_.at_m()[2];
    const double force_N = live_.reading().force_N;
    seen.rest(z_m, force_N);
    if (goal.touch != Touch::kPad)
      step_N_ = std::max(0.0, seen.least_slope_N_per_m() * seen.least_step_m());
    const bool reached = watch();
    step_N_ = 0;
    if (reached) return true;
    if (z_m <= goal.to_z_m + kEnd_m) return false;
    const auto piece_m = seen.piece_m(goal, z_m, force_N);
    if (!piece_m)
      return fail(ErrorCode::kDeviceFault,
                  "the ground is too stiff for this stage: {:.2f} N now, one step of {:.1f} um is "
                  "{:.1f} N more and {:.1f} N must not be passed; press less, or lay a spring or "
                  "rubber under the tip",
                  force_N, seen.least_step_m() * 1e6, seen.slope_N_per_m() * seen.least_step_m(),
                  goal.ceiling_N);
    if (auto ended = go_piece(goal, met, *piece_m); !ended || *ended) return ended;
  }
}

}  // namespace tactelier::rig
