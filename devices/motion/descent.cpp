#include "devices/motion/descent.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kStep_m = 20e-6;
constexpr double kUnknownSpeed_m_per_s = 0.1e-3;  // the most on something not yet felt
constexpr double kTouch_N = 0.05;
constexpr double kSurfaceDoubt_m = 50e-6;  // of the pad's height
constexpr double kPlaceDoubt_m = 300e-6;   // of plate and reference pad, as the rig file has them
constexpr double kStiffestPad_N_per_m = 50e3;
constexpr double kStiffestRig_N_per_m = 1e6;  // a plate under a frame that hardly gives
constexpr double kMinStep_m = 1e-6;
constexpr double kEnd_m = 0.5e-6;
constexpr double kAhead_s = 0.2;  // before the end of what is queued; stages prepare 50 ms ahead
constexpr double kMinFurther_m = 10e-6, kMinFurther_s = 0.1;
// Steeper than that for the supervisor's reaction, the approach is slowed down.
constexpr double kPrepared_s = 0.05;

double stiffest_N_per_m(Touch touch) {
  return touch == Touch::kPad ? kStiffestPad_N_per_m : kStiffestRig_N_per_m;
}

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
  if (reading.force_N < kTouch_N) return;
  seen_[goal.touch].see(motion_.frame().plan_from_stage_m(reading.stage.position_m)[2],
                        reading.force_N);
}

double Descent::reach_m(const DescentGoal& goal, double z_m) {
  const auto& seen = seen_[goal.touch];
  const double force_N = live_.reading().force_N;
  const double room_N = std::max(0.0, goal.ceiling_N - force_N);
  const double doubt_m = goal.touch == Touch::kPad ? kSurfaceDoubt_m : kPlaceDoubt_m;
  // In air the touch may come as early as the doubt says.
  const double air_m = force_N > kTouch_N ? 0 : std::max(0.0, z_m - (goal.surface_z_m + doubt_m));
  const double step_m =
      std::clamp(0.5 * room_N / stiffest_N_per_m(goal.touch), kMinStep_m, kStep_m);
  if (seen.known())
    return air_m + std::max(step_m, seen.reach_m(z_m - air_m, force_N, goal.ceiling_N));
  return air_m > kStep_m ? air_m : step_m;
}

double Descent::speed_m_per_s(const DescentGoal& goal) const {
  const auto seen = seen_.find(goal.touch);
  if (seen == seen_.end() || !seen->second.known()) return goal.speed_m_per_s;
  const auto reading = live_.reading();
  const Approach approach{seen->second.bound_N_per_m(), 0, reading.latency_s, kPrepared_s,
                          live_.stage().travel().acceleration_m_per_s2[2]};
  const double room_N = std::max(0.1, goal.ceiling_N - reading.force_N);
  return std::min(goal.speed_m_per_s, speed_for_margin_m_per_s(room_N, approach));
}

/// Before the tip has come to the end of what is queued, as much again as is safe by now.
Result<void> Descent::extend(const DescentGoal& goal, double speed_m_per_s, Vector3& end_m) {
  if (!seen_[goal.touch].known() || end_m[2] <= goal.to_z_m + kEnd_m) return {};
  const auto at_m = motion_.frame().plan_from_stage_m(live_.reading().stage.position_m);
  if (at_m[2] - end_m[2] > speed_m_per_s * kAhead_s) return {};
  const double further_m = std::max(goal.to_z_m, at_m[2] - reach_m(goal, at_m[2]));
  const double least_m = std::max(kMinFurther_m, speed_m_per_s * kMinFurther_s);
  if (further_m > end_m[2] - least_m && further_m > goal.to_z_m + kEnd_m) return {};
  end_m[2] = further_m;
  return motion_.queue(end_m, speed_m_per_s);
}

Result<bool> Descent::go(const DescentGoal& goal, const RigMotion::Condition& met) {
  auto& seen = seen_[goal.touch];
  seen.begin_press();
  while (true) {
    auto end_m = motion_.at_m();
    if (end_m[2] <= goal.to_z_m + kEnd_m) return false;
    const double reach = reach_m(goal, end_m[2]);
    auto speed = speed_m_per_s(goal);
    if (!seen.known() && reach <= kStep_m) speed = std::min(speed, kUnknownSpeed_m_per_s);
    end_m[2] = std::max(goal.to_z_m, end_m[2] - reach);
    Result<void> extended;
    const RigMotion::Condition watch = [&] {
      learn(goal);
      if (met && met()) return true;
      extended = extend(goal, speed, end_m);
      return !extended;
    };
    const auto ended = motion_.go_until(end_m, speed, watch, Path::kInContact);
    if (!extended) return fail(extended.error());
    if (!ended || *ended) return ended;
    if (watch()) return extended ? Result<bool>(true) : fail(extended.error());
  }
}

}  // namespace tactelier::rig
