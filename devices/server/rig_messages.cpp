#include "devices/server/rig_messages.hpp"

#include "devices/server/message_members.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig::messages {
namespace {

using nlohmann::json;

constexpr Words<TaskKind, 9> kTasks{{{TaskKind::kHome, "home"},
                                     {TaskKind::kJog, "jog"},
                                     {TaskKind::kRetract, "retract"},
                                     {TaskKind::kSurface, "surface"},
                                     {TaskKind::kRegister, "register"},
                                     {TaskKind::kRecord, "record"},
                                     {TaskKind::kKeep, "keep"},
                                     {TaskKind::kWeigh, "weigh"},
                                     {TaskKind::kProve, "prove"}}};

constexpr Words<StageActivity, 7> kActivities{{{StageActivity::kIdle, "idle"},
                                               {StageActivity::kRun, "run"},
                                               {StageActivity::kHold, "hold"},
                                               {StageActivity::kJog, "jog"},
                                               {StageActivity::kHome, "home"},
                                               {StageActivity::kAlarm, "alarm"},
                                               {StageActivity::kOther, "other"}}};

constexpr Words<LimitKind, 19> kTrips{{{LimitKind::kPadForce, "pad-force"},
                                       {LimitKind::kRigForce, "rig-force"},
                                       {LimitKind::kPadPressure, "pad-pressure"},
                                       {LimitKind::kDepth, "depth"},
                                       {LimitKind::kSensorLoad, "sensor-load"},
                                       {LimitKind::kTorque, "torque"},
                                       {LimitKind::kForceAge, "force-age"},
                                       {LimitKind::kFrozen, "frozen"},
                                       {LimitKind::kSensorStatus, "sensor-status"},
                                       {LimitKind::kArrayAge, "array-age"},
                                       {LimitKind::kStageAge, "stage-age"},
                                       {LimitKind::kTravel, "travel"},
                                       {LimitKind::kPressTime, "press-time"},
                                       {LimitKind::kAirForce, "air-force"},
                                       {LimitKind::kWrongAxis, "wrong-axis"},
                                       {LimitKind::kTare, "tare"},
                                       {LimitKind::kRecorder, "recorder"},
                                       {LimitKind::kStopButton, "stop-button"},
                                       {LimitKind::kDevice, "device"}}};

constexpr Words<ErrorCode, 9> kCodes{{{ErrorCode::kUsage, "usage"},
                                      {ErrorCode::kInvalidInput, "invalid-input"},
                                      {ErrorCode::kDamaged, "damaged"},
                                      {ErrorCode::kIo, "io"},
                                      {ErrorCode::kTimeout, "timeout"},
                                      {ErrorCode::kProtocol, "protocol"},
                                      {ErrorCode::kDeviceFault, "device-fault"},
                                      {ErrorCode::kUnidentifiable, "unidentifiable"},
                                      {ErrorCode::kCancelled, "cancelled"}}};

}  // namespace

std::string_view to_string(TaskKind kind) { return word_of(kTasks, kind); }
std::optional<TaskKind> task_kind(std::string_view name) { return kind_of(kTasks, name); }
std::string_view to_string(StageActivity activity) { return word_of(kActivities, activity); }

StageActivity activity_of(devices::StageState state) {
  switch (state) {
    case devices::StageState::kIdle:
      return StageActivity::kIdle;
    case devices::StageState::kRun:
      return StageActivity::kRun;
    case devices::StageState::kHolding:
    case devices::StageState::kHold:
      return StageActivity::kHold;
    case devices::StageState::kJog:
      return StageActivity::kJog;
    case devices::StageState::kHome:
      return StageActivity::kHome;
    case devices::StageState::kAlarm:
      return StageActivity::kAlarm;
    default:
      return StageActivity::kOther;
  }
}

// --- Status --------------------------------------------------------------------------------------

namespace {

void put_trip(const Status& status, json& result) {
  result["trip"] = status.trip ? json(status.trip->text) : json(nullptr);
  result["trip_kind"] = status.trip ? json(word_of(kTrips, status.trip->kind)) : json(nullptr);
  auto& all = result["trips"] = json::array();
  for (const auto& trip : status.trips)
    all.push_back({{"kind", word_of(kTrips, trip.kind)}, {"text", trip.text}});
  result["trip_cause_gone"] = !status.waits_for;
  result["trip_waits_for"] = or_null(status.waits_for);
}

void take_trip(const json& result, Status& status) {
  if (auto words = text_in(result, "trip"); !words.empty())
    status.trip = Trip{kind_of(kTrips, text_in(result, "trip_kind")).value_or(LimitKind::kDevice),
                       std::move(words)};
  if (const auto* all = member(result, "trips"); all != nullptr && all->is_array())
    for (const auto& one : *all)
      status.trips.push_back({kind_of(kTrips, text_in(one, "kind")).value_or(LimitKind::kDevice),
                              text_in(one, "text")});
  if (!maybe<bool>(result, "trip_cause_gone").value_or(true))
    status.waits_for = text_in(result, "trip_waits_for");
}

json pace_json(const std::optional<Pace>& pace) {
  if (!pace) return nullptr;
  return {{"allowed_mm_per_s", m_to_mm(pace->allowed_m_per_s)},
          {"asked_mm_per_s", m_to_mm(pace->asked_m_per_s)},
          {"overshoot_N", pace->overshoot_N}};
}

/// All of it, or none: an allowed speed of 0 would be a lie.
std::optional<Pace> pace_in(const json& result) {
  const auto* pace = member(result, "pace");
  if (pace == nullptr) return std::nullopt;
  const auto allowed_mm_per_s = maybe<double>(*pace, "allowed_mm_per_s");
  const auto asked_mm_per_s = maybe<double>(*pace, "asked_mm_per_s");
  const auto overshoot = maybe<double>(*pace, "overshoot_N");
  if (!allowed_mm_per_s || !asked_mm_per_s || !overshoot) return std::nullopt;
  return Pace{mm_to_m(*allowed_mm_per_s), mm_to_m(*asked_mm_per_s), *overshoot};
}

void put_recording(const std::optional<RunningRecording>& recording, json& result) {
  result["recording"] = recording ? json(recording->file) : json(nullptr);
  if (!recording) return;
  result["recorded_s"] = recording->recorded_s;
  result["committed_rows"] = recording->committed_rows;
}

void take_recording(const json& result, Status& status) {
  auto file = text_in(result, "recording");
  if (file.empty()) return;
  auto& recording = status.recording.emplace();
  recording.file = std::move(file);
  take(result, "recorded_s", recording.recorded_s);
  take(result, "committed_rows", recording.committed_rows);
}

}  // namespace

json to_json(const Status& status) {
  json result{{"process", status.process},
              {"mode", status.mode()},
              {"task", status.task ? to_string(*status.task) : ""},
              {"paused", status.paused},
              {"resting", status.resting},
              {"jogging", status.jogging},
              {"jog_refused", status.jog_refused},
              {"force_N", status.force_N},
              {"tared", status.tared},
              {"zero_N", or_null(status.zero_N)},
              {"peak_N", status.peak_N},
              {"sensor_load", status.sensor_load},
              {"position_mm", scaled(status.position_m, m_to_mm)},
              {"position_trusted", status.position_trusted},
              {"stage", to_string(status.stage)},
              {"surface_found", status.surface_found},
              {"registered", status.registered},
              {"force_samples", status.force_samples},
              {"frames", status.frames},
              {"force_lost", status.force_lost},
              {"frames_lost", status.frames_lost},
              {"latency_ms", status.latency_s * 1e3},
              {"pace", pace_json(status.pace)},
              {"emergency_stop", or_null(status.emergency_stop)}};
  put_trip(status, result);
  put_recording(status.recording, result);
  return result;
}

Status status_in(const json& result) {
  Status status;
  take(result, "process", status.process);
  status.task = task_kind(text_in(result, "task"));
  take(result, "paused", status.paused);
  take(result, "resting", status.resting);
  take(result, "jogging", status.jogging);
  take(result, "jog_refused", status.jog_refused);
  take(result, "force_N", status.force_N);
  take(result, "tared", status.tared);
  status.zero_N = three_in(result, "zero_N");
  take(result, "peak_N", status.peak_N);
  take(result, "sensor_load", status.sensor_load);
  if (const auto at_mm = three_in(result, "position_mm"))
    status.position_m = scaled(*at_mm, mm_to_m);
  take(result, "position_trusted", status.position_trusted);
  status.stage = kind_of(kActivities, text_in(result, "stage")).value_or(StageActivity::kOther);
  take(result, "surface_found", status.surface_found);
  take(result, "registered", status.registered);
  take(result, "force_samples", status.force_samples);
  take(result, "frames", status.frames);
  take(result, "force_lost", status.force_lost);
  take(result, "frames_lost", status.frames_lost);
  status.latency_s = maybe<double>(result, "latency_ms").value_or(0) * 1e-3;
  status.pace = pace_in(result);
  status.emergency_stop = maybe<bool>(result, "emergency_stop");
  take_trip(result, status);
  take_recording(result, status);
  return status;
}

// --- Answers -------------------------------------------------------------------------------------

json ok_answer() { return {{"ok", true}}; }

json task_answer(int task) { return {{"ok", true}, {"task", task}}; }

json result_answer(json result) { return {{"ok", true}, {"result", std::move(result)}}; }

json error_answer(const Error& error) {
  return {{"error", {{"code", word_of(kCodes, error.code)}, {"text", error.message}}}};
}

std::optional<Error> error_in(const json& line) {
  const auto* error = member(line, "error");
  if (error == nullptr) return std::nullopt;
  return Error{kind_of(kCodes, text_in(*error, "code")).value_or(ErrorCode::kDeviceFault),
               text_in(*error, "text")};
}

}  // namespace tactelier::rig::messages
