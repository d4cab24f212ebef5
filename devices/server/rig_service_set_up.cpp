// RigService: what is done before a recording, and by hand.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "devices/acquisition/session_document.hpp"
#include "devices/motion/hand_push.hpp"
#include "devices/server/rig_service.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr double kRegisterForce_N = 1;
constexpr double kPushMean_s = 0.3;

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

}  // namespace

Result<json> RigService::home(const Task& task) {
  progress(task, "home", 0, 0, "Z first, upwards");
  live_->stage().unlock();
  surface_found_ = registered_ = false;
  if (auto homed = live_->stage().home(); !homed) return fail(homed.error());
  if (auto heard = live_->pump(Timeout(200)); !heard) return fail(heard.error());
  live_->forget_tip();
  if (auto tared = live_->tare_at_top(); !tared) return fail(tared.error());
  live_->event("home", R"({"text": "reference switches found"})");
  return to_json(status());
}

Result<void> RigService::need_home() const {
  if (live_->stage().position_trusted()) return {};
  return fail(ErrorCode::kDeviceFault, "the stage's position is not known ({}); home it first",
              live_->stage().position_doubt());
}

Result<json> RigService::jog(const Task& task) {
  const auto way = messages::jog_in(task.request);
  if (!way) return fail(way.error());
  if (auto homed = need_home(); !homed) return fail(homed.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  const auto at_m = live_->reading().stage.position_m;
  Vector3 to_m{};
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] = at_m[axis] + way->by_m[axis];
  live_->watch_ages(true);
  auto gone = jog_to(motion, motion.frame().plan_from_stage_m(to_m), way->speed_m_per_s);
  if (!gone && gone.error().code != ErrorCode::kCancelled) make_safe(motion);
  live_->watch_ages(false);
  if (!gone) return fail(gone.error());
  return to_json(status());
}

/// Upwards and sideways in one move, then down. A jog never presses: what it touches ends it, and
/// the tip is raised.
Result<void> RigService::jog_to(RigMotion& motion, const Vector3& to_m, double speed_m_per_s) {
  const auto at_m = motion.at_m();
  auto level_m = to_m;
  level_m[2] = std::max(to_m[2], at_m[2]);
  if (auto gone = motion.go(level_m, speed_m_per_s); !gone) return gone;
  if (to_m[2] >= at_m[2]) return {};
  return motion.go(to_m, speed_m_per_s);
}

Result<json> RigService::retract() {
  if (auto homed = need_home(); !homed) return fail(homed.error());
  RigMotion motion(*live_, rig_, live_->sensor(), {});
  if (auto up = motion.retreat(); !up) return fail(up.error());
  return to_json(status());
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
  live_->forget_tip();
  return operator_at_rig().begin_with(indenter);
}

/// What must be there before: with "set_up" it is made, else it is asked for.
Result<void> RigService::prepare(const Task& task, bool there, const char* name,
                                 Result<json> (RigService::*run)(const Task&)) {
  if (there) return {};
  if (!messages::wants_set_up(task.request))
    return fail(ErrorCode::kUsage, "not ready: run 'tactelier {}' first, or let record do it",
                name);
  auto done = (this->*run)(task);
  if (!done) return fail(done.error(), name);
  return {};
}

Result<void> RigService::need_rough_surface() const {
  if (rig_.surface_known) return {};
  return fail(ErrorCode::kUsage,
              "the rig file states no surface: write about where the tip touches as "
              "surface.z0_mm; it is looked for from {:.3g} mm above that to {:.3g} mm below",
              m_to_mm(rig_.stage.safe_height_m), m_to_mm(2 * rig_.stage.safe_height_m));
}

/// Waits for somebody's yes; the stage is listened to meanwhile.
Result<void> RigService::ask(const Question& question) {
  const auto waiting = [this]() -> Result<void> {
    if (cancel_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    return live_->pump(Timeout(10));
  };
  if (auto answer = operator_at_rig().ask(question, waiting); !answer) return fail(answer.error());
  return {};
}

Result<std::array<double, 3>> RigService::mean_force_N() {
  const auto mean = live_->quiet_mean(kPushMean_s, false);
  if (!mean) return fail(mean.error());
  return std::array{mean->wrench_SI[0], mean->wrench_SI[1], mean->wrench_SI[2]};
}

/// What somebody's hands add to the force, sensor's axes.
Result<std::array<double, 3>> RigService::felt_N(const Question& what) {
  const auto before = mean_force_N();
  if (!before) return fail(before.error());
  if (auto asked = ask(what); !asked) return fail(asked.error());
  auto felt = mean_force_N();
  if (!felt) return felt;
  for (std::size_t i = 0; i < 3; ++i) (*felt)[i] -= (*before)[i];
  return felt;
}

/// Before the first move nothing may be left of the hands: neither a finger nor the weight.
Result<void> RigService::let_go(const std::array<double, 3>& untouched_N) {
  constexpr double kLeft_N = 0.05;
  if (auto clear = ask({"Hands off the rig: it moves next.", ""}); !clear) return clear;
  if (auto settled = mean_force_N(); !settled) return fail(settled.error());
  const auto now_N = mean_force_N();
  if (!now_N) return fail(now_N.error());
  const double left_N = std::hypot((*now_N)[0] - untouched_N[0], (*now_N)[1] - untouched_N[1],
                                   (*now_N)[2] - untouched_N[2]);
  if (left_N <= kLeft_N) return {};
  return fail(
      ErrorCode::kDeviceFault,
      "{:.2f} N are left of what was pushed and hung ({:.2f} N are allowed): take everything "
      "off the tip and begin again",
      left_N, kLeft_N);
}

Result<void> RigService::prove_gain(const ForceAxes& axes) {
  const auto rig = json::parse(rig_.document);
  const auto mass_g = get_number(rig, "check_mass_g");
  if (!mass_g) return {};
  const double mass_kg = g_to_kg(*mass_g);
  Question hang{hang_text(mass_kg), ""};
  hang.hung_kg = mass_kg;
  const auto felt = felt_N(hang);
  if (!felt) return fail(felt.error());
  if (auto judged = judge_weight(mass_kg, *felt, axes); !judged) return judged;
  Question off{"Take the weight off.", ""};
  off.hung_kg = 0;
  return ask(off);
}

Result<void> RigService::prove_force_axes(const Task& task) {
  if (force_proved_) return {};
  const auto rig = json::parse(rig_.document);
  ForceAxes axes{rig_.press_axis, {}};
  if (rig_.registered && rig.contains("force_sensor")) {
    const double rz_deg = get_number(rig["force_sensor"], "rz_deg").value_or(0);
    axes.rz_rad = deg_to_rad(rz_deg) - rig_.stage_to_sensor.rz_rad;
  }
  const auto untouched = mean_force_N();
  if (!untouched) return fail(untouched.error());
  const auto& scale = live_->shapes().force.SI_per_count;
  const bool three_axes = scale[0] != 0 && scale[1] != 0;
  int done = 0;
  for (const auto push : {Push::kUp, Push::kX, Push::kY}) {
    if (push != Push::kUp && !three_axes) continue;
    progress(task, "force axes", done++, 3);
    Question question{push_text(push), ""};
    question.push_N = push_N(push);
    const auto felt = felt_N(question);
    if (!felt) return fail(felt.error());
    if (auto judged = judge_push(push, *felt, axes); !judged) return judged;
    Question off{"Let go.", ""};
    off.push_N = Vector3{};
    if (auto let_go = ask(off); !let_go) return let_go;
  }
  if (auto gain = prove_gain(axes); !gain) return gain;
  if (auto clear = let_go(*untouched); !clear) return clear;
  force_proved_ = true;
  return keep_rig({{"force_push_date", utc_now()}});
}

Error RigService::explain_touch(const Error& error, const RigMotion& motion) const {
  const auto trip = live_->trip();
  if (!trip || trip->kind != LimitKind::kAirForce) return error;
  const double over_m = motion.frame().plan_from_stage_m(live_->reading().stage.position_m)[2];
  return {error.code,
          fmt::format("{}. It stands {:.2f} mm over the surface that the rig file states: is the "
                      "pad thicker, the tip longer, or was the stage homed elsewhere? If it is the "
                      "pad, write surface.z0_mm = {:.2f} into the rig file",
                      error.message, m_to_mm(over_m), m_to_mm(rig_.surface.z0_m + over_m))};
}

Result<json> RigService::surface(const Task& task) {
  if (auto homed = prepare(task, live_->stage().position_trusted(), "rig home", &RigService::home);
      !homed)
    return fail(homed.error());
  if (auto rough = need_rough_surface(); !rough) return fail(rough.error());
  if (auto proven = prove_force_axes(task); !proven) return fail(proven.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  live_->watch_ages(true);
  auto found = find_surface(*live_, motion, live_->sensor(), rig_,
                            [&](int done, int total) { progress(task, "surface", done, total); });
  if (!found) {
    const auto error = explain_touch(found.error(), motion);
    make_safe(motion);
    return fail(error);
  }
  live_->watch_ages(false);
  warnings_.insert(warnings_.end(), found->warnings.begin(), found->warnings.end());
  const auto document = surface_json(*found);
  json changes{{"surface", document}, {"surface_date", utc_now()}};
  if (mounted_) changes["surface_indenter"] = json::parse(*mounted_);
  if (auto kept = keep_rig(changes); !kept) return fail(kept.error());
  surface_found_ = true;
  live_->air().confirm_over(PadFrame(rig_, live_->sensor()), live_->sensor());
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
  const double force_N = messages::register_force_N(task.request).value_or(kRegisterForce_N);
  auto found =
      find_registration(*live_, motion, descent, live_->sensor(), rig_, force_N,
                        [&](int done, int total) { progress(task, "register", done, total); });
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
  live_->air().confirm_over(PadFrame(rig_, live_->sensor()), live_->sensor());
  live_->event("register", document.dump());
  auto result = document;
  result["scale"] = found->scale;
  result["u_xy_um"] = found->u_xy_m * 1e6;
  result["u_rz_deg"] = found->u_rz_rad / deg_to_rad(1);
  result["residual_um"] = found->residual_m * 1e6;
  result["shift_mm"] = m_to_mm(shift_m);
  return result;
}

Result<void> RigService::set_up(const Task& task, const std::optional<MountedIndenter>& indenter,
                                bool touches_pad) {
  if (!live_->stage().position_trusted()) surface_found_ = registered_ = false;
  if (indenter)
    if (auto mounted = mount(*indenter); !mounted) return mounted;
  if (!touches_pad) {
    if (auto rough = need_rough_surface(); !rough) return rough;
    if (auto proven = prove_force_axes(task); !proven) return proven;
    return prepare(task, live_->stage().position_trusted(), "rig home", &RigService::home);
  }
  return prepare(task, surface_found_, "surface", &RigService::surface).and_then([&] {
    return prepare(task, registered_, "register", &RigService::registration);
  });
}

Result<json> RigService::keep(const Task& task) {
  auto changes = messages::changes_in(task.request);
  if (!changes) return changes;
  constexpr std::array<std::string_view, 4> kFound{"/compliance_um_per_N", "/compliance_date",
                                                   "/plate_mm", "/stage/backlash_um/z"};
  const auto flat = changes->flatten();
  for (const auto& [key, value] : flat.items())
    if (std::none_of(kFound.begin(), kFound.end(),
                     [&](std::string_view one) { return key.starts_with(one); }))
      return fail(ErrorCode::kUsage, "keep: '{}' is nothing that a set-up run finds", key);
  if (changes->contains("stage")) {
    auto stage = json::parse(rig_.document)["stage"];
    stage.update((*changes)["stage"], /*merge_objects=*/true);
    (*changes)["stage"] = std::move(stage);
  }
  if (auto kept = keep_rig(*changes); !kept) return fail(kept.error());
  return json::object();
}

}  // namespace tactelier::rig
