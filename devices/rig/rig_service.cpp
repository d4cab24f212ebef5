#include "devices/rig/rig_service.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "devices/link/urgent_thread.hpp"
#include "devices/rig/bench_hands.hpp"
#include "devices/rig/service_desk.hpp"
#include "devices/rig/session_document.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr int kMotionPriority = 15;
constexpr double kRegisterForce_N = 1;
constexpr Timeout kIdleListen{50};

std::string_view word_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kInvalidInput:
      return "invalid-input";
    case ErrorCode::kDamaged:
      return "damaged";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kProtocol:
      return "protocol";
    case ErrorCode::kDeviceFault:
      return "device-fault";
    case ErrorCode::kUnidentifiable:
      return "unidentifiable";
    case ErrorCode::kCancelled:
      return "cancelled";
  }
  return "";
}

json error_of(const Error& error) {
  return {{"error", {{"code", word_of(error.code)}, {"text", error.message}}}};
}

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

json surface_json(const FoundSurface& found) {
  const auto degrees = [](double rad) { return rad / deg_to_rad(1); };
  return {{"z0_mm", m_to_mm(found.surface.z0_m)},
          {"tilt_x_deg", degrees(found.surface.tilt_x_rad)},
          {"tilt_y_deg", degrees(found.surface.tilt_y_rad)}};
}

json frame_json(const StageToSensor& frame) {
  return {{"x_mm", m_to_mm(frame.x_m)},
          {"y_mm", m_to_mm(frame.y_m)},
          {"rz_deg", frame.rz_rad / deg_to_rad(1)},
          {"mirror", frame.mirror}};
}

void progress(const Tell& tell, std::string_view what, double done, double total,
              std::string_view detail = "") {
  tell(
      {{"news", "progress"}, {"what", what}, {"done", done}, {"total", total}, {"detail", detail}});
}

}  // namespace

RigService::RigService(std::unique_ptr<LiveRig> live, RigFile rig, std::filesystem::path rig_file)
    : live_(std::move(live)),
      rig_(std::move(rig)),
      rig_file_(std::move(rig_file)),
      desk_(std::make_unique<ServiceDesk>()) {}

Result<std::unique_ptr<RigService>> RigService::open(devices::DeviceFile devices, RigFile rig,
                                                     std::filesystem::path rig_file) {
  const auto control = devices.bench_control;
  auto live = LiveRig::open(std::move(devices), rig);
  if (!live) return fail(live.error());
  std::unique_ptr<RigService> service(
      new RigService(std::move(*live), std::move(rig), std::move(rig_file)));
  if (control) {
    auto hands = BenchHands::connect(*control);
    if (!hands) return fail(hands.error());
    service->hands_ = std::move(*hands);
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

OperatorDesk& RigService::desk() { return hands_ ? *hands_ : static_cast<OperatorDesk&>(*desk_); }

bool RigService::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

void RigService::left(int client) {
  const std::lock_guard lock(mutex_);
  if (waiting_ && waiting_->client == client) waiting_.reset();
  if (running_ && running_->client == client) {
    running_->tell = nullptr;
    control_.finish = true;
    desk_->tell_to({});
  }
}

json RigService::status() const {
  const auto reading = live_->reading();
  const auto trip = live_->trip();
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
      {"force_N", reading.force_N},
      {"tared", reading.tared},
      {"peak_N", reading.peak_N},
      {"sensor_load", reading.sensor_load},
      {"position_mm",
       {m_to_mm(stage.position_m[0]), m_to_mm(stage.position_m[1]), m_to_mm(stage.position_m[2])}},
      {"position_trusted", stage.trusted},
      {"stage", word_of(stage.state)},
      {"surface_found", surface_found_},
      {"registered", registered_},
      {"force_samples", reading.force_samples},
      {"frames", reading.frames},
      {"force_lost", reading.force.lost},
      {"frames_lost", reading.array.lost},
      {"latency_ms", reading.latency_s * 1e3},
      {"emergency_stop", rig_.emergency_stop ? json(*rig_.emergency_stop) : json(nullptr)},
      {"trip", trip ? json(trip->text) : json(nullptr)},
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
    return error_of({ErrorCode::kUsage,
                     fmt::format("the rig is busy with '{}'; wait, or stop it first",
                                 (running_ ? *running_ : *waiting_).request.value("do", ""))});
  waiting_ = Task{++tasks_, client, request, tell};
  cancel_ = std::stop_source();
  control_.pause = control_.skip = control_.repeat = control_.finish = false;
  wake_.notify_all();
  return {{"ok", true}, {"task", tasks_}};
}

json RigService::handle(const json& request, int client, const Tell& tell) {
  const json done{{"ok", true}};
  const auto what = request.is_object() ? get_text(request, "do") : "";
  if (what == "status") return {{"ok", true}, {"result", status()}};
  if (what == "stop") return live_->press_stop(), done;
  if (what == "acknowledge") return live_->acknowledge(), done;
  if (what == "pause") return control_.pause = true, done;
  if (what == "resume") return control_.pause = false, done;
  if (what == "skip") return control_.skip = true, done;
  if (what == "repeat") return control_.repeat = true, done;
  if (what == "finish") return control_.finish = true, done;
  if (what == "cancel") {
    const std::lock_guard lock(mutex_);
    cancel_.request_stop();
    return done;
  }
  if (what == "answer") {
    if (desk_->answer(get_number(request, "value"))) return done;
    return error_of({ErrorCode::kUsage, "nothing was asked"});
  }
  for (const std::string_view task : {"home", "jog", "retract", "surface", "register", "record"})
    if (what == task) return begin(request, client, tell);
  return error_of({ErrorCode::kUsage, fmt::format("'{}' is no request of the rig", what)});
}

void RigService::work(const std::stop_token& stop) {
  devices::make_urgent(kMotionPriority);
  while (!stop.stop_requested()) {
    {
      const std::lock_guard lock(mutex_);
      if (waiting_) running_ = std::exchange(waiting_, std::nullopt);
    }
    if (!running_) {
      // Idle: the stage is listened to, so that everybody knows where it stands.
      if (!live_->pump(kIdleListen)) {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, stop, kIdleListen, [&] { return waiting_.has_value(); });
      }
      continue;
    }
    const auto task = *running_;
    carry_out(task);
    const std::lock_guard lock(mutex_);
    running_.reset();
  }
}

void RigService::carry_out(const Task& task) {
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
  desk_->tell_to(news);
  warnings_.clear();
  Task own = task;
  own.tell = news;
  const auto result = perform(own);
  if (result) {
    news({{"news", "done"}, {"result", *result}, {"warnings", list_of(warnings_)}});
  } else {
    auto failed = error_of(result.error());
    failed["news"] = "failed";
    failed["warnings"] = list_of(warnings_);
    news(failed);
  }
  desk_->tell_to({});
}

Result<json> RigService::perform(const Task& task) {
  if (const auto trip = live_->trip())
    return fail(ErrorCode::kDeviceFault, "the rig is locked: {}. Acknowledge it first", trip->text);
  live_->stage().unlock();  // acknowledged, or never locked
  const auto what = get_text(task.request, "do");
  if (what == "home") return home(task);
  if (what == "jog") return jog(task);
  if (what == "retract") return retract();
  if (what == "surface") return surface(task);
  if (what == "register") return registration(task);
  return record(task);
}

Result<json> RigService::home(const Task& task) {
  progress(task.tell, "home", 0, 0, "Z first, upwards");
  live_->stage().unlock();
  surface_found_ = registered_ = false;
  if (auto homed = live_->stage().home(); !homed) return fail(homed.error());
  if (auto heard = live_->pump(Timeout(200)); !heard) return fail(heard.error());
  live_->event("home", R"({"text": "reference switches found"})");
  return status();
}

Result<void> RigService::need_home() const {
  if (live_->stage().position_trusted()) return {};
  return fail(ErrorCode::kDeviceFault, "the stage's position is not known ({}); home it first",
              live_->stage().position_doubt());
}

Result<json> RigService::jog(const Task& task) {
  const auto* by = get_member(task.request, "by_mm");
  const double speed_mm_s = get_number(task.request, "speed_mm_s").value_or(1);
  if (by == nullptr || !by->is_array() || by->size() != 3)
    return fail(ErrorCode::kUsage, "jog: by_mm with x, y, z expected");
  if (auto homed = need_home(); !homed) return fail(homed.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  const auto at_m = live_->reading().stage.position_m;
  Vector3 to_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    to_m[axis] = at_m[axis] + mm_to_m((*by)[axis].get<double>());
  live_->watch_ages(true);
  ContactState contact{true, true, 0, 0, 0, 0};
  contact.surface_z_m = motion.frame().stage_from_plan_m({0, 0, 0})[2];
  live_->set_contact(contact);
  auto gone = jog_to(motion, motion.frame().plan_from_stage_m(to_m), mm_to_m(speed_mm_s));
  if (!gone && gone.error().code != ErrorCode::kCancelled) make_safe(motion);
  live_->set_contact({});
  live_->watch_ages(false);
  if (!gone) return fail(gone.error());
  return status();
}

/// Upwards and sideways in one move. Downwards nothing is queued that would end in a contact of
/// unknown force: in air down to the surface where it is known, from there in steps.
Result<void> RigService::jog_to(RigMotion& motion, const Vector3& to_m, double speed_m_s) {
  const auto at_m = motion.at_m();
  auto level_m = to_m;
  level_m[2] = std::max(to_m[2], at_m[2]);
  if (auto gone = motion.go(level_m, speed_m_s); !gone) return gone;
  if (to_m[2] >= at_m[2]) return {};
  Descent descent(*live_, motion);
  DescentGoal goal;
  goal.to_z_m = to_m[2];
  goal.surface_z_m = surface_found_ ? 0 : std::numeric_limits<double>::infinity();
  goal.speed_m_s = speed_m_s;
  goal.ceiling_N = live_->limits().pad_force_N.value_or(1);
  const auto gone = descent.go(goal, {});
  if (!gone) return fail(gone.error());
  return {};
}

Result<json> RigService::retract() {
  if (auto homed = need_home(); !homed) return fail(homed.error());
  RigMotion motion(*live_, rig_, live_->sensor(), {});
  if (auto up = motion.retreat(); !up) return fail(up.error());
  return status();
}

void RigService::make_safe(RigMotion& motion) {
  live_->set_contact({});
  live_->in_free_air(false);
  if (live_->trip())
    (void)live_->secure();
  else if (!motion.retreat() && live_->trip())
    (void)live_->secure();
  live_->watch_ages(false);
}

Result<void> RigService::keep_rig(const json& changes) {
  auto document = json::parse(rig_.document);
  document.update(changes);
  auto changed = parse_rig(document.dump(), "rig");
  if (!changed) return fail(changed.error());
  rig_ = std::move(*changed);
  if (rig_file_.empty()) return {};
  return write_text_file(rig_file_, document.dump(2) + "\n");
}

Result<void> RigService::mount(const MountedIndenter& indenter) {
  if (mounted_ == indenter.json) return {};
  if (mounted_) surface_found_ = registered_ = false;
  mounted_ = indenter.json;
  if (!hands_) return {};
  return static_cast<BenchHands&>(*hands_).mount(indenter, 0);
}

/// What must be there before: with "set_up" it is made, else it is asked for.
Result<void> RigService::prepare(const Task& task, bool there, const char* name,
                                 Result<json> (RigService::*run)(const Task&)) {
  if (there) return {};
  if (!task.request.value("set_up", false))
    return fail(ErrorCode::kUsage, "not ready: run 'tactelier {}' first, or let record do it",
                name);
  auto done = (this->*run)(task);
  if (!done) return fail(done.error(), name);
  return {};
}

Result<json> RigService::surface(const Task& task) {
  if (auto homed = prepare(task, live_->stage().position_trusted(), "rig home", &RigService::home);
      !homed)
    return fail(homed.error());
  if (!rig_.surface_known && !hands_)
    return fail(
        ErrorCode::kUsage,
        "the rig file states no surface: write about where the tip touches as "
        "surface.z0_mm, rather too high than too low. The way there is fast until {:.3g} mm "
        "above it",
        m_to_mm(rig_.stage.safe_height_m));
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  live_->watch_ages(true);
  auto found = find_surface(*live_, motion, live_->sensor(), rig_, [&](int done, int total) {
    progress(task.tell, "surface", done, total);
  });
  if (!found) {
    make_safe(motion);
    return fail(found.error());
  }
  live_->watch_ages(false);
  warnings_.insert(warnings_.end(), found->warnings.begin(), found->warnings.end());
  const auto document = surface_json(*found);
  if (auto kept = keep_rig({{"surface", document}, {"surface_date", utc_now()}}); !kept)
    return fail(kept.error());
  surface_found_ = true;
  live_->event("surface", document.dump());
  auto points = json::array();
  for (const auto& point : found->points)
    points.push_back({{"x_mm", m_to_mm(point.x_m)},
                      {"y_mm", m_to_mm(point.y_m)},
                      {"z_mm", m_to_mm(point.z_m)},
                      {"u_um", point.u_m * 1e6}});
  auto result = document;
  result["u_z0_um"] = found->u_z0_m * 1e6;
  result["u_tilt_x_deg"] = found->u_tilt_x_rad / deg_to_rad(1);
  result["u_tilt_y_deg"] = found->u_tilt_y_rad / deg_to_rad(1);
  result["tilt_deg"] = found->tilt_rad() / deg_to_rad(1);
  result["points"] = std::move(points);
  return result;
}

Result<json> RigService::registration(const Task& task) {
  if (!live_->stage().position_trusted()) surface_found_ = false;
  if (auto found = prepare(task, surface_found_, "surface", &RigService::surface); !found)
    return fail(found.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  Descent descent(*live_, motion);
  live_->watch_ages(true);
  const double force_N = get_number(task.request, "force_N").value_or(kRegisterForce_N);
  auto found =
      find_registration(*live_, motion, descent, live_->sensor(), rig_, force_N,
                        [&](int done, int total) { progress(task.tell, "register", done, total); });
  if (!found) {
    make_safe(motion);
    return fail(found.error());
  }
  live_->watch_ages(false);
  warnings_.insert(warnings_.end(), found->warnings.begin(), found->warnings.end());
  const double shift_m = registration_shift_m(rig_.stage_to_sensor, found->frame, live_->sensor());
  const auto document = frame_json(found->frame);
  if (auto kept = keep_rig({{"stage_to_sensor", document}, {"registration_date", utc_now()}});
      !kept)
    return fail(kept.error());
  registered_ = true;
  live_->event("register", document.dump());
  auto result = document;
  result["scale"] = found->scale;
  result["u_xy_um"] = found->u_xy_m * 1e6;
  result["u_rz_deg"] = found->u_rz_rad / deg_to_rad(1);
  result["residual_um"] = found->residual_m * 1e6;
  result["shift_mm"] = m_to_mm(shift_m);
  return result;
}

Result<void> RigService::set_up(const Task& task, const std::optional<MountedIndenter>& indenter) {
  if (!live_->stage().position_trusted()) surface_found_ = registered_ = false;
  if (indenter)
    if (auto mounted = mount(*indenter); !mounted) return mounted;
  return prepare(task, surface_found_, "surface", &RigService::surface).and_then([&] {
    return prepare(task, registered_, "register", &RigService::registration);
  });
}

Result<json> RigService::record(const Task& task) {
  const std::filesystem::path file = get_text(task.request, "file");
  const auto* document = get_member(task.request, "protocol");
  if (file.empty() || document == nullptr)
    return fail(ErrorCode::kUsage, "record: file and protocol expected");
  if (std::error_code ignored; std::filesystem::exists(file, ignored))
    return fail(ErrorCode::kIo, "{}: there is a file of this name; choose another or remove it",
                file.string());
  const auto protocol = parse_protocol(document->dump(), "protocol");
  if (!protocol) return fail(protocol.error());
  const auto planned = [&] {
    return plan_protocol(*protocol, live_->sensor(), setup_for(rig_, bench_setup()));
  };
  auto plan = planned();
  if (!plan) return fail(plan.error());
  const bool changes =
      std::any_of(plan->segments.begin(), plan->segments.end(),
                  [](const Segment& segment) { return segment.indenter.has_value(); });
  if (changes && !hands_)
    return fail(ErrorCode::kUsage,
                "{}: the indenter is changed within the run, which voids the surface: record each "
                "indenter's steps as a protocol of its own",
                plan->name);
  if (auto ready = set_up(task, plan->indenter); !ready) return fail(ready.error());
  plan = planned();  // places beside the pad depend on what was found
  if (!plan) return fail(plan.error());
  if (const auto reached = check_reach(*plan, rig_); !reached) return fail(reached.error());
  const SessionNames names{task.request.value("sensor_serial", ""), task.request.value("mount", ""),
                           task.request.value("operator", ""), task.request.value("notes", "")};
  const auto metadata =
      live_metadata(rig_, live_->sensor(), *plan, *protocol, live_->shapes(), names, utc_now());
  if (!metadata) return fail(metadata.error());
  if (auto begun = live_->record_to(file, *metadata); !begun) return fail(begun.error());
  warnings_.insert(warnings_.end(), plan->warnings.begin(), plan->warnings.end());
  Runner runner(*live_, rig_, *plan, desk(), control_, cancel_.get_token());
  runner.on_progress = [&](const RunProgress& at) {
    progress(task.tell, "record", at.planned_s, at.total_s,
             fmt::format("step {}, press {} of {}", at.step, at.presses, plan->presses));
  };
  live_->forget_soft_trips();
  const auto report = runner.run();
  if (!report) live_->event("fault", canonical(json{{"text", report.error().message}}));
  const auto closed = live_->end_recording();
  if (!report) return fail(report.error());
  if (!closed) return fail(closed.error());
  warnings_.insert(warnings_.end(), report->warnings.begin(), report->warnings.end());
  return json{{"file", file.string()},           {"presses", report->presses},
              {"aborted", report->aborted},      {"repeated", report->repeated},
              {"complete", report->complete},    {"peak_force_N", report->peak_force_N},
              {"duration_s", report->duration_s}};
}

}  // namespace tactelier::rig
