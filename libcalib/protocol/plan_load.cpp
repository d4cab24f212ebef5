// How far a ramp may go, where it is expected to end, and what that asks of pad and force sensor.

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/protocol/plan_builder.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kBeyond_m = 0.05e-3;  // a force-ended ramp may pass the soft end by this much
constexpr double kSideShare = 0.05;    // side load of a normal press
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Gives way in proportion to the force.
bool is_linear(Touch touch) { return is_rigid(touch) || touch == Touch::kSpring; }

double compliance_under_tip_m_per_N(const PlanSetup& setup, Touch touch) {
  if (touch == Touch::kPlate) return setup.plate_compliance_m_per_N;
  return touch == Touch::kSpring && setup.spring ? 1 / setup.spring->stiffness_N_per_m : 0;
}

/// Of the rig and what is under the tip, one behind the other.
double linear_stiffness_N_per_m(const PlanSetup& setup, Touch touch, Belief belief) {
  const auto& rig_m_per_N = setup.expected.rig_compliance_m_per_N;
  const double compliance_m_per_N = belief == Belief::kValue  ? rig_m_per_N.value
                                    : belief == Belief::kHigh ? rig_m_per_N.low
                                                              : rig_m_per_N.high;
  return 1 / (compliance_m_per_N + compliance_under_tip_m_per_N(setup, touch));
}

}  // namespace

double PlanBuilder::force_at_N(const LoadSpec& load, Belief belief, double depth_m) const {
  depth_m -= load.air_m;
  if (depth_m <= 0) return 0;
  if (is_linear(load.touch)) return depth_m * linear_stiffness_N_per_m(setup_, load.touch, belief);
  return expected_force_N(setup_.expected, belief, mounted_->indenter, depth_m, sensor_);
}

double PlanBuilder::depth_at_m(const LoadSpec& load, Belief belief, double force_N,
                               double most_m) const {
  if (is_linear(load.touch))
    return std::min(load.air_m + force_N / linear_stiffness_N_per_m(setup_, load.touch, belief),
                    most_m);
  return expected_depth_m(setup_.expected, belief, mounted_->indenter, force_N, sensor_, most_m);
}

/// The forces at which the ramp's conditions are met.
std::vector<double> PlanBuilder::ending_forces_N(const LoadSpec& load, Belief belief) const {
  std::vector<double> forces;
  if (load.aim_N) forces.push_back(*load.aim_N);
  if (load.until.force_N) forces.push_back(*load.until.force_N);
  if (load.touch != Touch::kPad || !mounted_) return forces;
  const auto& indenter = mounted_->indenter;
  if (load.until.pressure_Pa) {
    const double unit_Pa = expected_pressure_Pa(1, indenter, load.depth_m, sensor_);
    forces.push_back(*load.until.pressure_Pa / unit_Pa);
  }
  if (load.until.saturated)
    forces.push_back(
        expected_saturation_N(setup_.expected, belief, indenter, load.depth_m, sensor_));
  return forces;
}

Result<void> PlanBuilder::check_depth(std::string_view key, double depth_m) const {
  if (depth_m > layer_m())
    return bad("{} {:.6g} exceeds the layer's thickness of {:.6g} mm (ST-04)", key,
               m_to_mm(depth_m), m_to_mm(layer_m()));
  if (depth_m > setup_.limits.max_depth_m.value_or(kInfinity))
    return bad("{} {:.6g} exceeds the depth limit of {:.6g} mm", key, m_to_mm(depth_m),
               m_to_mm(*setup_.limits.max_depth_m));
  return {};
}

Result<void> PlanBuilder::check_forces(const LoadSpec& load) const {
  const auto limit_N = force_limit_N(load.touch, load.depth_m);
  if (!limit_N) return {};
  const auto check = [&](std::string_view key, std::optional<double> force_N) -> Result<void> {
    if (force_N.value_or(0) > *limit_N * (1 + 1e-9))
      return bad("{} {:.6g} exceeds the force limit of {:.4g} N", key, *force_N, *limit_N);
    return {};
  };
  if (auto allowed = check(load.aim_key, load.aim_N); !allowed) return allowed;
  return check("until.force_N", load.until.force_N);
}

Result<double> PlanBuilder::farthest_m(const Until& until) const {
  if (until.depth_m)
    if (const auto allowed = check_depth("until.depth_mm", *until.depth_m); !allowed)
      return fail(allowed.error());
  const double most_m = std::min({until.depth_m.value_or(kInfinity), layer_m(),
                                  setup_.limits.max_depth_m.value_or(kInfinity)});
  if (!std::isfinite(most_m))
    return bad(
        "how deep may it go? The sensor description has no thickness_mm, there is no depth "
        "limit; add until.depth_mm");
  LoadSpec load;
  load.depth_m = most_m;
  load.until = until;
  double farthest_m = most_m;
  for (const double force_N : ending_forces_N(load, Belief::kHigh))
    farthest_m = std::min(farthest_m, depth_at_m(load, Belief::kLow, force_N, most_m) + kBeyond_m);
  return std::min(farthest_m, most_m);
}

Result<LoadSpec> PlanBuilder::load_to(const Target& target, double speed_m_per_s,
                                      const Until& until) const {
  LoadSpec load;
  load.speed_m_per_s = speed_m_per_s;
  load.until = until;
  load.aim_N = target.force_N;
  if (target.depth_m) {
    if (const auto allowed = check_depth("depth_mm", *target.depth_m); !allowed)
      return fail(allowed.error());
    load.depth_m = std::min(*target.depth_m, until.depth_m.value_or(kInfinity));
    return load;
  }
  Until with_aim = until;
  with_aim.force_N = std::min(*target.force_N, until.force_N.value_or(kInfinity));
  const auto farthest = farthest_m(with_aim);
  if (!farthest) return fail(farthest.error());
  const auto most = farthest_m({{}, until.depth_m, {}, {}, {}});
  // The frame bends away while the pad is pressed: under a plate by more than the pad.
  const double bends_m = *target.force_N * setup_.expected.rig_compliance_m_per_N.high;
  load.depth_m = std::min(*farthest + bends_m, most ? *most : kInfinity);
  return load;
}

PlanBuilder::End PlanBuilder::end_of(const Motion& motion, const LoadSpec& load) const {
  const double a = setup_.stage.acceleration_m_per_s2;
  const double begin_depth_m = surface_z_m_ - at_m_[2];
  double trigger_m = load.depth_m;
  double worst_N = force_at_N(load, Belief::kHigh, load.depth_m);
  for (const double force_N : ending_forces_N(load, Belief::kValue))
    trigger_m = std::min(trigger_m, depth_at_m(load, Belief::kValue, force_N, load.depth_m));
  const double past_m = load.speed_m_per_s * load.speed_m_per_s / (2 * a);
  for (const double force_N : ending_forces_N(load, Belief::kHigh)) {
    const double at_m = depth_at_m(load, Belief::kHigh, force_N, load.depth_m);
    worst_N = std::min(worst_N, force_at_N(load, Belief::kHigh, at_m + past_m));
  }
  trigger_m = std::max(trigger_m, begin_depth_m);
  double after_s = motion.duration_s();
  if (trigger_m < load.depth_m) after_s = motion.time_at_length_s(trigger_m - begin_depth_m);
  if (load.until.time_s)
    after_s = std::min(after_s, std::max(clock_s_ + *load.until.time_s - now_s_, 0.0));
  const Vector3 at_m = motion.position_m(after_s);
  const Vector3 velocity_m_per_s = motion.velocity_m_per_s(after_s);
  const double v = std::abs(velocity_m_per_s[2]);
  const double depth_m = std::min(surface_z_m_ - at_m[2] + v * v / (2 * a), load.depth_m);
  const auto cruise = motion.constant_speed_between_m();
  const double slows_m = std::min(surface_z_m_ - at_m[2], begin_depth_m + cruise[1]);
  return {depth_m, after_s + v / a, slows_m, worst_N};
}

/// Share of the ramp's depth, from touch on, that goes by at constant speed.
void PlanBuilder::note_share(const Motion& motion, const End& end) {
  const double begin_depth_m = surface_z_m_ - motion.from_m()[2];
  const double touch_m = std::max(begin_depth_m, 0.0);
  if (end.depth_m <= touch_m) return;
  const double from_m = std::max(begin_depth_m + motion.constant_speed_between_m()[0], touch_m);
  const double share = std::max(end.cruise_to_m - from_m, 0.0) / (end.depth_m - touch_m);
  auto& least = plan_.steps[row_].constant_speed_share;
  least = std::min(least.value_or(1), share);
}

Result<void> PlanBuilder::load(const LoadSpec& load) {
  if (auto allowed = check_forces(load); !allowed) return allowed;
  const Vector3 to_m{at_m_[0], at_m_[1], surface_z_m_ - load.depth_m};
  if (load.starts_clock) clock_s_ = now_s_;
  const auto motion =
      Motion::line(at_m_, to_m, load.speed_m_per_s, setup_.stage.acceleration_m_per_s2);
  const bool down = to_m[2] <= at_m_[2];  // a staircase may also go up
  End end{load.depth_m, motion.duration_s(), load.depth_m,
          force_at_N(load, Belief::kHigh, load.depth_m)};
  if (down) end = end_of(motion, load);
  if (down && load.touch == Touch::kPad) note_share(motion, end);
  auto& segment = add(Phase::kLoad, load.touch, motion);
  segment.until = load.until;
  segment.aim_N = load.aim_N;
  segment.starts_clock = load.starts_clock;
  segment.speed_m_per_s = load.speed_m_per_s;
  now_s_ += end.after_s - segment.duration_s;
  segment.duration_s = end.after_s;
  segment.end_m[2] = surface_z_m_ - end.depth_m;
  plan_.steps[row_].path_m -= distance_m(segment.end_m, to_m);
  at_m_ = segment.end_m;
  const double force_N = force_at_N(load, Belief::kValue, end.depth_m);
  const double worst_N = std::max(end.worst_N, force_N);
  // Ground that is looked for is met in pieces that are safe at their end; nothing goes on from it.
  const double unguarded_N =
      load.touch == Touch::kGround ? worst_N : force_at_N(load, Belief::kHigh, load.depth_m);
  return account(load.touch,
                 {end.depth_m - load.air_m, force_N, worst_N, unguarded_N, kSideShare * force_N});
}

std::optional<double> PlanBuilder::force_limit_N(Touch touch, double depth_m) const {
  std::optional<double> limit = setup_.limits.max_force_N;
  const auto lower = [&](std::optional<double> other) {
    if (other) limit = std::min(limit.value_or(kInfinity), *other);
  };
  if (touch != Touch::kPad) return limit;
  lower(sensor_.max_force_N);
  const double unit_Pa = expected_pressure_Pa(1, mounted_->indenter, depth_m, sensor_);
  for (const auto& pressure_Pa : {setup_.limits.max_pressure_Pa, sensor_.max_pressure_Pa})
    if (pressure_Pa && std::isfinite(unit_Pa)) lower(*pressure_Pa / unit_Pa);
  return limit;
}

Result<void> PlanBuilder::account(Touch touch, const Peak& peak) {
  auto& row = plan_.steps[row_];
  row.peak_force_N = std::max(row.peak_force_N, peak.force_N);
  row.worst_force_N = std::max(row.worst_force_N, peak.worst_N);
  row.unguarded_force_N = std::max(row.unguarded_force_N, peak.unguarded_N);
  row.peak_depth_m = std::max(row.peak_depth_m, peak.depth_m);
  if (touch == Touch::kPad)
    row.peak_pressure_Pa =
        std::max(row.peak_pressure_Pa,
                 expected_pressure_Pa(peak.force_N, mounted_->indenter, peak.depth_m, sensor_));
  // |r x F| where the side force points anywhere.
  const double torque_Nm = peak.side_N * setup_.tip_lever_m + peak.force_N * setup_.tip_offset_m;
  row.peak_torque_Nm = std::max(row.peak_torque_Nm, torque_Nm);
  const auto limit_N = force_limit_N(touch, peak.depth_m);
  if (!limit_N)
    return bad(
        "no limit of the force is known: the rig's limits have no max_force_N, the sensor "
        "description neither max_force_N nor max_pressure_MPa");
  if (peak.force_N > *limit_N * (1 + 1e-9))
    return bad("expects {:.4g} N at {:.4g} mm; the limit is {:.4g} N", peak.force_N,
               m_to_mm(peak.depth_m), *limit_N);
  if (peak.worst_N > *limit_N * (1 + 1e-9))
    warn("limit",
         fmt::format("a pad at the stiff end of what is expected would reach {:.4g} N; the "
                     "limit of {:.4g} N would end the press",
                     peak.worst_N, *limit_N));
  const auto torque_limit_Nm = setup_.limits.max_torque_Nm;
  if (torque_limit_Nm && torque_Nm > *torque_limit_Nm)
    return bad("expects a torque of {:.4g} N m at the force sensor; the limit is {:.4g} N m",
               torque_Nm, *torque_limit_Nm);
  return {};
}

Result<void> PlanBuilder::account_depth(double depth_m) {
  const double force_N = force_at_N(LoadSpec{}, Belief::kValue, depth_m);
  const double worst_N = force_at_N(LoadSpec{}, Belief::kHigh, depth_m);
  return account(Touch::kPad, {depth_m, force_N, worst_N, worst_N, kSideShare * force_N});
}

Result<void> PlanBuilder::account_side(double load_N) {
  const double depth_m = surface_z_m_ - at_m_[2];
  return account(Touch::kPad,
                 {depth_m, load_N, load_N, load_N, setup_.expected.friction.value * load_N});
}

Result<void> PlanBuilder::account_weight(double mass_kg) {
  const double force_N = mass_kg * kStandardGravity_m_per_s2;
  auto& row = plan_.steps[row_];
  row.peak_force_N = std::max(row.peak_force_N, force_N);
  row.worst_force_N = std::max(row.worst_force_N, force_N);
  if (sensor_.max_force_N && force_N > *sensor_.max_force_N)
    return bad("{:.6g} g press with {:.4g} N; the sensor description allows {:.4g} N",
               mass_kg * 1e3, force_N, *sensor_.max_force_N);
  return {};
}

}  // namespace tactelier
