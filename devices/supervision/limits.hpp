#pragma once
// What the supervisor watches, and what it does about it (`record --limits` prints this table).
//
// Pad limits are soft: stop, retract, go on with the next press, three times at most. What could
// harm the force sensor or means that nobody is watching any more is hard: the rig locks until
// somebody acknowledges.
//
// Expected overshoot of a force limit: the pad goes on being pressed from the sample that crosses
// the limit until the stage stands,
//   dF = k (v t + v^2 / (2 a)),   t = latency of the supervisor + what the stage has prepared
// with k the contact's stiffness, v the speed of the press, a the stage's acceleration.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "devices/interface/force_sensor.hpp"
#include "libcalib/protocol/rig.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::rig {

enum class LimitKind {
  kPadForce,
  kRigForce,  // on plate or reference pad
  kPadPressure,
  kDepth,
  kSensorLoad,
  kTorque,
  kForceAge,
  kFrozen,
  kSensorStatus,
  kArrayAge,
  kStageAge,
  kTravel,
  kPressTime,
  kAirForce,
  kWrongAxis,
  kTare,
  kRecorder,
  kDevice,
  kStopButton,  // somebody, not a limit
};

enum class TripAction {
  kRetract,  // feed hold, retract; the next press follows
  kStop,     // feed hold, retract, lock
  kAbort,    // reset at once: stops dead, the position is lost; raise, lock
};

std::string_view to_string(LimitKind kind);     // "pad force"
std::string_view to_string(TripAction action);  // "retract", "stop", "abort"

/// A depth limit acts so much deeper: nobody knows a surface better while it is pressed.
constexpr double kDepthDoubt_m = 0.1e-3;

/// In air the force that trips is AirGuard::limit_N() of a mean; so many times that, of single
/// samples in a row, is hard ground or a fast move: a reset stops dead at once.
constexpr double kAirHard = 5, kConfirmedAirHard = 20;
constexpr int kAirRecords = 2;  // in a row: a reset for nothing costs a homing, the third newtons
/// On the way into a contact: so much across the pressing axis or against it, before anything was
/// felt along it.
constexpr double kWrongAxis_N = 0.15;

struct SafetyLimits {
  std::optional<double> pad_force_N;
  std::optional<double> rig_force_N;  // of the rig itself: what is pressed without a pad
  std::optional<double> pad_pressure_Pa;
  std::optional<double> depth_m;
  std::optional<double> torque_Nm;  // at the force sensor
  Vector3 tip_m{};                  // from the force sensor's origin; 0 where the rig says nothing
  PressAxis press_axis;
  double sensor_load = 1;       // devices::combined_load, of the absolute wrench
  double force_hz = 1000;       // nominal
  double force_age_s = 20e-3;   // devices' time, like all of these
  double live_force_s = 50e-3;  // older, and nothing moves towards the pad
  double array_age_s = 0.1;
  double stage_age_s = 1;
  int records_over = 3;  // in a row: one wild record is no force
  double press_time_s = 600;
  int soft_trips = 3;  // more than these stop the run
};

/// Of the rig's and the sensor's limits the smaller ones. Rates are nominal ones, 0 when unknown.
/// `time_scale`: an emulated world's, faster than real time where above 1: watchdogs wait longer,
/// but for the force's where the world's own clock is read: it waits for whoever judges the force
/// (world_time.hpp), and its sensor is judged as a real one.
SafetyLimits safety_limits(const RigFile& rig, const SensorDescription& sensor, double force_hz,
                           double time_scale, bool own_clock = false);

/// How hard a press on the tip may be before the force sensor is at its own limits: its load, and
/// the torque r x F of a tip beside the pressing axis. Nothing when none of them is known.
std::optional<double> sensor_press_limit_N(const SafetyLimits& limits,
                                           const devices::ForceScale& scale, const RigFile& rig);

/// How a contact answers, for the overshoot.
struct Approach {
  double stiffness_N_per_m = 0;
  double speed_m_per_s = 0;
  double latency_s = 0;   // sample to stop byte
  double prepared_s = 0;  // what the stage goes on with
  double acceleration_m_per_s2 = 0;
  double position_age_s = 0;  // between two positions of the stage: what a depth is late by
  double steps_N = 0;         // stepping_N() on rubber; 0: a plate
};

/// Of the way the stage still makes, and of its steps: k (v t + v^2 / 2a) + F d s / 1 ms.
double overshoot_N(const Approach& approach);
/// The speed at which the way's part of the overshoot is `margin_N`: the steps' part has no speed.
double speed_for_margin_m_per_s(double margin_N, const Approach& approach);

/// How fast a contact may be pressed into, by what has been felt of it.
struct Pace {
  double allowed_m_per_s = 0;  // a stop at once would end where the limit is
  double asked_m_per_s = 0;    // by the step of the protocol; the slower of both is gone
  double overshoot_N = 0;      // expected of a stop at that one

  double gone_m_per_s() const { return std::min(allowed_m_per_s, asked_m_per_s); }
  bool slowed() const { return allowed_m_per_s < asked_m_per_s; }
  bool operator==(const Pace&) const = default;
};

/// `margin_N`: left to the limit; of `approach` everything but the speed counts.
Pace pace_for_margin(double margin_N, double asked_m_per_s, Approach approach);

/// A stepper moves in jerks, each within about a millisecond however slow the press is, and rubber
/// answers their speed: F d s / t from valley to crest, with the strongest dissipation expected
/// (d = 20 s/m). Records in a row above a limit means valleys above it.
/// Without `step_m` the one of a usual spindle.
double stepping_N(double limit_N, std::optional<double> step_m);

struct LimitRow {
  std::string what;    // "pad force"
  std::string value;   // "3 N"
  std::string action;  // "stop, retract, go on; 3 times at most"
  std::optional<double> overshoot_N;
  std::optional<double> overshoot_Nm = {};  // of a torque
};

/// "0.23 N", "4.6 N mm"; "" where none is expected.
std::string overshoot_words(const LimitRow& row);

/// Rows for people. `approach`: of the steepest press that is planned, its steps by the pad's limit
/// and `step_m` of the stage along z.
std::vector<LimitRow> limit_table(const SafetyLimits& limits, Approach approach,
                                  std::optional<double> step_m);

}  // namespace tactelier::rig
