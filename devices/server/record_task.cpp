#include "devices/server/record_task.hpp"

#include <algorithm>

#include "devices/acquisition/session_document.hpp"
#include "devices/motion/registration.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig_plausibility.hpp"
#include "libcalib/session/compaction.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kShift_pitch = 0.2;        // by so much the pad may lie elsewhere
constexpr int kPressesWorthAChecking = 10;  // a shorter run isn't followed by nine more

bool touches_pad(const Plan& plan) {
  return std::any_of(plan.segments.begin(), plan.segments.end(),
                     [](const Segment& segment) { return segment.touch == Touch::kPad; });
}

void add(const RunReport& part, RunReport& sum) {
  sum.presses = part.presses;  // numbers go on
  sum.aborted += part.aborted;
  sum.repeated += part.repeated;
  sum.undone += part.undone;
  sum.peak_force_N = std::max(sum.peak_force_N, part.peak_force_N);
  sum.duration_s += part.duration_s;
  sum.complete = part.complete;
  sum.warnings.insert(sum.warnings.end(), part.warnings.begin(), part.warnings.end());
}

messages::Recorded recorded_of(const RunReport& report, const std::string& file) {
  return {file,          report.presses,  report.aborted,      report.repeated,
          report.undone, report.complete, report.peak_force_N, report.duration_s};
}

}  // namespace

double RecordTask::real_s(double world_s) const {
  constexpr double kFirst_s = 2;  // of the world: a pace of less says nothing
  const auto& clock = live_.clock();
  const double passed_s = static_cast<double>(clock.now_ns() - begun_ns_) * 1e-9;
  const auto real_ns = devices::steady_host_clock().now_ns() - begun_real_ns_;
  const double real = static_cast<double>(real_ns) * 1e-9;
  const double scale = live_.devices_file().time_scale;
  return world_s * (passed_s > kFirst_s ? real / passed_s : 1 / scale);
}

void RecordTask::tell_set_up(messages::Progress progress) {
  const bool surface = progress.what == to_string(messages::TaskKind::kSurface);
  const bool registers = progress.what == to_string(messages::TaskKind::kRegister);
  if (surface || registers) {
    const double now_s = static_cast<double>(live_.clock().now_ns()) * 1e-9;
    if (progress.what != set_up_stage_) stage_begun_s_ = now_s;
    set_up_stage_ = progress.what;
    const double took_s = now_s - stage_begun_s_;
    const double part = progress.total > 0 ? progress.done / progress.total : 0;
    const double usual_s =
        surface ? kUsualSurface_s : registration_s_.value_or(kUsualRegistration_s);
    const double whole_s = part > 0 ? took_s / part : usual_s;
    if (registers && part >= 1) registration_s_ = took_s;
    const double register_s = registration_s_.value_or(kUsualRegistration_s);
    progress.left_s =
        real_s(std::max(0.0, whole_s - took_s) + plan_s_ + check_s() + (surface ? register_s : 0));
  }
  tell_(progress);
}

void RecordTask::expect(const Plan& plan, const ResumePoint& from) {
  plan_s_ = TimeLeft(plan).left_s(from.segment, 0);
  checks_at_end_ = plan.presses >= kPressesWorthAChecking && touches_pad(plan);
}

double RecordTask::check_s() const {
  return checks_at_end_ ? registration_s_.value_or(kUsualRegistration_s) : 0;
}

Result<messages::Recorded> RecordTask::run() {
  tell_ = std::exchange(task_.news, [this](const messages::News& news) {
    if (const auto* progress = std::get_if<messages::Progress>(&news))
      tell_set_up(*progress);
    else
      tell_(news);
  });
  auto recorded = record();
  task_.news = tell_;
  return recorded;
}

Result<messages::Recorded> RecordTask::record() {
  if (order_.file.empty() || (!order_.resume && order_.protocol.is_null()))
    return fail(ErrorCode::kUsage, "record: file and protocol expected");
  const auto done = order_.resume ? record_on() : record_anew();
  if (!done) live_.event("fault", canonical(json{{"text", done.error().message}}));
  const auto closed = live_.end_recording();
  if (!done) return fail(done.error());
  if (!closed) return fail(closed.error());
  compact_file();
  return recorded_of(*done, order_.file);
}

/// Everything is recorded: what goes wrong here costs room and time, nothing else.
void RecordTask::compact_file() {
  Job job;
  job.stop = task_.stop;
  job.on_progress = [&](const Progress& at) {
    task_.progress("record", at.done, at.total, "puts the file's chunks together");
  };
  if (const auto compacted = compact(order_.file, job); !compacted)
    task_.warn({not_compacted(compacted.error(), order_.file)});
}

Result<Plan> RecordTask::plan_of(const Protocol& protocol, const RigFile& rig) const {
  return plan_protocol(protocol, live_.sensor(), setup_for(rig, bench_setup()));
}

Result<Plan> RecordTask::reachable_plan(const Protocol& protocol, const RigFile& rig) const {
  auto plan = plan_of(protocol, rig);
  if (!plan) return plan;
  if (const auto reached = check_reach(*plan, rig); !reached) return fail(reached.error());
  return plan;
}

Result<RigFile> RecordTask::described_rig() const {
  if (!order_.reference_spring_N_per_m) return file_.rig();
  auto document = file_.document();
  document["plate_stiffness_N_per_um"] = *order_.reference_spring_N_per_m * 1e-6;
  return parse_rig(document.dump(), "rig");
}

Result<RunReport> RecordTask::record_anew() {
  if (std::error_code ignored; std::filesystem::exists(order_.file, ignored))
    return fail(ErrorCode::kIo,
                "{}: there is a file of this name; choose another, remove it, or go on with it "
                "(--resume)",
                order_.file);
  const auto protocol = parse_protocol(order_.protocol.dump(), "protocol");
  if (!protocol) return fail(protocol.error());
  auto rig = described_rig();
  if (!rig) return fail(rig.error());
  auto plan = plan_of(*protocol, *rig);
  if (!plan) return fail(plan.error());
  expect(*plan, {});
  if (auto ready = set_up_.make_ready(task_, plan->indenter, touches_pad(*plan)); !ready)
    return fail(ready.error());
  rig = described_rig();  // places beside the pad depend on what was found
  if (!rig) return fail(rig.error());
  plan = reachable_plan(*protocol, *rig);
  if (!plan) return fail(plan.error());
  if (auto begun = begin_file(*rig, *plan, *protocol); !begun) return fail(begun.error());
  return follow_plan(*protocol, std::move(*plan), {});
}

Result<void> RecordTask::begin_file(const RigFile& rig, const Plan& plan,
                                    const Protocol& protocol) {
  const SessionNames names{order_.sensor_serial, order_.mount, order_.operator_name, order_.notes,
                           order_.temperature_degC};
  const auto metadata = live_metadata(with_steps_of(live_.stage().travel(), rig), live_.sensor(),
                                      plan, protocol, live_.shapes(), names, utc_now());
  if (!metadata) return fail(metadata.error());
  return live_.record_to(order_.file, *metadata);
}

Result<Protocol> RecordTask::protocol_before(const Session& before) const {
  auto protocol = protocol_of(before);
  if (!protocol || order_.protocol.is_null()) return protocol;
  if (auto same = parse_protocol(order_.protocol.dump(), "protocol");
      !same || same->document != protocol->document)
    return fail(ErrorCode::kUsage,
                "{}: was begun with another protocol ('{}'); leave --protocol out to go on with "
                "its own",
                order_.file, protocol->name);
  return protocol;
}

Result<ResumePoint> RecordTask::resume_from(const Session& before, const Plan& plan) const {
  auto point = resume_point(plan, before.events(), before.edits());
  if (!point) return fail(point.error(), order_.file);
  if (point->segment >= plan.segments.size() && order_.grows.is_null())
    return fail(ErrorCode::kUsage, "{}: is complete: nothing of its protocol is left to record",
                order_.file);
  return point;
}

Result<RunReport> RecordTask::record_on() {
  const auto before = Session::open(order_.file);
  if (!before) return fail(before.error());
  const auto protocol = protocol_before(*before);
  if (!protocol) return fail(protocol.error());
  auto plan = plan_of(*protocol, file_.rig());
  if (!plan) return fail(plan.error());
  auto point = resume_from(*before, *plan);
  if (!point) return fail(point.error());
  if (auto begun = go_on_with_file(*before, *point); !begun) return fail(begun.error());
  expect(*plan, *point);
  if (auto homed = set_up_.home(task_); !homed) return fail(homed.error());
  if (auto ready = set_up_.make_ready(task_, point->indenter, touches_pad(*plan)); !ready)
    return fail(ready.error());
  if (const auto& lay = before->metadata().stage_to_sensor; lay && touches_pad(*plan))
    if (auto there = check_shift(*lay); !there) return fail(there.error());
  plan = reachable_plan(*protocol, file_.rig());
  if (!plan) return fail(plan.error());
  // Over the surface that was found now a way may have become one piece more or less.
  point = resume_from(*before, *plan);
  if (!point) return fail(point.error());
  return follow_plan(*protocol, std::move(*plan), *point);
}

Result<void> RecordTask::go_on_with_file(const Session& before, const ResumePoint& point) {
  if (auto begun = live_.resume_recording(order_.file, before.metadata().created, task_.warnings);
      !begun)
    return begun;
  live_.event("resume",
              canonical(json{{"text", fmt::format("goes on after {} of {} pieces of the protocol",
                                                  point.pieces_done, point.pieces)}}));
  return {};
}

Result<void> RecordTask::check_shift(const StageToSensor& before) const {
  const auto& sensor = live_.sensor();
  const auto& array = sensor.arrays.front();
  const double allowed_m = kShift_pitch * std::min(array.pitch_x_m, array.pitch_y_m);
  const double shift_m = registration_shift_m(before, file_.rig().stage_to_sensor, sensor);
  if (shift_m <= allowed_m) return {};
  return fail(ErrorCode::kDeviceFault,
              "the pad lies {:.2f} mm from where it was when the recording began ({:.2f} mm are "
              "allowed): put it back and resume, or record into a new file",
              m_to_mm(shift_m), m_to_mm(allowed_m));
}

Result<void> RecordTask::still_there(const StageToSensor& begun) {
  if (set_up_.covers_pad()) return {};
  if (auto found = set_up_.registration(task_); !found) return fail(found.error());
  return check_shift(begun);
}

Result<RunReport> RecordTask::follow_part(Protocol& protocol, Plan& plan, const ResumePoint& from) {
  const auto begun = file_.rig().stage_to_sensor;
  Runner runner(live_, file_.rig(), plan, operator_, control_, task_.stop);
  runner.on_progress = [&](const RunProgress& at) {
    auto where = fmt::format("step {}", at.step);
    if (plan.presses > 0) where += fmt::format(", press {} of {}", at.presses, plan.presses);
    if (!at.detail.empty()) where += ": " + at.detail;
    tell_(messages::Progress{"record", std::move(where), real_s(at.done_s),
                             real_s(at.done_s + at.left_s), at.step,
                             real_s(at.left_s + check_s())});
  };
  runner.on_press = [&](const PressNews& press) {
    task_.news(messages::Press{press.press, press.tactel, messages::outcome_of(press.outcome)});
  };
  runner.on_collision = [&] { return still_there(begun); };
  runner.on_end = [&] { return grow(protocol, plan); };
  return runner.run(from.segment, from.presses);
}

void RecordTask::ask_for_steps(const Plan& plan, std::size_t from_segment) {
  if (!grows_) return;
  const auto file = live_.tap();
  const double now_s = file ? file->seconds(live_.clock().now_ns()) : 0;
  tell_(messages::Wanting{now_s + TimeLeft(plan).left_s(from_segment, 0)});
}

Result<std::optional<messages::FurtherOrder>> RecordTask::wait_for_steps() {
  constexpr std::int64_t kPatience_ns = 60'000'000'000;  // real time
  constexpr devices::Timeout kListen{20};
  auto& clock = devices::steady_host_clock();
  const auto give_up_ns = clock.now_ns() + kPatience_ns;
  if (auto further = further_.take()) return further;
  task_.progress("record", 0, 0, "waits for what to press next");
  while (true) {
    if (live_.trip()) return fail(ErrorCode::kDeviceFault, "{}", live_.trip()->text);
    if (task_.stop.stop_requested()) return Job::cancelled();
    ended_early_ = control_.finish;
    if (control_.finish) return std::nullopt;
    if (auto further = further_.take()) return further;
    if (clock.now_ns() > give_up_ns) break;
    if (auto heard = live_.pump(kListen); !heard) return fail(heard.error());
  }
  if (std::exchange(fell_back_, true) || order_.grows.empty()) return std::nullopt;
  task_.warn(
      {{"FURTHER", "nobody said within 60 s what to press next: the steps for that case follow",
        "after what was known"}});
  return messages::FurtherOrder{order_.grows, "nobody said what to press next", true};
}

Result<bool> RecordTask::grow(Protocol& protocol, Plan& plan) {
  if (!grows_) return false;
  auto further = wait_for_steps();
  if (!further) return fail(further.error());
  if (!*further || (*further)->steps.empty()) return false;
  ended_early_ = false;
  grows_ = !(*further)->last;
  auto longer = with_steps(protocol, (*further)->steps.dump(), "further steps");
  if (!longer) return fail(longer.error());
  auto longer_plan = reachable_plan(*longer, file_.rig());
  if (!longer_plan) return fail(longer_plan.error());
  if (!begins_with(*longer_plan, plan))
    return fail(ErrorCode::kInvalidInput, "{}: further steps change what was planned before them",
                plan.name);
  live_.event("steps", canonical(json{{"steps", (*further)->steps}, {"text", (*further)->why}}));
  const auto known = plan.segments.size();
  protocol = std::move(*longer);
  plan = std::move(*longer_plan);
  checks_at_end_ = plan.presses >= kPressesWorthAChecking;
  ask_for_steps(plan, known);
  return true;
}

Result<RunReport> RecordTask::follow_plan(Protocol protocol, Plan plan, ResumePoint from) {
  // Of sensor and rig, and no news with the next recording.
  for (const auto& warning : plan.warnings)
    if (told_.insert(warning.where + warning.text).second) task_.warn({warning});
  task_.warn(coarse_steps(plan, file_.rig()));
  grows_ = !order_.grows.is_null();
  further_.open(grows_);
  ask_for_steps(plan, from.segment);
  RunReport report;
  auto part = follow_part(protocol, plan, from);
  for (; part && part->goes_on_at; part = follow_part(protocol, plan, from)) {
    add(*part, report);
    from.segment = *part->goes_on_at;
    from.presses = part->presses;
    if (auto taken = set_up_.take_new_tip(task_, *plan.segments[from.segment - 1].indenter); !taken)
      return fail(taken.error());
    auto moved = plan_of(protocol, file_.rig());
    if (!moved) return fail(moved.error());
    // A way through the air may have become one piece more or less: no segment keeps its number.
    const auto same = behind_same_tip(plan, from.segment, *moved);
    if (!same || moved->presses != plan.presses)
      return fail(ErrorCode::kInvalidInput, "{}: the plan depends on where the surface lies",
                  plan.name);
    from.segment = *same;
    plan = std::move(*moved);
    if (const auto reached = check_reach(plan, file_.rig()); !reached) return fail(reached.error());
  }
  further_.open(false);
  if (!part) return part;
  add(*part, report);
  report.complete = report.complete && !ended_early_;
  task_.warn(report.warnings);
  plan_s_ = 0;
  set_up_stage_.clear();
  const bool checks = std::exchange(checks_at_end_, false);
  if (report.complete && checks)
    if (auto checked = check_at_end(); !checked) return fail(checked.error());
  return report;
}

/// A shift is a warning now: everything is recorded.
Result<void> RecordTask::check_at_end() {
  const auto there = still_there(StageToSensor(file_.rig().stage_to_sensor));
  if (there) return {};
  if (live_.trip() || task_.stop.stop_requested()) return there;
  task_.warn({{"SHIFT", there.error().message, "after the last press"}});
  return {};
}

}  // namespace tactelier::rig
