#include "devices/server/rig_service.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "devices/acquisition/session_document.hpp"
#include "devices/link/urgent_thread.hpp"
#include "devices/motion/simulated_operator.hpp"
#include "devices/server/client_operator.hpp"
#include "devices/server/rig_request.hpp"
#include "libcalib/guarded.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr int kMotionPriority = 15;
constexpr Timeout kIdleListen{50};

json list_of(const Warnings& warnings) {
  auto list = json::array();
  for (const auto& warning : warnings)
    list.push_back({{"code", warning.code}, {"text", warning.text}, {"where", warning.where}});
  return list;
}

std::string_view word_of(devices::StageState state) {
  switch (state) {
    case devices::StageState::kIdle:
      return "idle";
    case devices::StageState::kRun:
      return "run";
    case devices::StageState::kHolding:
    case devices::StageState::kHold:
      return "hold";
    case devices::StageState::kJog:
      return "jog";
    case devices::StageState::kHome:
      return "home";
    case devices::StageState::kAlarm:
      return "alarm";
    default:
      return "other";
  }
}

}  // namespace

RigService::RigService(std::unique_ptr<LiveRig> live, RigFile rig, std::filesystem::path rig_file)
    : live_(std::move(live)),
      rig_(std::move(rig)),
      emergency_stop_(rig_.emergency_stop),
      rig_file_(std::move(rig_file)),
      client_(std::make_unique<ClientOperator>()) {}

Result<std::unique_ptr<RigService>> RigService::open(devices::DeviceFile devices, RigFile rig,
                                                     std::filesystem::path rig_file) {
  const auto control = devices.bench_control;
  auto live = LiveRig::open(std::move(devices), rig);
  if (!live) return fail(live.error());
  std::unique_ptr<RigService> service(
      new RigService(std::move(*live), std::move(rig), std::move(rig_file)));
  if (control) {
    auto simulated = SimulatedOperator::connect(*control);
    if (!simulated) return fail(simulated.error());
    service->simulated_ = std::move(*simulated);
    service->rig_.surface_known = true;  // a bench's pad is where its rig file says, or at 0
  }
  service->worker_ =
      std::jthread([raw = service.get()](const std::stop_token& stop) { raw->work(stop); });
  return service;
}

RigService::~RigService() {
  {
    const std::lock_guard lock(mutex_);
    cancel_.request_stop();
  }
  worker_.request_stop();
}

OperatorInterface& RigService::operator_at_rig() {
  return simulated_ ? *simulated_ : static_cast<OperatorInterface&>(*client_);
}

bool RigService::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

void RigService::left(int client) {
  const std::lock_guard lock(mutex_);
  if (waiting_ && waiting_->client == client) waiting_.reset();
  if (running_ && running_->client == client) {
    running_->tell = nullptr;
    // Nobody is there to go on after a pause, or to answer.
    control_.finish = true;
    control_.pause = false;
    client_->notify({});
  }
}

json RigService::status() const {
  const auto reading = live_->reading();
  const auto trip = live_->trip();
  const auto waits_for = live_->waits_for();
  const auto& stage = reading.stage;
  const auto recording = live_->tap();
  const std::lock_guard lock(mutex_);
  json result{
      {"process", ::getpid()},
      {"mode", trip       ? "fault"
               : running_ ? "running"
                          : "ready"},
      {"task", running_ ? running_->request.value("do", "") : ""},
      {"paused", control_.pause.load()},
      {"resting", control_.resting.load()},
      {"jogging", control_.jog.busy()},
      {"jog_refused", control_.jog.refused()},
      {"force_N", reading.force_N},
      {"tared", reading.tared},
      {"zero_N", reading.zero_N ? json(*reading.zero_N) : json(nullptr)},
      {"peak_N", reading.peak_N},
      {"sensor_load", reading.sensor_load},
      {"position_mm",
       {m_to_mm(stage.position_m[0]), m_to_mm(stage.position_m[1]), m_to_mm(stage.position_m[2])}},
      {"position_trusted", stage.trusted},
      {"stage", word_of(stage.state)},
      {"surface_found", surface_found_.load()},
      {"registered", registered_.load()},
      {"force_samples", reading.force_samples},
      {"frames", reading.frames},
      {"force_lost", reading.force.lost},
      {"frames_lost", reading.array.lost},
      {"latency_ms", reading.latency_s * 1e3},
      {"emergency_stop", emergency_stop_ ? json(*emergency_stop_) : json(nullptr)},
      {"trip", trip ? json(trip->text) : json(nullptr)},
      {"trip_cause_gone", !waits_for},
      {"trip_waits_for", waits_for ? json(*waits_for) : json(nullptr)},
      {"recording", recording ? json(recording->file().string()) : json(nullptr)}};
  if (recording) {
    result["recorded_s"] = recording->seconds(live_->clock().now_ns());
    result["committed_rows"] = recording->committed_rows();
  }
  return result;
}

json RigService::begin(const json& request, int client, const Tell& tell) {
  const std::lock_guard lock(mutex_);
  if (running_ || waiting_)
    return error_answer({ErrorCode::kUsage,
                         fmt::format("the rig is busy with '{}'; wait, or stop it first",
                                     (running_ ? *running_ : *waiting_).request.value("do", ""))});
  waiting_ = Task{++tasks_, client, request, tell};
  cancel_ = std::stop_source();
  control_.pause = control_.skip = control_.repeat = control_.undo = control_.finish = false;
  wake_.notify_all();
  return {{"ok", true}, {"task", tasks_}};
}

/// A jog alone ends, whoever carries it out; no other task does.
void RigService::halt() {
  control_.jog.halt();
  const std::lock_guard lock(mutex_);
  const auto& task = running_ ? running_ : waiting_;
  if (task && get_text(task->request, "do") == "jog") cancel_.request_stop();
}

json RigService::jog_paused(const json& request) {
  const auto way = jog_way(request);
  if (!way) return error_answer(way.error());
  control_.jog.want(*way);
  return {{"ok", true}};
}

json RigService::note(const std::string& text) {
  if (!live_->recording())
    return error_answer({ErrorCode::kUsage, "note: nothing is being recorded that could hold it"});
  live_->event("note", canonical(json{{"text", text}}));
  return {{"ok", true}};
}

json RigService::handle(const json& request, int client, const Tell& tell) {
  const auto answer = guarded("the rig process's answer", [&]() -> Result<json> {
    const auto what = check_request(request);
    if (!what) return fail(what.error());
    return respond(*what, request, client, tell);
  });
  return answer ? *answer : error_answer(answer.error());
}

/// Of a checked request.
json RigService::respond(const std::string& what, const json& request, int client,
                         const Tell& tell) {
  const json done{{"ok", true}};
  if (what == "status") return {{"ok", true}, {"result", status()}};
  if (what == "ping") return done;
  if (what == "halt") return halt(), done;
  if (what == "jog" && control_.resting) return jog_paused(request);
  if (what == "stop") return live_->press_stop(), done;
  if (what == "acknowledge") {
    const auto taken_back = live_->acknowledge();
    return taken_back ? done : error_answer(taken_back.error());
  }
  if (what == "pause") return control_.pause = true, done;
  if (what == "resume") return control_.pause = false, done;
  if (what == "skip") return control_.skip = true, done;
  if (what == "repeat") return control_.repeat = true, done;
  if (what == "undo") return control_.undo = true, done;
  if (what == "finish") return control_.finish = true, done;
  if (what == "note") return note(get_text(request, "text"));
  if (what == "cancel") {
    const std::lock_guard lock(mutex_);
    cancel_.request_stop();
    return done;
  }
  if (what == "answer") {
    if (client_->answer(get_number(request, "value"))) return done;
    return error_answer({ErrorCode::kUsage, "nothing was asked"});
  }
  for (const std::string_view task :
       {"home", "jog", "retract", "surface", "register", "record", "keep"})
    if (what == task) return begin(request, client, tell);
  return error_answer(
      {ErrorCode::kUsage, fmt::format("'{}' is for a connection of the rig process", what)});
}

void RigService::work(const std::stop_token& stop) {
  devices::make_urgent(kMotionPriority);
  while (!stop.stop_requested()) {
    const auto fine = guarded("the thread that moves the rig", [&]() -> Result<void> {
      if (const auto task = next_task())
        end_task(carry_out(*task));
      else
        idle(stop);
      return {};
    });
    if (fine) continue;
    (void)guarded("what follows it", [&]() -> Result<void> {
      end_task(unforeseen(fine.error()));
      return {};
    });
  }
}

std::optional<RigService::Task> RigService::next_task() {
  const std::lock_guard lock(mutex_);
  if (waiting_) running_ = std::exchange(waiting_, std::nullopt);
  return running_;
}

/// The stage is listened to, so that everybody knows where it stands.
void RigService::idle(const std::stop_token& stop) {
  if (live_->pump(kIdleListen)) return;
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stop, kIdleListen, [&] { return waiting_.has_value(); });
}

/// Free again before anybody is told: who is told may ask for the next task at once.
void RigService::end_task(const json& end) {
  Tell tell;
  {
    const std::lock_guard lock(mutex_);
    if (running_) tell = running_->tell;
    running_.reset();
  }
  if (!tell) return;
  (void)guarded("news", [&]() -> Result<void> {
    tell(end);
    return {};
  });
}

/// Stops first, explains second. Whatever was recorded ends in order.
json RigService::unforeseen(const Error& error) {
  live_->lock_rig(error);
  (void)live_->secure();
  live_->in_free_air(false);
  live_->expect_air(false);
  control_.resting = false;
  client_->notify({});
  const std::string data = canonical(json{{"text", error.message}});
  live_->event("fault", data);
  (void)live_->end_recording();
  auto end = error_answer(error);
  end["news"] = "failed";
  end["warnings"] = json::array();
  const std::lock_guard lock(mutex_);
  if (running_) end["task"] = running_->number;
  return end;
}

/// The task's last news.
json RigService::carry_out(const Task& task) {
  const auto news = [this, number = task.number](const json& what) {
    Tell tell;
    {
      const std::lock_guard lock(mutex_);
      if (running_) tell = running_->tell;
    }
    if (!tell) return;
    auto with_task = what;
    with_task["task"] = number;
    tell(with_task);
  };
  {
    const std::lock_guard lock(mutex_);
    if (running_->tell) client_->notify(news);  // else its client has gone
  }
  warnings_.clear();
  Task own = task;
  own.tell = news;
  const auto result = perform(own);
  client_->notify({});
  auto end = result ? json{{"news", "done"}, {"result", *result}} : error_answer(result.error());
  if (!result) end["news"] = "failed";
  end["warnings"] = list_of(warnings_);
  end["task"] = task.number;
  return end;
}

void RigService::progress(const Task& task, std::string_view what, double done, double total,
                          std::string_view detail) {
  task.tell(
      {{"news", "progress"}, {"what", what}, {"done", done}, {"total", total}, {"detail", detail}});
}

Result<json> RigService::perform(const Task& task) {
  if (const auto trip = live_->trip())
    return fail(ErrorCode::kDeviceFault, "the rig is locked: {}. Acknowledge it first", trip->text);
  live_->stage().unlock();  // acknowledged, or never locked
  live_->forget_soft_trips();
  const auto what = get_text(task.request, "do");
  if (what == "home") return home(task);
  if (what == "jog") return jog(task);
  if (what == "retract") return retract();
  if (what == "surface") return surface(task);
  if (what == "register") return registration(task);
  if (what == "keep") return keep(task);
  return record(task);
}

}  // namespace tactelier::rig
