#pragma once
// The rig as clients see it: JSON requests in, answers and news out (rig_messages.hpp). One task at
// a time moves the rig, in a thread of its own; everything else is answered at once, also while a
// task runs. Members and their types: data/schemas/rig-request.schema.json.
//
// At once:   status, ping, stop, acknowledge, pause, resume, skip, repeat, undo, answer, finish,
//            cancel, note, halt (of a jog alone), watch (live_frame.hpp)
// Tasks:     home, jog, retract, surface, register (set_up.hpp), record (record_task.hpp),
//            keep (rig_file_store.hpp), weigh and prove (force_proof.hpp)
// While a run is paused a jog is no task but answered at once, and stays at the safe height.
//
//   {"do": "record", "file": "/abs/NAME.tact", "protocol": {...}, "set_up": true}
//   -> {"ok": true, "task": 7}, then news until {"task": 7, "news": "done", "result": {...}}
//   {"do": "record", "file": "/abs/NAME.tact", "resume": true, "set_up": true}
//   goes on with a file that was cut off, after the last press that it has whole.
//
//   {"do": "keep", "rig": {"compliance_um_per_N": 4.1, "plate_mm": [60, 0, -0.2]}}
//   writes what a set-up run has found into the rig file.
//
// There is no mutex here. What several threads touch locks itself: the slot of the task, the live
// rig, the wishes of a run (RunControl), whoever answers a question. The rig file, set-up and
// recordings are of the thread that moves the rig alone.

#include <atomic>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "devices/acquisition/live_rig.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/motion/runner.hpp"
#include "devices/server/client_operator.hpp"
#include "devices/server/further_steps.hpp"
#include "devices/server/rig_file_store.hpp"
#include "devices/server/rig_messages.hpp"
#include "devices/server/set_up.hpp"
#include "devices/server/task_slot.hpp"

namespace tactelier::rig {

class RigService {
 public:
  /// `rig_file`: where set-up runs write what they find; may be empty.
  static Result<std::unique_ptr<RigService>> open(devices::DeviceFile devices, RigFile rig,
                                                  std::filesystem::path rig_file);
  ~RigService();

  /// Never fails: a bad request (rig_request.hpp) is answered {"error": {...}}. `client`: whose
  /// task it is.
  nlohmann::json handle(const nlohmann::json& request, int client, const Tell& tell);
  /// A client is gone: its task ends after the press at hand.
  void left(int client);
  bool busy() const { return slot_.busy(); }
  /// For a live feed.
  LiveRig& live() const { return *live_; }

 private:
  /// One row of the table of what is answered at once.
  struct AtOnce {
    std::string_view name;
    Result<nlohmann::json> (RigService::*answer)(const nlohmann::json& request);
  };
  /// One row of the table of tasks.
  struct Task {
    messages::TaskKind kind;
    Result<nlohmann::json> (RigService::*perform)(RunningTask& task);
  };
  static const std::vector<AtOnce>& at_once();
  static const std::vector<Task>& tasks();

  /// `simulated`: of a virtual bench; else whoever asks for a task is the operator.
  RigService(std::unique_ptr<LiveRig> live, RigFile rig, std::filesystem::path rig_file,
             std::unique_ptr<OperatorInterface> simulated);

  // --- Any thread ---
  Result<nlohmann::json> respond(const std::string& name, const nlohmann::json& request, int client,
                                 const Tell& tell);
  Result<nlohmann::json> begin(messages::TaskKind kind, const nlohmann::json& request, int client,
                               const Tell& tell);
  messages::Status status() const;
  template <std::atomic<bool> RunControl::*wish, bool value>
  Result<nlohmann::json> wish_for(const nlohmann::json& request);
  Result<nlohmann::json> answer_status(const nlohmann::json& request);
  Result<nlohmann::json> answer_ping(const nlohmann::json& request);
  Result<nlohmann::json> stop(const nlohmann::json& request);
  Result<nlohmann::json> acknowledge(const nlohmann::json& request);
  Result<nlohmann::json> cancel(const nlohmann::json& request);
  /// A jog alone ends, whoever carries it out; no other task does.
  Result<nlohmann::json> halt(const nlohmann::json& request);
  Result<nlohmann::json> jog_paused(const nlohmann::json& request);
  /// Into the recording that runs.
  Result<nlohmann::json> note(const nlohmann::json& request);
  Result<nlohmann::json> take_answer(const nlohmann::json& request);
  Result<nlohmann::json> take_further(const nlohmann::json& request);

  // --- The thread that moves the rig ---
  void work(const std::stop_token& stop);
  /// The stage is listened to, so that everybody knows where it stands.
  void idle(const std::stop_token& stop);
  void end_task(const messages::End& end);
  messages::End unforeseen(const Error& error);
  messages::End carry_out(const AskedTask& asked);
  Error with_cause(Error error) const;
  Result<nlohmann::json> perform(RunningTask& task);
  Result<nlohmann::json> home(RunningTask& task);
  Result<nlohmann::json> jog(RunningTask& task);
  Result<nlohmann::json> retract(RunningTask& task);
  Result<nlohmann::json> surface(RunningTask& task);
  Result<nlohmann::json> registration(RunningTask& task);
  Result<nlohmann::json> weigh(RunningTask& task);
  Result<nlohmann::json> prove(RunningTask& task);
  Result<nlohmann::json> record(RunningTask& task);
  Result<nlohmann::json> keep(RunningTask& task);
  /// Of a task that only moves: where the stage stands then.
  Result<nlohmann::json> status_after(const Result<void>& moved) const;

  std::unique_ptr<LiveRig> live_;
  const std::optional<bool> emergency_stop_;
  RigFileStore file_;
  ClientOperator client_;
  std::unique_ptr<OperatorInterface> simulated_;
  OperatorInterface& operator_;
  SetUp set_up_;
  RunControl control_;
  FurtherSteps further_;
  std::set<std::string> told_;  // of the thread that moves the rig
  TaskSlot slot_;
  std::jthread worker_;  // last: it uses the rest
};

}  // namespace tactelier::rig
