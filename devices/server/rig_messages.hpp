#pragma once
// What goes over a rig process's socket, as types: server, command line and window share them, and
// nobody else spells a key. One JSON object per line.
//
//   {"do": "jog", "by_mm": [0, 0, -0.1], "speed_mm_per_s": 1}      a request; rig_request.hpp
//   checks it
//   {"ok": true, "task": 7}                                    its answer: a task has begun,
//   {"ok": true, "result": {...}}                              here it is,
//   {"error": {"code": "usage", "text": "..."}}                or why not
//   {"task": 7, "news": "progress", ...}                       news of a task, until "done" or
//   {"task": 7, "news": "failed", "error": {...}, "warnings": []}                  "failed"
//
// SI in the types; on the wire the unit ends the key. Programs of different age talk to each other:
// keys are added and never change their meaning, and one that is missing or of another type reads
// as the member's default. Words are for people; who decides something looks at a kind.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "devices/interface/motion_stage.hpp"
#include "devices/motion/jog_wish.hpp"
#include "devices/supervision/limits.hpp"
#include "libcalib/result.hpp"

namespace tactelier::rig::messages {

/// What moves the rig, one at a time.
enum class TaskKind { kHome, kJog, kRetract, kSurface, kRegister, kRecord, kKeep, kWeigh, kProve };

std::string_view to_string(TaskKind kind);  // "home": the request's name
std::optional<TaskKind> task_kind(std::string_view name);

// --- Status --------------------------------------------------------------------------------------

/// What the stage is doing, as far as a client needs to know.
enum class StageActivity { kIdle, kRun, kHold, kJog, kHome, kAlarm, kOther };

std::string_view to_string(StageActivity activity);  // "idle"
StageActivity activity_of(devices::StageState state);

/// Why the rig is locked. An unknown kind, of a newer rig process, reads as kDevice.
struct Trip {
  LimitKind kind = LimitKind::kDevice;
  std::string text;  // "pad force 3.12 N, limit 3 N"

  bool by_hand() const { return kind == LimitKind::kStopButton; }
  bool operator==(const Trip&) const = default;
};

/// The file that samples go into.
struct RunningRecording {
  std::string file;
  double recorded_s = 0;
  std::int64_t committed_rows = 0;  // safe on the disk

  bool operator==(const RunningRecording&) const = default;
};

/// The answer to {"do": "status"}: all that is known, at one moment.
struct Status {
  int process = 0;
  std::optional<TaskKind> task;
  bool paused = false;
  bool resting = false;  // paused, and the tip is up
  bool jogging = false;
  std::string jog_refused;  // why the last jog of a pause was not carried out

  double force_N = 0;  // tared, pressing positive
  double peak_N = 0;
  double sensor_load = 0;  // 1: the sensor's range
  bool tared = false;
  std::optional<std::array<double, 3>> zero_N;  // what the sensor's axes read in the air
  std::array<double, 3> position_m{};
  bool position_trusted = false;
  StageActivity stage = StageActivity::kOther;
  bool surface_found = false, registered = false;  // since homing

  std::int64_t force_samples = 0, frames = 0, force_lost = 0, frames_lost = 0;
  double latency_s = 0;                  // arrival of a sample to its verdict, the worst of late
  std::optional<Pace> pace;              // into the contact pressed last; nothing: not known yet
  std::optional<bool> emergency_stop;    // as the rig file declares it
  std::optional<Trip> trip;              // the one that counts
  std::vector<Trip> trips;               // all since the last acknowledge, in order
  std::optional<std::string> waits_for;  // why a lock could not be acknowledged now; "" unsaid
  std::optional<RunningRecording> recording;

  std::string_view mode() const { return trip ? "fault" : task ? "running" : "ready"; }
  bool operator==(const Status&) const = default;
};

nlohmann::json to_json(const Status& status);
Status status_in(const nlohmann::json& result);

// --- News ----------------------------------------------------------------------------------------

/// How far a task has come, in its own unit.
struct Progress {
  std::string what, detail;
  double done = 0, total = 0;    // total 0: unknown
  std::string step;              // of a recording's plan: "3 scan"
  std::optional<double> left_s;  // of the whole task, real time

  bool operator==(const Progress&) const = default;
};

enum class PressOutcome { kBegun, kOk, kAborted, kRepeated, kUndone, kConditioning, kWithdrawn };

/// A press begins, ends, or is taken back later.
struct Press {
  int number = 0;             // in the recording
  std::optional<int> tactel;  // absent between tactels
  PressOutcome outcome = PressOutcome::kBegun;

  bool operator==(const Press&) const = default;
};

/// Somebody is to do something, or to read something off.
struct Question {
  std::string text;
  std::string answer_key;  // what is read off, "compression_mm"; "" when there is nothing

  bool operator==(const Question&) const = default;
};

/// The last steps that a growing recording knows have begun: which come behind them?
struct Wanting {
  double end_s = 0;  // when those will have ended, on the recording's clock

  bool operator==(const Wanting&) const = default;
};

/// A task is over.
struct End {
  std::optional<Error> error;
  nlohmann::json result;  // where there is no error
  Warnings warnings;
};

using News = std::variant<Progress, Press, Question, Wanting, End>;

nlohmann::json to_json(const News& news, int task);
/// The line is news, not an answer.
bool is_news(const nlohmann::json& line);
int task_in(const nlohmann::json& line);
/// Progress: the next one says as much.
bool may_be_lost(const nlohmann::json& line);
/// Nothing for news that this program does not know.
std::optional<News> news_in(const nlohmann::json& line);

/// The words of a recording for the outcome of a press: "", "ok", "aborted" ...
PressOutcome outcome_of(std::string_view word);

/// `result` of a recording's end.
struct Recorded {
  std::string file;
  int presses = 0, aborted = 0, repeated = 0, undone = 0;
  bool complete = false;
  double peak_force_N = 0, duration_s = 0;

  bool operator==(const Recorded&) const = default;
};

nlohmann::json to_json(const Recorded& recorded);
Recorded recorded_in(const nlohmann::json& result);

// --- Requests ------------------------------------------------------------------------------------

/// One without members: "status", "stop", "pause" ...
nlohmann::json request(std::string_view name);
/// "" without one.
std::string name_of(const nlohmann::json& request);
/// `set_up`: what must be there before is found first.
nlohmann::json task_request(TaskKind kind, bool set_up);
bool wants_set_up(const nlohmann::json& request);
/// Of each press of a registration.
std::optional<double> register_force_N(const nlohmann::json& request);
/// A known mass is hung on the tip.
nlohmann::json weigh_request(double mass_kg);
double weighed_kg(const nlohmann::json& request);
nlohmann::json jog_request(const JogWay& way);
/// Fails with kUsage.
Result<JogWay> jog_in(const nlohmann::json& request);
nlohmann::json answer_request(std::optional<double> value);
nlohmann::json note_request(std::string_view text);
/// Changes of the rig file.
nlohmann::json keep_request(const nlohmann::json& changes);
/// Fails with kUsage.
Result<nlohmann::json> changes_in(const nlohmann::json& request);

/// A recording to make, or to go on with.
struct RecordOrder {
  std::string file;  // an absolute path
  bool resume = false;
  bool set_up = false;
  nlohmann::json protocol;  // null: the one that the recording was begun with
  /// The protocol is only how it begins: FurtherOrder says what comes behind it. These steps, an
  /// array, are taken where nobody says so in time. null: it is whole.
  nlohmann::json grows;
  std::optional<double> reference_spring_N_per_m;
  std::string sensor_serial, mount, operator_name, notes;
  std::optional<double> temperature_degC;  // of the room

  bool operator==(const RecordOrder&) const = default;
};

nlohmann::json to_json(const RecordOrder& order);
RecordOrder record_order_in(const nlohmann::json& request);

/// Steps behind those that a growing recording knows; without any, those were the last ones.
struct FurtherOrder {
  nlohmann::json steps = nlohmann::json::array();
  std::string why;    // stands in the recording beside them
  bool last = false;  // nothing comes behind them

  bool operator==(const FurtherOrder&) const = default;
};

nlohmann::json to_json(const FurtherOrder& order);
FurtherOrder further_order_in(const nlohmann::json& request);

// --- Answers -------------------------------------------------------------------------------------

nlohmann::json ok_answer();
nlohmann::json task_answer(int task);
nlohmann::json result_answer(nlohmann::json result);
nlohmann::json error_answer(const Error& error);
/// Of an answer or of failed news; a code that this program does not know counts as kDeviceFault.
std::optional<Error> error_in(const nlohmann::json& line);

}  // namespace tactelier::rig::messages
