#include "devices/server/rig_service.hpp"

#include <unistd.h>

#include <algorithm>

#include "devices/link/real_time_thread.hpp"
#include "devices/motion/simulated_operator.hpp"
#include "devices/server/record_task.hpp"
#include "devices/server/rig_request.hpp"
#include "libcalib/guarded.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using messages::ok_answer;
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
  status.pace = reading.pace;
}

messages::RunningRecording running(const LiveRecording& recording, std::int64_t now_ns) {
  return {recording.file().string(), recording.seconds(now_ns),
          static_cast<std::int64_t>(recording.committed_rows())};
}

}  // namespace

RigService::RigService(std::unique_ptr<LiveRig> live, RigFile rig, std::filesystem::path rig_file,
                       std::unique_ptr<OperatorInterface> simulated)
    : live_(std::move(live)),
      emergency_stop_(rig.emergency_stop),
      file_(std::move(rig), std::move(rig_file)),
      simulated_(std::move(simulated)),
      operator_(simulated_ ? *simulated_ : client_),
      set_up_(*live_, file_, operator_) {}

Result<std::unique_ptr<RigService>> RigService::open(devices::DeviceFile devices, RigFile rig,
                                                     std::filesystem::path rig_file) {
  const auto control = devices.bench_control;
  auto live = LiveRig::open(std::move(devices), rig);
  if (!live) return fail(live.error());
  std::unique_ptr<OperatorInterface> simulated;
  if (control) {
    auto connected = SimulatedOperator::connect(*control);
    if (!connected) return fail(connected.error());
    simulated = std::move(*connected);
    rig.surface_known = true;  // a bench's pad is where its rig file says, or at 0
  }
  std::unique_ptr<RigService> service(
      new RigService(std::move(*live), std::move(rig), std::move(rig_file), std::move(simulated)));
  service->worker_ =
      std::jthread([raw = service.get()](const std::stop_token& stop) { raw->work(stop); });
  return service;
}

RigService::~RigService() {
  slot_.cancel();
  worker_.request_stop();
}

// --- Any thread ----------------------------------------------------------------------------------

const std::vector<RigService::AtOnce>& RigService::at_once() {
  static const std::vector<AtOnce> table{
      {"status", &RigService::answer_status},
      {"ping", &RigService::answer_ping},
      {"stop", &RigService::stop},
      {"acknowledge", &RigService::acknowledge},
      {"cancel", &RigService::cancel},
      {"halt", &RigService::halt},
      {"note", &RigService::note},
      {"answer", &RigService::take_answer},
      {"further", &RigService::take_further},
      {"pause", &RigService::wish_for<&RunControl::pause, true>},
      {"resume", &RigService::wish_for<&RunControl::pause, false>},
      {"skip", &RigService::wish_for<&RunControl::skip, true>},
      {"repeat", &RigService::wish_for<&RunControl::repeat, true>},
      {"undo", &RigService::wish_for<&RunControl::undo, true>},
      {"finish", &RigService::wish_for<&RunControl::finish, true>}};
  return table;
}

json RigService::handle(const json& request, int client, const Tell& tell) {
  const auto answer = guarded("the rig process's answer", [&]() -> Result<json> {
    const auto name = check_request(request);
    if (!name) return fail(name.error());
    return respond(*name, request, client, tell);
  });
  return answer ? *answer : messages::error_answer(answer.error());
}

Result<json> RigService::respond(const std::string& name, const json& request, int client,
                                 const Tell& tell) {
  for (const auto& row : at_once())
    if (row.name == name) return (this->*row.answer)(request);
  const auto kind = messages::task_kind(name);
  if (!kind) return fail(ErrorCode::kUsage, "'{}' is for a connection of the rig process", name);
  if (*kind == TaskKind::kJog && control_.resting) return jog_paused(request);
  return begin(*kind, request, client, tell);
}

Result<json> RigService::begin(TaskKind kind, const json& request, int client, const Tell& tell) {
  const auto number = slot_.begin(kind, request, client, tell, [&] {
    control_.pause = control_.skip = control_.repeat = control_.undo = control_.finish = false;
  });
  if (!number) return fail(number.error());
  return messages::task_answer(*number);
}

void RigService::left(int client) {
  slot_.left(client, [this] {
    // Nobody is there to go on after a pause, or to answer.
    control_.finish = true;
    control_.pause = false;
    client_.notify({});
  });
}

Status RigService::status() const {
  Status status;
  status.process = ::getpid();
  take(live_->reading(), status);
  if (const auto trip = live_->trip()) status.trip = messages::Trip{trip->kind, trip->text};
  for (const auto& trip : live_->trips()) status.trips.push_back({trip.kind, trip.text});
  status.waits_for = live_->waits_for();
  if (const auto recording = live_->tap())
    status.recording = running(*recording, live_->clock().now_ns());
  status.paused = control_.pause;
  status.resting = control_.resting;
  status.jogging = control_.jog.busy();
  status.jog_refused = control_.jog.refused();
  status.surface_found = set_up_.surface_found();
  status.registered = set_up_.registered();
  status.emergency_stop = emergency_stop_;
  status.task = slot_.running();
  return status;
}

template <std::atomic<bool> RunControl::*wish, bool value>
Result<json> RigService::wish_for(const json& request) {
  if (slot_.asked() != TaskKind::kRecord)
    return fail(ErrorCode::kUsage, "{}: nothing is being recorded", messages::name_of(request));
  control_.*wish = value;
  return ok_answer();
}

Result<json> RigService::answer_status(const json&) {
  return messages::result_answer(to_json(status()));
}

Result<json> RigService::answer_ping(const json&) { return ok_answer(); }

Result<json> RigService::stop(const json&) {
  live_->press_stop();
  return ok_answer();
}

Result<json> RigService::acknowledge(const json&) {
  if (auto taken_back = live_->acknowledge(); !taken_back) return fail(taken_back.error());
  return ok_answer();
}

Result<json> RigService::cancel(const json&) {
  slot_.cancel();
  return ok_answer();
}

Result<json> RigService::halt(const json&) {
  control_.jog.halt();
  slot_.cancel_jog();
  return ok_answer();
}

Result<json> RigService::jog_paused(const json& request) {
  const auto way = messages::jog_in(request);
  if (!way) return fail(way.error());
  control_.jog.want(*way);
  return ok_answer();
}

Result<json> RigService::note(const json& request) {
  if (!live_->recording())
    return fail(ErrorCode::kUsage, "note: nothing is being recorded that could hold it");
  live_->event("note", canonical(json{{"text", get_text(request, "text")}}));
  return ok_answer();
}

Result<json> RigService::take_answer(const json& request) {
  if (client_.answer(get_number(request, "value"))) return ok_answer();
  return fail(ErrorCode::kUsage, "nothing was asked");
}

Result<json> RigService::take_further(const json& request) {
  if (auto put = further_.put(messages::further_order_in(request)); !put) return fail(put.error());
  return ok_answer();
}

// --- The thread that moves the rig ---------------------------------------------------------------

const std::vector<RigService::Task>& RigService::tasks() {
  static const std::vector<Task> table{{TaskKind::kHome, &RigService::home},
                                       {TaskKind::kJog, &RigService::jog},
                                       {TaskKind::kRetract, &RigService::retract},
                                       {TaskKind::kSurface, &RigService::surface},
                                       {TaskKind::kRegister, &RigService::registration},
                                       {TaskKind::kRecord, &RigService::record},
                                       {TaskKind::kKeep, &RigService::keep},
                                       {TaskKind::kWeigh, &RigService::weigh},
                                       {TaskKind::kProve, &RigService::prove}};
  return table;
}

void RigService::work(const std::stop_token& stop) {
  devices::make_real_time(kMotionPriority);
  while (!stop.stop_requested()) {
    const auto fine = guarded("the thread that moves the rig", [&]() -> Result<void> {
      if (const auto task = slot_.next())
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

void RigService::idle(const std::stop_token& stop) {
  if (!live_->pump(kIdleListen)) slot_.wait(stop, kIdleListen);
}

void RigService::end_task(const messages::End& end) {
  (void)guarded("news", [&]() -> Result<void> {
    slot_.ended(end);
    return {};
  });
}

/// Stops first, explains second. Whatever was recorded ends in order.
messages::End RigService::unforeseen(const Error& error) {
  live_->lock_rig(error);
  (void)live_->secure();
  live_->in_free_air(false);
  live_->readings().expect_air(false);
  control_.resting = false;
  client_.notify({});
  const std::string data = canonical(json{{"text", error.message}});
  live_->event("fault", data);
  (void)live_->end_recording();
  return {error, {}, {}};
}

/// What locked the rig stands first: the stage itself only knows that it was told to stop, or that
/// its wire is gone.
Error RigService::with_cause(Error error) const {
  const auto trip = live_->trip();
  const bool of_a_device = error.code == ErrorCode::kDeviceFault || error.code == ErrorCode::kIo ||
                           error.code == ErrorCode::kTimeout;
  if (!trip || !of_a_device) return error;
  error.code = ErrorCode::kDeviceFault;
  if (error.message.find(trip->text) == std::string::npos)
    error.message = fmt::format("{} ({})", trip->text, error.message);
  return error;
}

messages::End RigService::carry_out(const AskedTask& asked) {
  const auto news = [this](const messages::News& what) { slot_.news(what); };
  slot_.while_client_listens([&] { client_.notify(news); });
  RunningTask task{asked.kind, asked.request, news, slot_.stop_token(), {}};
  auto result = perform(task);
  client_.notify({});
  if (!result) {
    // A stage whose wire went under a command that nobody watched (homing) locks the rig as well.
    if (result.error().code == ErrorCode::kIo && !live_->trip()) (void)live_->pump(Timeout(1));
    return {with_cause(result.error()), {}, std::move(task.warnings)};
  }
  return {std::nullopt, std::move(*result), std::move(task.warnings)};
}

Result<json> RigService::perform(RunningTask& task) {
  if (const auto trip = live_->trip())
    return fail(ErrorCode::kDeviceFault,
                "the rig is locked: {}. Acknowledge it first ('tactelier rig acknowledge')",
                trip->text);
  live_->stage().unlock();  // acknowledged, or never locked
  // A stop that came while nothing moved left a hold, in which lines wait unanswered.
  if (live_->reading().stage.state == devices::StageState::kHold)
    if (auto free = live_->stop_jog(); !free) return fail(free.error());
  live_->forget_soft_trips();
  const auto row = std::find_if(tasks().begin(), tasks().end(),
                                [&](const Task& one) { return one.kind == task.kind; });
  return (this->*row->perform)(task);
}

Result<json> RigService::status_after(const Result<void>& moved) const {
  if (!moved) return fail(moved.error());
  return to_json(status());
}

Result<json> RigService::home(RunningTask& task) { return status_after(set_up_.home(task)); }
Result<json> RigService::jog(RunningTask& task) { return status_after(set_up_.jog(task)); }
Result<json> RigService::retract(RunningTask&) { return status_after(set_up_.retract()); }
Result<json> RigService::surface(RunningTask& task) { return set_up_.surface(task); }
Result<json> RigService::registration(RunningTask& task) { return set_up_.registration(task); }

Result<json> RigService::weigh(RunningTask& task) { return set_up_.weigh(task); }

Result<json> RigService::prove(RunningTask& task) {
  if (auto proven = set_up_.prove(task); !proven) return fail(proven.error());
  return json::object();
}

Result<json> RigService::record(RunningTask& task) {
  const RecordParts parts{*live_, file_, set_up_, operator_, control_, further_, told_};
  const auto recorded = RecordTask(parts, task).run();
  if (!recorded) return fail(recorded.error());
  return to_json(*recorded);
}

Result<json> RigService::keep(RunningTask& task) {
  auto found = messages::changes_in(task.request);
  if (!found) return found;
  const bool moves_pad = found->contains("surface") || found->contains("stage_to_sensor");
  if (auto kept = file_.keep(std::move(*found)); !kept) return fail(kept.error());
  if (moves_pad) set_up_.forget_places();
  return json::object();
}

}  // namespace tactelier::rig
