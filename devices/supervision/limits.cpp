#include "devices/supervision/limits.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kPeriods = 5;  // of a stream that may be missing
constexpr double kMinAge_s = 20e-3;
constexpr double kLiveForce_s = 50e-3, kLivePeriods = 3;
// A world that is emulated faster than real time shares this computer with us: its devices pause
// whenever somebody else computes. Nobody's finger is in it.
constexpr double kEmulatedAge_s = 0.4;
constexpr double kArrayPeriods = 10;
constexpr double kMinArrayAge_s = 0.2;
constexpr double kStageAge_s = 1;

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  if (!a) return b;
  return b ? std::min(*a, *b) : *a;
}

/// Of a press on the tip, about the force sensor's origin.
double lever_m(const SafetyLimits& limits) {
  auto across_m = limits.tip_m;
  across_m[limits.press_axis.index] = 0;
  return std::hypot(across_m[0], across_m[1], across_m[2]);
}

}  // namespace

std::string_view to_string(LimitKind kind) {
  switch (kind) {
    case LimitKind::kPadForce:
      return "pad force";
    case LimitKind::kRigForce:
      return "force beside the pad";
    case LimitKind::kPadPressure:
      return "pad pressure";
    case LimitKind::kDepth:
      return "indentation depth";
    case LimitKind::kSensorLoad:
      return "force sensor's range";
    case LimitKind::kTorque:
      return "torque";
    case LimitKind::kForceAge:
      return "age of the force";
    case LimitKind::kFrozen:
      return "frozen force";
    case LimitKind::kSensorStatus:
      return "force sensor's status";
    case LimitKind::kArrayAge:
      return "age of the readings";
    case LimitKind::kStageAge:
      return "age of the position";
    case LimitKind::kTravel:
      return "travel";
    case LimitKind::kPressTime:
      return "time in contact";
    case LimitKind::kAirForce:
      return "force in air";
    case LimitKind::kWrongAxis:
      return "axis of the force";
    case LimitKind::kTare:
      return "zero of the force";
    case LimitKind::kRecorder:
      return "recording";
    case LimitKind::kDevice:
      return "device";
    case LimitKind::kStopButton:
      return "STOP";
  }
  return "";
}

std::string_view to_string(TripAction action) {
  switch (action) {
    case TripAction::kRetract:
      return "retract";
    case TripAction::kStop:
      return "stop";
    case TripAction::kAbort:
      return "abort";
  }
  return "";
}

SafetyLimits safety_limits(const RigFile& rig, const SensorDescription& sensor, double force_hz,
                           double time_scale, bool own_clock) {
  SafetyLimits limits;
  limits.pad_force_N = smaller(rig.limits.max_force_N, sensor.max_force_N);
  limits.rig_force_N = rig.limits.max_force_N;
  limits.pad_pressure_Pa = smaller(rig.limits.max_pressure_Pa, sensor.max_pressure_Pa);
  limits.depth_m = rig.limits.max_depth_m;
  limits.torque_Nm = rig.limits.max_torque_Nm;
  limits.tip_m = rig.tip_m.value_or(Vector3{});
  limits.press_axis = rig.press_axis;
  const double timeout_scale = time_scale > 1 ? time_scale : 0;
  const bool by_host_clock = time_scale > 1 && !own_clock;
  limits.force_age_s = by_host_clock ? kEmulatedAge_s * time_scale : kMinAge_s;
  if (force_hz > 0) limits.force_hz = force_hz;
  if (force_hz > 0) limits.force_age_s = std::max(limits.force_age_s, kPeriods / force_hz);
  limits.live_force_s = by_host_clock ? kEmulatedAge_s * time_scale : kLiveForce_s;
  if (force_hz > 0) limits.live_force_s = std::max(limits.live_force_s, kLivePeriods / force_hz);
  // Waiting for a second record costs a period: a slow sensor's first one must do.
  constexpr double kFast_hz = 2000, kSlow_hz = 200;
  if (force_hz > 0) limits.records_over = force_hz >= kFast_hz ? 3 : force_hz >= kSlow_hz ? 2 : 1;
  limits.array_age_s = std::max(kMinArrayAge_s, kEmulatedAge_s * timeout_scale);
  if (const double hz = sensor.rate_hz.value_or(0); hz > 0)
    limits.array_age_s = std::max(limits.array_age_s, kArrayPeriods / hz);
  limits.stage_age_s = std::max(kStageAge_s, 2 * kEmulatedAge_s * timeout_scale);
  return limits;
}

std::optional<double> sensor_press_limit_N(const SafetyLimits& limits,
                                           const devices::ForceScale& scale, const RigFile& rig) {
  const auto torque_Nm = rig.press_torque_Nm_per_N();
  std::array<double, 6> of_one_newton{0, 0, 0, torque_Nm[0], torque_Nm[1], torque_Nm[2]};
  of_one_newton[rig.press_axis.index] = 1;
  std::optional<double> most_N;
  if (const double load = devices::combined_load(of_one_newton, scale); load > 0)
    most_N = limits.sensor_load / load;
  const double lever_m = std::hypot(torque_Nm[0], torque_Nm[1], torque_Nm[2]);
  if (limits.torque_Nm && lever_m > 0) most_N = smaller(most_N, *limits.torque_Nm / lever_m);
  return most_N;
}

double overshoot_N(const Approach& a) {
  const double braking_m = a.acceleration_m_per_s2 > 0
                               ? a.speed_m_per_s * a.speed_m_per_s / (2 * a.acceleration_m_per_s2)
                               : 0;
  return a.stiffness_N_per_m * (a.speed_m_per_s * (a.latency_s + a.prepared_s) + braking_m) +
         a.steps_N;
}

/// k (v t + v^2 / 2a) = margin, solved for v.
double speed_for_margin_m_per_s(double margin_N, const Approach& a) {
  const double way_m = margin_N / a.stiffness_N_per_m;
  const double t_s = a.latency_s + a.prepared_s;
  if (!(way_m > 0)) return 0;
  if (!(a.acceleration_m_per_s2 > 0)) return way_m / t_s;
  const double at = a.acceleration_m_per_s2 * t_s;
  return std::sqrt(at * at + 2 * a.acceleration_m_per_s2 * way_m) - at;
}

Pace pace_for_margin(double margin_N, double asked_m_per_s, Approach approach) {
  Pace pace{speed_for_margin_m_per_s(margin_N, approach), asked_m_per_s, 0};
  approach.speed_m_per_s = pace.gone_m_per_s();
  pace.overshoot_N = overshoot_N(approach);
  return pace;
}

double stepping_N(double limit_N, std::optional<double> step_m) {
  constexpr double kDissipation_s_per_m = 20, kStepTime_s = 1e-3;
  constexpr double kUsualStep_m = 2.5e-6;  // 8 mm of lead, 200 steps, in sixteenths
  return limit_N * kDissipation_s_per_m * step_m.value_or(kUsualStep_m) / kStepTime_s;
}

std::string overshoot_words(const LimitRow& row) {
  if (row.overshoot_N) return fmt::format("{:.2g} N", *row.overshoot_N);
  if (row.overshoot_Nm) return fmt::format("{:.2g} N mm", *row.overshoot_Nm * 1e3);
  return {};
}

std::vector<LimitRow> limit_table(const SafetyLimits& limits, Approach approach,
                                  std::optional<double> step_m) {
  const std::string soft =
      fmt::format("hold, retract, next press; after {} times stop", limits.soft_trips);
  const std::string stop = "hold, retract, lock", abort = "reset at once, raise, lock";
  approach.steps_N = 0;
  const double beyond_N = overshoot_N(approach);
  approach.steps_N = stepping_N(limits.pad_force_N.value_or(0), step_m);
  const double beyond_on_pad_N = overshoot_N(approach);
  auto by_position = approach;
  by_position.latency_s += approach.position_age_s;
  std::vector<LimitRow> rows;
  const auto add = [&](LimitKind kind, std::string value, const std::string& action,
                       std::optional<double> overshoot = {}) {
    rows.push_back({std::string(to_string(kind)), std::move(value), action, overshoot});
  };
  if (limits.pad_force_N)
    add(LimitKind::kPadForce, fmt::format("{:.4g} N", *limits.pad_force_N), soft, beyond_on_pad_N);
  if (limits.rig_force_N)
    add(LimitKind::kRigForce,
        fmt::format("{:.4g} N on plate and reference pad", *limits.rig_force_N), soft);
  if (limits.pad_pressure_Pa)
    add(LimitKind::kPadPressure, fmt::format("{:.4g} MPa", *limits.pad_pressure_Pa * 1e-6), soft,
        beyond_on_pad_N);
  if (limits.depth_m)
    add(LimitKind::kDepth, fmt::format("{:.4g} mm", m_to_mm(*limits.depth_m)), soft,
        approach.stiffness_N_per_m * kDepthDoubt_m + overshoot_N(by_position));
  add(LimitKind::kSensorLoad,
      fmt::format("{:.0f} % of the range, all axes", 100 * limits.sensor_load), abort, beyond_N);
  if (limits.torque_Nm) {
    add(LimitKind::kTorque, fmt::format("{:.4g} N m", *limits.torque_Nm), abort);
    // A press on a tip in the sensor's pressing axis turns nothing.
    if (const double lever = lever_m(limits); lever > 0)
      rows.back().overshoot_Nm = lever * beyond_N;
  }
  add(LimitKind::kForceAge, fmt::format("{:.0f} ms", limits.force_age_s * 1e3), stop);
  const std::string gentle = "hold, retract; set-up fails, a run registers again";
  add(LimitKind::kAirForce, "50 mN or 8 sigma of a 20 ms mean, all axes", gentle);
  add(LimitKind::kAirForce,
      fmt::format("{:.0f} times that at once ({:.0f} in confirmed air)", kAirHard,
                  kConfirmedAirHard),
      abort);
  add(LimitKind::kWrongAxis,
      fmt::format("{:.2g} N across or against, before any along", kWrongAxis_N), stop);
  add(LimitKind::kTare, "30 mN + 3 mN/min from the last", gentle);
  add(LimitKind::kFrozen, "equal records for 50 ms that noise can't give", stop);
  add(LimitKind::kSensorStatus, "error bit of the device", abort);
  add(LimitKind::kArrayAge, fmt::format("{:.0f} ms", limits.array_age_s * 1e3), stop);
  add(LimitKind::kStageAge, fmt::format("{:.1f} s", limits.stage_age_s), stop);
  add(LimitKind::kTravel, "the stage's reach", stop);
  add(LimitKind::kPressTime, fmt::format("{:.0f} s", limits.press_time_s), soft);
  add(LimitKind::kRecorder, "the disk doesn't take it", stop);
  return rows;
}

}  // namespace tactelier::rig
