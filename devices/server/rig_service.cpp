#include "devices/server/rig_service.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "devices/acquisition/session_document.hpp"
#include "devices/link/real_time_thread.hpp"
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
using messages::error_answer;
using messages::Status;
using messages::TaskKind;
using nlohmann::json;

constexpr int kMotionPriority = 15;
constexpr Timeout kIdleListen{50};

void take(const RigReading& reading, Status& status) {
  status.force_N = reading.force_N;
  status.peak_N = reading.peak_N;
  status.sensor_load = reading.sensor_load;
  status.tared = reading.tared;
  status.zero_N = reading.zero_N;
  status.position_m = reading.stage.position_m;
  status.position_trusted = reading.stage.trusted;
  status.stage = messages::activity_of(reading.stage.state);
  status.force_samples = reading.force_samples;
  status.frames = reading.frames;
  status.force_lost = reading.force.lost;
  status.frames_lost = reading.array.lost;
  status.latency_s = reading.latency_s;
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

Status RigService::status() const {
  const auto reading = live_->reading();
  const auto recording = live_->tap();
  Status status;
  status.process = ::getpid();
  status.paused = control_.pause;
  status.resting = control_.resting;
  status.jogging = control_.jog.busy();
  status.jog_refused = control_.jog.refused();
  status.surface_found = surface_found_;
  status.registered = registered_;
  status.emergency_stop = emergency_stop_;
  if (const auto trip = live_->trip()) status.trip = messages::Trip{trip->kind, trip->text};
  status.waits_for = live_->waits_for();
  if (recording)
    status.recording = messages::RunningRecording{
        recording->file().string(), recording->seconds(live_->clock().now_ns()),
        static_cast<std::int64_t>(recording->committed_rows())};
  take(reading, status);
  const std::lock_guard lock(mutex_);
  if (running_) status.task = running_->kind;
  return status;
}

json RigService::begin(TaskKind kind, const json& request, int client, const Tell& tell) {
  const std::lock_guard lock(mutex_);
  if (running_ || waiting_)
    return error_answer(
        {ErrorCode::kUsage, fmt::format("the rig is busy with '{}'; wait, or stop it first",
                                        to_string((running_ ? *running_ : *waiting_).kind))});
  waiting_ = Task{++tasks_, client, kind, request, tell, {}};
  cancel_ = std::stop_source();
  control_.pause = control_.skip = control_.repeat = control_.undo = control_.finish = false;
  wake_.notify_all();
  return messages::task_answer(tasks_);
}

/// A jog alone ends, whoever carries it out; no other task does.
void RigService::halt() {
  control_.jog.halt();
  const std::lock_guard lock(mutex_);
  const auto& task = running_ ? running_ : waiting_;
  if (task && task->kind == TaskKind::kJog) cancel_.request_stop();
}

json RigService::jog_paused(const json& request) {
  const auto way = messages::jog_in(request);
  if (!way) return error_answer(way.error());
  control_.jog.want(*way);
  return messages::ok_answer();
}

json RigService::note(const std::string& text) {
  if (!live_->recording())
    return error_answer({ErrorCode::kUsage, "note: nothing is being recorded that could hold it"});
  live_->event("note", canonical(json{{"text", text}}));
  return messages::ok_answer();
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
  const auto done = messages::ok_answer();
  if (what == "status") return messages::result_answer(to_json(status()));
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
  if (const auto kind = messages::task_kind(what)) return begin(*kind, request, client, tell);
  return error_answer(
      {ErrorCode::kUsage, fmt::format("'{}' is for a connection of the rig process", what)});
}

void RigService::work(const std::stop_token& stop) {
  devices::make_real_time(kMotionPriority);
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
void RigService::end_task(messages::End end) {
  std::optional<Task> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::exchange(running_, std::nullopt);
  }
  if (!ended || !ended->tell) return;
  (void)guarded("news", [&]() -> Result<void> {
    ended->tell(to_json(std::move(end), ended->number));
    return {};
  });
}

/// Stops first, explains second. Whatever was recorded ends in order.
messages::End RigService::unforeseen(const Error& error) {
  live_->lock_rig(error);
  (void)live_->secure();
  live_->in_free_air(false);
  live_->expect_air(false);
  control_.resting = false;
  client_->notify({});
  const std::string data = canonical(json{{"text", error.message}});
  live_->event("fault", data);
  (void)live_->end_recording();
  return {error, {}, {}};
}

/// How the task ends.
messages::End RigService::carry_out(const Task& task) {
  const auto news = [this, number = task.number](const messages::News& what) {
    Tell tell;
    {
      const std::lock_guard lock(mutex_);
      if (running_) tell = running_->tell;
    }
    if (tell) tell(to_json(what, number));
  };
  {
    const std::lock_guard lock(mutex_);
    if (running_->tell) client_->notify(news);  // else its client has gone
  }
  warnings_.clear();
  Task own = task;
  own.news = news;
  auto result = perform(own);
  client_->notify({});
  if (!result) return {result.error(), {}, warnings_};
  return {std::nullopt, std::move(*result), warnings_};
}

void RigService::progress(const Task& task, std::string_view what, double done, double total,
                          std::string_view detail) {
  task.news(messages::Progress{std::string(what), std::string(detail), done, total, ""});
}

Result<json> RigService::perform(const Task& task) {
  if (const auto trip = live_->trip())
    return fail(ErrorCode::kDeviceFault, "the rig is locked: {}. Acknowledge it first", trip->text);
  live_->stage().unlock();  // acknowledged, or never locked
  live_->forget_soft_trips();
  switch (task.kind) {
    case TaskKind::kHome:
      return home(task);
    case TaskKind::kJog:
      return jog(task);
    case TaskKind::kRetract:
      return retract();
    case TaskKind::kSurface:
      return surface(task);
    case TaskKind::kRegister:
      return registration(task);
    case TaskKind::kKeep:
      return keep(task);
    case TaskKind::kRecord:
      return record(task);
  }
  return json::object();
}

}  // namespace tactelier::rig
