// RigService: what is done before a recording, and by hand.

#include <algorithm>
#include <array>
#include <limits>

#include "devices/rig/bench_hands.hpp"
#include "devices/rig/hand_push.hpp"
#include "devices/rig/rig_service.hpp"
#include "devices/rig/session_document.hpp"
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
  live_->event("home", R"({"text": "reference switches found"})");
  return status();
}

Result<void> RigService::need_home() const {
  if (live_->stage().position_trusted()) return {};
  return fail(ErrorCode::kDeviceFault, "the stage's position is not known ({}); home it first",
              live_->stage().position_doubt());
}

Result<JogWay> jog_way(const json& request) {
  const auto* by = get_member(request, "by_mm");
  const bool three = by != nullptr && by->is_array() && by->size() == 3;
  if (!three || !std::all_of(by->begin(), by->end(), [](const json& x) { return x.is_number(); }))
    return fail(ErrorCode::kUsage, "jog: by_mm with x, y, z expected");
  JogWay way;
  for (std::size_t axis = 0; axis < 3; ++axis) way.by_m[axis] = mm_to_m((*by)[axis].get<double>());
  way.speed_m_s = mm_to_m(get_number(request, "speed_mm_s").value_or(1));
  return way;
}

Result<json> RigService::jog(const Task& task) {
  const auto way = jog_way(task.request);
  if (!way) return fail(way.error());
  if (auto homed = need_home(); !homed) return fail(homed.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  const auto at_m = live_->reading().stage.position_m;
  Vector3 to_m{};
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] = at_m[axis] + way->by_m[axis];
  live_->watch_ages(true);
  ContactState contact{true, true, 0, 0, 0, 0};
  contact.surface_z_m = motion.frame().stage_from_plan_m({0, 0, 0})[2];
  live_->set_contact(contact);
  auto gone = jog_to(motion, motion.frame().plan_from_stage_m(to_m), way->speed_m_s);
  if (!gone && gone.error().code != ErrorCode::kCancelled) make_safe(motion);
  live_->set_contact({});
  live_->watch_ages(false);
  if (!gone) return fail(gone.error());
  return status();
}

/// How high over the believed surface the way down may be fast.
double RigService::nearest_surface_m() const {
  if (surface_found_) return 0;
  if (rig_.surface_known || hands_) return rig_.stage.safe_height_m;
  return std::numeric_limits<double>::infinity();
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
  goal.surface_z_m = nearest_surface_m();
  goal.speed_m_s = speed_m_s;
  goal.ceiling_N = descent_ceiling_N(*live_, rig_, Touch::kPad);
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

/// Nobody knows how far the way down is safe before somebody has said so.
Result<void> RigService::need_rough_surface() const {
  if (rig_.surface_known || hands_) return {};
  return fail(ErrorCode::kUsage,
              "the rig file states no surface: write about where the tip touches as "
              "surface.z0_mm, rather too high than too low. The way there is fast until {:.3g} mm "
              "above it",
              m_to_mm(rig_.stage.safe_height_m));
}

Result<void> RigService::ask_about_tip() {
  const auto rig = json::parse(rig_.document);
  const auto* before = get_member(rig, "surface_indenter");
  if (hands_ || !before || !mounted_ || json::parse(*mounted_) == *before) return {};
  const auto name = [](const json& indenter) { return indenter.value("id", indenter.dump()); };
  const auto text = fmt::format(
      "The surface was found with {}, now {} is on the tip. The way down is fast until {:.3g} mm "
      "above that surface: go on only if the new tip is longer by less than half of that. If it "
      "is longer, or you don't know, stop and raise surface.z0_mm in the rig file by the "
      "difference.",
      name(*before), name(json::parse(*mounted_)), m_to_mm(rig_.stage.safe_height_m));
  return ask(text);
}

/// Waits for somebody's yes; the stage is listened to meanwhile.
Result<void> RigService::ask(const std::string& text) {
  const auto waiting = [this]() -> Result<void> {
    if (cancel_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    return live_->pump(Timeout(10));
  };
  if (auto answer = desk().ask({text, "", {}, 0}, waiting); !answer) return fail(answer.error());
  return {};
}

Result<std::array<double, 3>> RigService::mean_force_N() {
  const auto mean = live_->quiet_mean(kPushMean_s);
  if (!mean) return fail(mean.error());
  return std::array{mean->wrench_SI[0], mean->wrench_SI[1], mean->wrench_SI[2]};
}

Result<void> RigService::prove_force_axes(const Task& task) {
  const auto rig = json::parse(rig_.document);
  if (hands_ || !get_text(rig, "force_push_date").empty()) return {};
  const auto press = press_axis_of(rig_);
  if (!press) return fail(press.error());
  ForceAxes axes{press->first, press->second, {}};
  if (rig_.registered && rig.contains("force_sensor")) {
    const double rz_deg = get_number(rig["force_sensor"], "rz_deg").value_or(0);
    axes.rz_rad = deg_to_rad(rz_deg) - rig_.stage_to_sensor.rz_rad;
  }
  const auto& scale = live_->shapes().force.SI_per_count;
  const bool three_axes = scale[0] != 0 && scale[1] != 0;
  int done = 0;
  for (const auto push : {Push::kUp, Push::kX, Push::kY}) {
    if (push != Push::kUp && !three_axes) continue;
    progress(task, "force axes", done++, 3);
    const auto before = mean_force_N();
    if (!before) return fail(before.error());
    if (auto asked = ask(push_text(push)); !asked) return asked;
    auto felt = mean_force_N();
    if (!felt) return fail(felt.error());
    for (std::size_t i = 0; i < 3; ++i) (*felt)[i] -= (*before)[i];
    if (auto judged = judge_push(push, *felt, axes); !judged) return judged;
    if (auto off = ask("Let go."); !off) return off;
  }
  if (auto clear = ask("Hands off the rig: it moves next."); !clear) return clear;
  return keep_rig({{"force_push_date", utc_now()}});
}

Result<json> RigService::surface(const Task& task) {
  if (auto homed = prepare(task, live_->stage().position_trusted(), "rig home", &RigService::home);
      !homed)
    return fail(homed.error());
  if (auto rough = need_rough_surface(); !rough) return fail(rough.error());
  if (auto fits = ask_about_tip(); !fits) return fail(fits.error());
  if (auto proven = prove_force_axes(task); !proven) return fail(proven.error());
  RigMotion motion(*live_, rig_, live_->sensor(), cancel_.get_token());
  live_->watch_ages(true);
  auto found = find_surface(*live_, motion, live_->sensor(), rig_,
                            [&](int done, int total) { progress(task, "surface", done, total); });
  if (!found) {
    make_safe(motion);
    return fail(found.error());
  }
  live_->watch_ages(false);
  warnings_.insert(warnings_.end(), found->warnings.begin(), found->warnings.end());
  const auto document = surface_json(*found);
  json changes{{"surface", document}, {"surface_date", utc_now()}};
  if (mounted_) changes["surface_indenter"] = json::parse(*mounted_);
  if (auto kept = keep_rig(changes); !kept) return fail(kept.error());
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
  const auto* found = get_member(task.request, "rig");
  if (found == nullptr || !found->is_object())
    return fail(ErrorCode::kUsage, "keep: 'rig' with what was found expected");
  constexpr std::array<std::string_view, 4> kFound{"/compliance_um_per_N", "/compliance_date",
                                                   "/plate_mm", "/stage/backlash_um/z"};
  const auto flat = found->flatten();
  for (const auto& [key, value] : flat.items())
    if (std::none_of(kFound.begin(), kFound.end(),
                     [&](std::string_view one) { return key.starts_with(one); }))
      return fail(ErrorCode::kUsage, "keep: '{}' is nothing that a set-up run finds", key);
  auto changes = *found;
  if (changes.contains("stage")) {
    auto stage = json::parse(rig_.document)["stage"];
    stage.update(changes["stage"], /*merge_objects=*/true);
    changes["stage"] = std::move(stage);
  }
  if (auto kept = keep_rig(changes); !kept) return fail(kept.error());
  return json::object();
}

}  // namespace tactelier::rig
