#include "devices/supervision/supervisor.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/sensor/wrench.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

// The depth of a report is the stage's, not the tip's; backlash and the height's doubt.
constexpr double kTravelDoubt_m = 20e-6;
constexpr std::int64_t kMaxRecords = 10'000;  // a gap; a sensor that restarts counts anew

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

Trip trip(LimitKind kind, TripAction action, double value, double limit, std::int64_t time_ns,
          std::string text) {
  return {kind, action, value, limit, time_ns, std::move(text)};
}

}  // namespace

Supervisor::Supervisor(const SafetyLimits& limits, const devices::ForceScale& scale)
    : limits_(limits), scale_(scale) {}

void Supervisor::set_contact(const ContactState& contact) {
  const std::lock_guard lock(mutex_);
  if (!contact_.touching) along_felt_ = false;
  contact_ = contact;
}

void Supervisor::watch_air(AirWatch watch, bool confirmed) {
  const std::lock_guard lock(mutex_);
  air_watch_ = watch;
  air_confirmed_ = confirmed;
  air_over_ = 0;
}

void Supervisor::set_air_zero(const std::array<double, 3>& zero_N, double noise_N) {
  const std::lock_guard lock(mutex_);
  // Noise of single samples, of which a mean of 20 ms holds so many.
  air_.set_zero(zero_N, noise_N / std::sqrt(std::max(1.0, 20e-3 * limits_.force_hz)));
}

std::int64_t Supervisor::sensor_time_ns(const devices::ForceSample& sample) {
  const auto records = std::clamp<std::int64_t>(sample.record - record_, 1, kMaxRecords);
  record_ = sample.record;
  sensor_ns_ += static_cast<std::int64_t>(static_cast<double>(records) * 1e9 / limits_.force_hz);
  return sensor_ns_;
}

void Supervisor::forget_air_zero() {
  const std::lock_guard lock(mutex_);
  air_.forget_zero();
}

bool Supervisor::air_zero_known() const {
  const std::lock_guard lock(mutex_);
  return air_.zero_known();
}

bool Supervisor::force_live(std::int64_t now_ns) const {
  const std::lock_guard lock(mutex_);
  return force_valid_ && seconds(now_ns - force_heard_ns_) <= limits_.live_force_s;
}

std::optional<std::string> Supervisor::waits_for(std::int64_t now_ns) const {
  const std::lock_guard lock(mutex_);
  const auto silent = [&](std::string_view who, std::int64_t last_ns, double limit_s) {
    const double age_s = seconds(now_ns - last_ns);
    return age_s > limit_s
               ? std::optional(fmt::format("{} has said nothing for {:.1f} s", who, age_s))
               : std::nullopt;
  };
  if (auto force = silent("the force sensor", force_heard_ns_,
                          std::max(limits_.live_force_s, limits_.force_age_s)))
    return force;
  if (!force_valid_) return "the force sensor says that its readings mean nothing";
  if (frozen_.frozen()) return "the force sensor's records don't change: it hangs";
  if (load_ > limits_.sensor_load)
    return fmt::format("the force sensor carries {:.0f} % of its range: raise the tool by hand",
                       100 * load_);
  if (frames_expected_)
    if (auto array = silent("the array", frame_heard_ns_, limits_.array_age_s)) return array;
  return std::nullopt;
}

void Supervisor::watch_ages(bool on, std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  if (on && !watching_) {
    stage_ns_ = std::max(stage_ns_, now_ns);
    force_ns_ = std::max(force_ns_, now_ns);
    frame_ns_ = std::max(frame_ns_, now_ns);
  }
  watching_ = on;
}

double Supervisor::torque_at_sensor_Nm(const std::array<double, 6>& wrench) const {
  const auto& per_count = scale_.SI_per_count;
  if (per_count[3] != 0 || per_count[4] != 0 || per_count[5] != 0)
    return std::hypot(wrench[3], wrench[4], wrench[5]);
  const auto lever_Nm = cross(limits_.tip_m, {wrench[0], wrench[1], wrench[2]});
  return std::hypot(lever_Nm[0], lever_Nm[1], lever_Nm[2]);
}

std::optional<Trip> Supervisor::check_wrench(const devices::ForceSample& sample) const {
  const auto wrench = scale_.wrench_SI(sample);
  const double load = devices::combined_load(wrench, scale_);
  if (load > limits_.sensor_load)
    return trip(LimitKind::kSensorLoad, TripAction::kAbort, load, limits_.sensor_load,
                sample.host_time_ns,
                fmt::format("the force sensor carries {:.0f} % of its range, limit {:.0f} %",
                            100 * load, 100 * limits_.sensor_load));
  const double torque_Nm = torque_at_sensor_Nm(wrench);
  if (limits_.torque_Nm && torque_Nm > *limits_.torque_Nm)
    return trip(LimitKind::kTorque, TripAction::kAbort, torque_Nm, *limits_.torque_Nm,
                sample.host_time_ns,
                fmt::format("torque {:.3g} N m, limit {:.3g} N m", torque_Nm, *limits_.torque_Nm));
  return std::nullopt;
}

std::optional<Trip> Supervisor::check_pad(double pad_N, std::int64_t time_ns) {
  if (!contact_.touching) return std::nullopt;
  if (!contact_.on_pad) {
    if (!limits_.rig_force_N || pad_N <= *limits_.rig_force_N) return std::nullopt;
    return trip(LimitKind::kRigForce, TripAction::kRetract, pad_N, *limits_.rig_force_N, time_ns,
                fmt::format("force {:.3g} N on what is no pad, limit of the rig {:.3g} N", pad_N,
                            *limits_.rig_force_N));
  }
  if (limits_.pad_force_N && pad_N > *limits_.pad_force_N)
    return trip(LimitKind::kPadForce, TripAction::kRetract, pad_N, *limits_.pad_force_N, time_ns,
                fmt::format("pad force {:.3g} N, limit {:.3g} N", pad_N, *limits_.pad_force_N));
  const double pressure_Pa = pad_N * contact_.pressure_per_N;
  if (limits_.pad_pressure_Pa && pressure_Pa > *limits_.pad_pressure_Pa)
    return trip(LimitKind::kPadPressure, TripAction::kRetract, pressure_Pa,
                *limits_.pad_pressure_Pa, time_ns,
                fmt::format("pad pressure {:.3g} MPa, limit {:.3g} MPa", pressure_Pa * 1e-6,
                            *limits_.pad_pressure_Pa * 1e-6));
  const double lasted_s = seconds(time_ns - contact_.since_ns);
  if (contact_.since_ns != 0 && lasted_s > limits_.press_time_s)
    return trip(
        LimitKind::kPressTime, TripAction::kRetract, lasted_s, limits_.press_time_s, time_ns,
        fmt::format("in contact for {:.0f} s, limit {:.0f} s", lasted_s, limits_.press_time_s));
  return std::nullopt;
}

/// Pressing forces take 20 ms to show in a mean; hard ground doesn't wait so long.
std::optional<Trip> Supervisor::check_air(std::int64_t time_ns) {
  if (air_watch_ != AirWatch::kMoving && air_watch_ != AirWatch::kDescending) return std::nullopt;
  const double limit_N = air_.limit_N();
  const double hard_N = (air_confirmed_ ? kConfirmedAirHard : kAirHard) * limit_N;
  const double at_once_N = air_.felt_at_once_N();
  air_over_ = at_once_N > hard_N ? air_over_ + 1 : 0;
  const auto touched = [&](TripAction action, double felt_N, double most_N) {
    return trip(LimitKind::kAirForce, action, felt_N, most_N, time_ns,
                fmt::format("the tip touches something where only air was expected: {:.3f} N, "
                            "limit {:.3f} N",
                            felt_N, most_N));
  };
  if (air_over_ >= std::min(kAirRecords, limits_.records_over))
    return touched(TripAction::kAbort, at_once_N, hard_N);
  if (air_.felt_N() > limit_N) return touched(TripAction::kRetract, air_.felt_N(), limit_N);
  return std::nullopt;
}

std::optional<Trip> Supervisor::check_axis(double pad_N, std::int64_t time_ns) {
  if (!contact_.touching || along_felt_) return std::nullopt;
  const double felt_N = air_.felt_N();
  const auto felt = air_.felt_vector_N();
  const double along_N = limits_.press_axis.sign * felt[limits_.press_axis.index];
  if (along_N > 0.5 * felt_N && pad_N > air_.limit_N()) along_felt_ = true;
  if (felt_N <= std::max(kWrongAxis_N, 3 * air_.limit_N()) || along_N > 0.5 * felt_N)
    return std::nullopt;
  return trip(LimitKind::kWrongAxis, TripAction::kStop, felt_N, kWrongAxis_N, time_ns,
              fmt::format("wrong sign or axis of the force: pressed, the sensor feels Fx {:+.2f}, "
                          "Fy {:+.2f}, Fz {:+.2f} N, of which {:+.2f} N are along "
                          "force_sensor.press_axis of the rig file",
                          felt[0], felt[1], felt[2], along_N));
}

std::optional<Trip> Supervisor::see(const devices::ForceSample& sample, double pad_N) {
  const std::lock_guard lock(mutex_);
  force_ns_ = force_heard_ns_ = sample.host_time_ns;
  force_valid_ = sample.valid;
  pad_N_ = pad_N;
  frozen_.see(sample.counts, sample.host_time_ns);
  if (!sample.valid)
    return trip(LimitKind::kSensorStatus, TripAction::kAbort, sample.status, 0, sample.host_time_ns,
                "the force sensor says that its readings mean nothing");
  if (frozen_.frozen())
    return trip(
        LimitKind::kFrozen, TripAction::kStop, frozen_.equal(), 0, sample.host_time_ns,
        fmt::format("{} force records in a row are equal: the sensor hangs", frozen_.equal()));
  const auto wrench = scale_.wrench_SI(sample);
  load_ = devices::combined_load(wrench, scale_);
  air_.see({wrench[0], wrench[1], wrench[2]}, sensor_time_ns(sample), air_watch_);
  if (auto in_air = check_air(sample.host_time_ns)) return in_air;
  if (auto askew = check_axis(pad_N, sample.host_time_ns)) return askew;
  auto found = check_wrench(sample);
  if (!found) found = check_pad(pad_N, sample.host_time_ns);
  over_ = found ? over_ + 1 : 0;
  return over_ >= limits_.records_over ? found : std::nullopt;
}

std::optional<Trip> Supervisor::see(const devices::StageSample& sample,
                                    const devices::StageTravel& travel) {
  const std::lock_guard lock(mutex_);
  stage_ns_ = std::max(stage_ns_, sample.host_time_ns);
  if (!sample.trusted) return std::nullopt;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at_m = sample.position_m[axis];
    const bool low = at_m < travel.low_m[axis] - kTravelDoubt_m;
    if (!low && at_m <= travel.high_m[axis] + kTravelDoubt_m) continue;
    const double end_m = low ? travel.low_m[axis] : travel.high_m[axis];
    return trip(LimitKind::kTravel, TripAction::kStop, at_m, end_m, sample.host_time_ns,
                fmt::format("the stage says {} {:.3f} mm, its travel ends at {:.3f} mm",
                            "XYZ"[axis], m_to_mm(at_m), m_to_mm(end_m)));
  }
  const double depth_m =
      contact_.surface_z_m - sample.position_m[2] - contact_.compliance_m_per_N * pad_N_;
  if (contact_.touching && contact_.on_pad && limits_.depth_m &&
      depth_m > *limits_.depth_m + kDepthDoubt_m)
    return trip(LimitKind::kDepth, TripAction::kRetract, depth_m, *limits_.depth_m,
                sample.host_time_ns,
                fmt::format("depth {:.3f} mm, limit {:.3f} mm", m_to_mm(depth_m),
                            m_to_mm(*limits_.depth_m)));
  return std::nullopt;
}

void Supervisor::see_frame(std::int64_t host_time_ns) {
  const std::lock_guard lock(mutex_);
  frame_ns_ = std::max(frame_ns_, host_time_ns);
  frame_heard_ns_ = std::max(frame_heard_ns_, host_time_ns);
  frames_expected_ = true;
}

std::optional<Trip> Supervisor::check_ages(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  if (!watching_) return std::nullopt;
  const auto late = [&](LimitKind kind, std::int64_t last_ns, double limit_s,
                        std::string_view who) -> std::optional<Trip> {
    const double age_s = seconds(now_ns - last_ns);
    if (age_s <= limit_s) return std::nullopt;
    return trip(kind, TripAction::kStop, age_s, limit_s, now_ns,
                fmt::format("{} has said nothing for {:.0f} ms, limit {:.0f} ms", who, age_s * 1e3,
                            limit_s * 1e3));
  };
  if (auto found = late(LimitKind::kForceAge, force_ns_, limits_.force_age_s, "the force sensor"))
    return found;
  if (frames_expected_)
    if (auto found = late(LimitKind::kArrayAge, frame_ns_, limits_.array_age_s, "the array"))
      return found;
  return late(LimitKind::kStageAge, stage_ns_, limits_.stage_age_s, "the stage");
}

}  // namespace tactelier::rig
