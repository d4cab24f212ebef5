// RigService: recordings.

#include <algorithm>

#include "devices/acquisition/resume_point.hpp"
#include "devices/acquisition/session_document.hpp"
#include "devices/server/rig_service.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using messages::RecordOrder;
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

/// The rig as this recording's file describes it: with a spring in the plate's place, if one is
/// there.
Result<RigFile> described_rig(const RigFile& rig, const RecordOrder& order) {
  if (!order.reference_spring_N_per_m) return rig;
  auto document = json::parse(rig.document);
  document["plate_stiffness_N_per_um"] = *order.reference_spring_N_per_m * 1e-6;
  return parse_rig(document.dump(), "rig");
}

}  // namespace

Result<Plan> RigService::plan_of(const Protocol& protocol, const RigFile& rig) const {
  return plan_protocol(protocol, live_->sensor(), setup_for(rig, bench_setup()));
}

Result<json> RigService::record(const Task& task) {
  const auto order = messages::record_order_in(task.request);
  if (order.file.empty() || (!order.resume && order.protocol.is_null()))
    return fail(ErrorCode::kUsage, "record: file and protocol expected");
  auto done = order.resume ? record_on(task, order) : record_anew(task, order);
  if (!done) live_->event("fault", canonical(json{{"text", done.error().message}}));
  const auto closed = live_->end_recording();
  if (done && !closed) return fail(closed.error());
  return done;
}

Result<json> RigService::record_anew(const Task& task, const RecordOrder& order) {
  const std::filesystem::path file = order.file;
  if (std::error_code ignored; std::filesystem::exists(file, ignored))
    return fail(ErrorCode::kIo,
                "{}: there is a file of this name; choose another, remove it, or go on with it "
                "(--resume)",
                file.string());
  const auto protocol = parse_protocol(order.protocol.dump(), "protocol");
  if (!protocol) return fail(protocol.error());
  auto rig = described_rig(rig_, order);
  if (!rig) return fail(rig.error());
  auto plan = plan_of(*protocol, *rig);
  if (!plan) return fail(plan.error());
  if (auto ready = set_up(task, plan->indenter, touches_pad(*plan)); !ready)
    return fail(ready.error());
  rig = described_rig(rig_, order);  // places beside the pad depend on what was found
  if (!rig) return fail(rig.error());
  plan = plan_of(*protocol, *rig);
  if (!plan) return fail(plan.error());
  if (const auto reached = check_reach(*plan, *rig); !reached) return fail(reached.error());
  const SessionNames names{order.sensor_serial, order.mount, order.operator_name, order.notes};
  const auto metadata =
      live_metadata(*rig, live_->sensor(), *plan, *protocol, live_->shapes(), names, utc_now());
  if (!metadata) return fail(metadata.error());
  if (auto begun = live_->record_to(file, *metadata); !begun) return fail(begun.error());
  return follow_plan(task, order, *protocol, std::move(*plan), {});
}

/// The rig may have been touched, moved or switched off since: everything is found again.
Result<json> RigService::record_on(const Task& task, const RecordOrder& order) {
  const std::filesystem::path file = order.file;
  const auto before = Session::open(file);
  if (!before) return fail(before.error());
  const auto protocol = protocol_of(*before);
  if (!protocol) return fail(protocol.error());
  if (!order.protocol.is_null())
    if (auto same = parse_protocol(order.protocol.dump(), "protocol");
        !same || same->document != protocol->document)
      return fail(ErrorCode::kUsage,
                  "{}: was begun with another protocol ('{}'); leave --protocol out to go on with "
                  "its own",
                  file.string(), protocol->name);
  auto plan = plan_of(*protocol, rig_);
  if (!plan) return fail(plan.error());
  auto point = resume_point(*plan, before->events(), before->edits());
  if (!point) return fail(point.error(), file.string());
  if (point->segment >= plan->segments.size())
    return fail(ErrorCode::kUsage, "{}: is complete: nothing of its protocol is left to record",
                file.string());
  if (auto begun = live_->resume_recording(file, before->metadata().created, warnings_); !begun)
    return fail(begun.error());
  live_->event("resume",
               canonical(json{{"text", fmt::format("goes on after {} of {} pieces of the protocol",
                                                   point->pieces_done, point->pieces)}}));
  if (auto homed = home(task); !homed) return fail(homed.error());
  if (auto ready = set_up(task, point->indenter, touches_pad(*plan)); !ready)
    return fail(ready.error());
  if (const auto& lay = before->metadata().stage_to_sensor; lay && touches_pad(*plan))
    if (auto there = check_shift(*lay); !there) return fail(there.error());
  plan = plan_of(*protocol, rig_);
  if (!plan) return fail(plan.error());
  if (const auto reached = check_reach(*plan, rig_); !reached) return fail(reached.error());
  return follow_plan(task, order, *protocol, std::move(*plan), *point);
}

Result<void> RigService::check_shift(const StageToSensor& before) const {
  const auto& sensor = live_->sensor();
  const auto& array = sensor.arrays.front();
  const double allowed_m = kShift_pitch * std::min(array.pitch_x_m, array.pitch_y_m);
  const double shift_m = registration_shift_m(before, rig_.stage_to_sensor, sensor);
  if (shift_m <= allowed_m) return {};
  return fail(ErrorCode::kDeviceFault,
              "the pad lies {:.2f} mm from where it was when the recording began ({:.2f} mm are "
              "allowed): put it back and resume, or record into a new file",
              m_to_mm(shift_m), m_to_mm(allowed_m));
}

Result<void> RigService::still_there(const Task& task, const StageToSensor& begun) {
  if (auto found = registration(task); !found) return fail(found.error());
  return check_shift(begun);
}

Result<RunReport> RigService::follow_part(const Task& task, const Plan& plan,
                                          const ResumePoint& from) {
  const auto begun = rig_.stage_to_sensor;
  Runner runner(*live_, rig_, plan, operator_at_rig(), control_, cancel_.get_token());
  runner.on_progress = [&](const RunProgress& at) {
    task.news(messages::Progress{
        "record", fmt::format("step {}, press {} of {}", at.step, at.presses, plan.presses),
        at.planned_s, at.total_s, at.step});
  };
  runner.on_press = [&](const PressNews& press) {
    task.news(messages::Press{press.press, press.tactel, messages::outcome_of(press.outcome)});
  };
  runner.on_collision = [&] { return still_there(task, begun); };
  return runner.run(from.segment, from.presses);
}

/// Another tip is longer or shorter, and sits a little elsewhere.
Result<void> RigService::take_new_tip(const Task& task, const MountedIndenter& indenter) {
  mounted_ = indenter.json;  // the answer to the prompt
  live_->forget_tip();
  surface_found_ = registered_ = false;
  if (auto found = surface(task); !found) return fail(found.error(), "after the new tip");
  if (auto found = registration(task); !found) return fail(found.error(), "after the new tip");
  return {};
}

Result<json> RigService::follow_plan(const Task& task, const RecordOrder& order,
                                     const Protocol& protocol, Plan plan, ResumePoint from) {
  warnings_.insert(warnings_.end(), plan.warnings.begin(), plan.warnings.end());
  RunReport report;
  auto part = follow_part(task, plan, from);
  for (; part && part->goes_on_at; part = follow_part(task, plan, from)) {
    add(*part, report);
    from.segment = *part->goes_on_at;
    from.presses = part->presses;
    if (auto taken = take_new_tip(task, *plan.segments[from.segment - 1].indenter); !taken)
      return fail(taken.error());
    auto moved = plan_of(protocol, rig_);
    if (!moved) return fail(moved.error());
    if (moved->segments.size() != plan.segments.size())
      return fail(ErrorCode::kInvalidInput, "{}: the plan depends on where the surface lies",
                  plan.name);
    plan = std::move(*moved);
    if (const auto reached = check_reach(plan, rig_); !reached) return fail(reached.error());
  }
  if (!part) return fail(part.error());
  add(*part, report);
  warnings_.insert(warnings_.end(), report.warnings.begin(), report.warnings.end());
  if (report.complete && plan.presses >= kPressesWorthAChecking)
    if (const auto there = still_there(task, StageToSensor(rig_.stage_to_sensor)); !there) {
      if (live_->trip() || cancel_.stop_requested()) return fail(there.error());
      warnings_.push_back({"SHIFT", there.error().message, "after the last press"});
    }
  messages::Recorded recorded{order.file};
  recorded.presses = report.presses;
  recorded.aborted = report.aborted;
  recorded.repeated = report.repeated;
  recorded.undone = report.undone;
  recorded.complete = report.complete;
  recorded.peak_force_N = report.peak_force_N;
  recorded.duration_s = report.duration_s;
  return to_json(recorded);
}

}  // namespace tactelier::rig
