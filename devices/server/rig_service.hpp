#pragma once
// The rig as clients see it: JSON requests in, answers and news out (rig_messages.hpp). One task at
// a time moves the rig, in a thread of its own; everything else is answered at once, also while a
// task runs. Members and their types: data/schemas/rig-request.schema.json.
//
// At once:   status, ping, stop, acknowledge, pause, resume, skip, repeat, answer, finish, cancel,
//            halt (of a jog alone), watch (live_frame.hpp)
// Tasks:     home, jog, retract, surface, register, record, keep
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
// News: progress {what, done, total, detail}, question {text, answer_key}, done {result, warnings},
// failed {error: {code, text}}.
//
// Homing, another indenter and a reset controller void surface and registration. A task that needs
// them finds them itself when "set_up" says so, else it is refused.

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "devices/acquisition/live_rig.hpp"
#include "devices/acquisition/resume_point.hpp"
#include "devices/motion/hand_push.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/motion/registration.hpp"
#include "devices/motion/runner.hpp"
#include "devices/motion/surface_search.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::rig {

/// Says something to a client; any thread, never blocks for long.
using Tell = std::function<void(const nlohmann::json&)>;

class ClientOperator;

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
  bool busy() const;
  /// For a live feed.
  LiveRig& live() const { return *live_; }

 private:
  struct Task {
    int number = 0;
    int client = 0;
    messages::TaskKind kind{};
    nlohmann::json request;
    Tell tell;
    std::function<void(const messages::News&)> news;  // while it runs
  };
  RigService(std::unique_ptr<LiveRig> live, RigFile rig, std::filesystem::path rig_file);
  void work(const std::stop_token& stop);
  std::optional<Task> next_task();
  void idle(const std::stop_token& stop);
  void end_task(messages::End end);
  messages::End unforeseen(const Error& error);
  messages::End carry_out(const Task& task);
  Result<nlohmann::json> perform(const Task& task);
  nlohmann::json respond(const std::string& what, const nlohmann::json& request, int client,
                         const Tell& tell);
  nlohmann::json begin(messages::TaskKind kind, const nlohmann::json& request, int client,
                       const Tell& tell);
  messages::Status status() const;
  /// Into the recording that runs.
  nlohmann::json note(const std::string& text);
  void halt();
  nlohmann::json jog_paused(const nlohmann::json& request);

  Result<nlohmann::json> home(const Task& task);
  Result<nlohmann::json> jog(const Task& task);
  Result<void> jog_to(RigMotion& motion, const Vector3& to_m, double speed_m_per_s);
  Result<nlohmann::json> retract();
  Result<nlohmann::json> surface(const Task& task);
  Result<nlohmann::json> registration(const Task& task);
  Result<nlohmann::json> record(const Task& task);
  Result<nlohmann::json> record_anew(const Task& task, const messages::RecordOrder& order);
  Result<nlohmann::json> record_on(const Task& task, const messages::RecordOrder& order);
  Result<nlohmann::json> follow_plan(const Task& task, const messages::RecordOrder& order,
                                     const Protocol& protocol, Plan plan, ResumePoint from);
  /// To the end, or to where another tip is put on.
  Result<RunReport> follow_part(const Task& task, const Plan& plan, const ResumePoint& from);
  Result<void> take_new_tip(const Task& task, const MountedIndenter& indenter);
  Result<Plan> plan_of(const Protocol& protocol, const RigFile& rig) const;
  /// Registers again; fails when the pad lies elsewhere than it did.
  Result<void> still_there(const Task& task, const StageToSensor& begun);
  Result<void> check_shift(const StageToSensor& before) const;
  /// Homed, the indenter mounted; where the pad is touched its surface and place found.
  Result<void> set_up(const Task& task, const std::optional<MountedIndenter>& indenter,
                      bool touches_pad);
  Result<nlohmann::json> keep(const Task& task);
  Result<void> prepare(const Task& task, bool there, const char* name,
                       Result<nlohmann::json> (RigService::*run)(const Task&));
  Result<void> need_home() const;
  Result<void> need_rough_surface() const;
  Result<void> ask(const Question& question);
  /// Before anything goes down, once per power-up: somebody pushes the tip, and hangs the rig
  /// file's check_mass_g on it. What a file says was proved elsewhere or earlier counts nothing.
  Result<void> prove_force_axes(const Task& task);
  Result<void> prove_gain(const ForceAxes& axes);
  Result<void> let_go(const std::array<double, 3>& untouched_N);
  Result<std::array<double, 3>> felt_N(const Question& what);
  /// Why a way to the surface ended in a touch, and what to write into the rig file.
  Error explain_touch(const Error& error, const RigMotion& motion) const;
  Result<std::array<double, 3>> mean_force_N();
  Result<void> mount(const MountedIndenter& indenter);
  Result<void> keep_rig(const nlohmann::json& changes);
  /// After a failure in a set-up run: the tip goes up, a trip is dealt with.
  void make_safe(RigMotion& motion);
  OperatorInterface& operator_at_rig();
  static void progress(const Task& task, std::string_view what, double done, double total,
                       std::string_view detail = "");

  std::unique_ptr<LiveRig> live_;
  RigFile rig_;  // of the thread that moves
  const std::optional<bool> emergency_stop_;
  std::filesystem::path rig_file_;
  std::unique_ptr<ClientOperator> client_;
  std::unique_ptr<OperatorInterface> simulated_;  // of a virtual bench
  RunControl control_;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Task> waiting_, running_;
  std::stop_source cancel_;  // of the running task
  int tasks_ = 0;
  std::atomic<bool> surface_found_{false}, registered_{false};
  bool force_proved_ = false;           // axes, signs and gain; since this process connected
  std::optional<std::string> mounted_;  // JSON
  Warnings warnings_;                   // of the running task
  std::jthread worker_;                 // last: it uses the rest
};

}  // namespace tactelier::rig
