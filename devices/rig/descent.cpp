#include "devices/rig/descent.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kStep_m = 20e-6;
constexpr double kUnknownSpeed_m_s = 0.1e-3;  // the most on something not yet felt
constexpr double kTouch_N = 0.05;
constexpr double kSurfaceDoubt_m = 50e-6;  // of the pad's height
constexpr double kPlaceDoubt_m = 300e-6;   // of plate and reference pad, as the rig file has them
constexpr double kStiffestPad_N_per_m = 50e3;
constexpr double kStiffestRig_N_per_m = 1e6;  // a plate under a frame that hardly gives
constexpr double kLeastStep_m = 1e-6;
constexpr double kEnd_m = 0.5e-6;
// Steeper than that for the supervisor's reaction, the approach is slowed down.
constexpr double kPrepared_s = 0.05;

double stiffest_N_per_m(Touch touch) {
  return touch == Touch::kPad ? kStiffestPad_N_per_m : kStiffestRig_N_per_m;
}

}  // namespace

void Descent::learn(Touch touch, double surface_z_m) {
  const auto reading = live_.reading();
  const double z_m = motion_.frame().plan_from_stage_m(reading.stage.position_m)[2];
  if (reading.force_N < kTouch_N || !std::isfinite(surface_z_m)) return;
  bounds_[touch].see(surface_z_m - z_m, reading.force_N);
}

double Descent::reach_m(const DescentGoal& goal, double z_m) const {
  const auto found = bounds_.find(goal.touch);
  const bool known = found != bounds_.end() && found->second.known();
  const double force_N = live_.reading().force_N;
  const double room_N = std::max(0.0, goal.ceiling_N - force_N);
  const double k = known ? found->second.bound_N_per_m() : stiffest_N_per_m(goal.touch);
  const bool touching = force_N > kTouch_N;
  const double doubt_m = goal.touch == Touch::kPad ? kSurfaceDoubt_m : kPlaceDoubt_m;
  const double air_m = touching ? 0 : std::max(0.0, z_m - (goal.surface_z_m + doubt_m));
  if (known) {
    // In air the touch may come as early as the doubt says.
    const double step_m = std::min(kStep_m, 0.5 * room_N / k);
    return std::max(air_m + room_N / k, std::max(step_m, kLeastStep_m));
  }
  if (air_m > kStep_m) return air_m;
  return std::max(kLeastStep_m, std::min(kStep_m, 0.5 * room_N / k));
}

Result<bool> Descent::go(const DescentGoal& goal, const RigMotion::Condition& met) {
  auto& bound = bounds_[goal.touch];
  bound.begin_press();
  const RigMotion::Condition watch = [&] {
    learn(goal.touch, goal.surface_z_m);
    return met && met();
  };
  while (true) {
    auto at_m = motion_.at_m();
    if (at_m[2] <= goal.to_z_m + kEnd_m) return false;
    const double reach = reach_m(goal, at_m[2]);
    const bool steps = reach <= kStep_m * 1.5;
    double speed_m_s = goal.speed_m_s;
    if (steps) speed_m_s = std::min(speed_m_s, kUnknownSpeed_m_s);
    if (bound.known()) {
      const auto reading = live_.reading();
      const Approach approach{bound.bound_N_per_m(), 0, reading.latency_s, kPrepared_s,
                              live_.stage().travel().acceleration_m_per_s2[2]};
      const double room_N = std::max(0.1, goal.ceiling_N - reading.force_N);
      speed_m_s = std::min(speed_m_s, speed_for_margin_m_s(room_N, approach));
    }
    at_m[2] = std::max(goal.to_z_m, at_m[2] - reach);
    const auto ended = motion_.go_until(at_m, speed_m_s, watch);
    if (!ended || *ended) return ended;
    if (watch()) return true;
  }
}

}  // namespace tactelier::rig
