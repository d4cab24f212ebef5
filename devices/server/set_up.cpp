#include "devices/server/set_up.hpp"

#include <algorithm>
#include <cmath>

#include "devices/acquisition/session_document.hpp"
#include "devices/motion/descent.hpp"
#include "devices/motion/registration.hpp"
#include "devices/motion/surface_search.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr double kRegisterForce_N = 1;
// A touch finds the same surface within some micrometres, rubber that was pressed before included.
constexpr double kSameTip_m = 30e-6;

json surface_json(const FoundSurface& found) {
  return {{"z0_mm", m_to_mm(found.surface.z0_m)},
          {"tilt_x_deg", rad_to_deg(found.surface.tilt_x_rad)},
          {"tilt_y_deg", rad_to_deg(found.surface.tilt_y_rad)}};
}

/// The rig file's members, and what only a client wants to know.
json surface_result(const FoundSurface& found) {
  auto points = json::array();
  for (const auto& point : found.points)
    points.push_back({{"x_mm", m_to_mm(point.x_m)},
                      {"y_mm", m_to_mm(point.y_m)},
                      {"z_mm", m_to_mm(point.z_m)},
                      {"u_um", point.u_m * 1e6}});
  auto result = surface_json(found);
  result["u_z0_um"] = found.u_z0_m * 1e6;
  result["u_tilt_x_deg"] = rad_to_deg(found.u_tilt_x_rad);
  result["u_tilt_y_deg"] = rad_to_deg(found.u_tilt_y_rad);
  result["tilt_deg"] = rad_to_deg(found.tilt_rad());
  result["points"] = std::move(points);
  return result;
}

json frame_json(const StageToSensor& frame) {
  return {{"x_mm", m_to_mm(frame.x_m)},
          {"y_mm", m_to_mm(frame.y_m)},
          {"rz_deg", rad_to_deg(frame.rz_rad)},
          {"mirror", frame.mirror}};
}

json registration_result(const FoundRegistration& found, double shift_m) {
  auto result = frame_json(found.frame);
  result["scale"] = found.scale;
  result["u_xy_um"] = found.u_xy_m * 1e6;
  result["u_rz_deg"] = rad_to_deg(found.u_rz_rad);
  result["residual_um"] = found.residual_m * 1e6;
  result["shift_mm"] = m_to_mm(shift_m);
  return result;
}

/// Upwards and sideways in one move, then down.
Result<void> jog_to(RigMotion& motion, const Vector3& to_m, double speed_m_per_s) {
  const auto at_m = motion.at_m();
  auto level_m = to_m;
  level_m[2] = std::max(to_m[2], at_m[2]);
  if (auto gone = motion.go(level_m, speed_m_per_s); !gone) return gone;
  if (to_m[2] >= at_m[2]) return {};
  return motion.go(to_m, speed_m_per_s);
}

/// Only whether it went well.
Result<void> outcome(const Result<json>& found) {
  if (!found) return fail(found.error());
  return {};
}

}  // namespace

Result<void> SetUp::home(RunningTask& task) {
  task.progress("home", 0, 0, "Z first, upwards");
  live_.stage().unlock();
  forget_places();
  if (auto homed = live_.stage().home(); !homed) return homed;
  if (auto heard = live_.pump(Timeout(200)); !heard) return heard;
  live_.forget_tip();
  if (auto tared = live_.tare_at_top(); !tared) return tared;
  live_.event("home", R"({"text": "reference switches found"})");
  return {};
}

Result<void> SetUp::need_home() const {
  if (live_.stage().position_trusted()) return {};
  return fail(ErrorCode::kDeviceFault, "the stage's position is not known ({}); home it first",
              live_.stage().position_doubt());
}

Result<void> SetUp::jog(RunningTask& task) {
  const auto way = messages::jog_in(task.request);
  if (!way) return fail(way.error());
  if (auto homed = need_home(); !homed) return homed;
  auto moves = motion(task.stop);
  const auto at_m = live_.reading().stage.position_m;
  Vector3 to_m{};
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] = at_m[axis] + way->by_m[axis];
  if (auto there = moves.check_travel(to_m); !there) return there;
  live_.watch_ages(true);
  auto gone = jog_to(moves, moves.frame().plan_from_stage_m(to_m), way->speed_m_per_s);
  if (!gone && gone.error().code != ErrorCode::kCancelled) make_safe(moves);
  live_.watch_ages(false);
  return gone;
}

Result<void> SetUp::retract() {
  if (auto homed = need_home(); !homed) return homed;
  auto moves = motion({});
  return moves.retreat();
}

void SetUp::make_safe(RigMotion& moves) {
  live_.set_contact({});
  live_.in_free_air(false);
  if (live_.trip())
    (void)live_.secure();
  else if (!moves.retreat() && live_.trip())
    (void)live_.secure();
  live_.watch_ages(false);
}

Result<void> SetUp::mount(const MountedIndenter& indenter) {
  if (mounted_ && *mounted_ == indenter) return {};
  if (mounted_) forget_places();
  mounted_ = indenter;
  live_.forget_tip();
  return operator_.begin_with(indenter);
}

Result<void> SetUp::prepare(RunningTask& task, bool there, const char* name,
                            const std::function<Result<void>()>& make) const {
  if (there) return {};
  if (!messages::wants_set_up(task.request))
    return fail(ErrorCode::kUsage, "not ready: run 'tactelier {}' first, or let record do it",
                name);
  if (auto made = make(); !made) return fail(made.error(), name);
  return {};
}

Result<void> SetUp::find_home(RunningTask& task) {
  return prepare(task, live_.stage().position_trusted(), "rig home", [&] { return home(task); });
}

Result<void> SetUp::need_rough_surface() const {
  const auto& rig = file_.rig();
  if (rig.surface_known) return {};
  return fail(ErrorCode::kUsage,
              "the rig file states no surface: write about where the tip touches as "
              "surface.z0_mm; it is looked for from {:.3g} mm above that to {:.3g} mm below",
              m_to_mm(rig.stage.safe_height_m), m_to_mm(2 * rig.stage.safe_height_m));
}

Error SetUp::explain_touch(const Error& error, const RigMotion& moves) const {
  const auto trip = live_.trip();
  if (!trip || trip->kind != LimitKind::kAirForce) return error;
  const double over_m = moves.frame().plan_from_stage_m(live_.reading().stage.position_m)[2];
  return {error.code,
          fmt::format("{}. It stands {:.2f} mm over the surface that the rig file states: is the "
                      "pad thicker, the tip longer, or was the stage homed elsewhere? If it is the "
                      "pad, write surface.z0_mm = {:.2f} into the rig file",
                      error.message, m_to_mm(over_m), m_to_mm(file_.rig().surface.z0_m + over_m))};
}

void SetUp::confirm_air() {
  live_.air().confirm_over(PadFrame(file_.rig(), live_.sensor()), live_.sensor());
}

Result<void> SetUp::save_surface(const json& document) {
  json changes{{"surface", document}, {"surface_date", utc_now()}};
  if (mounted_) changes["surface_indenter"] = json::parse(mounted_->json);
  return file_.change(changes);
}

Result<json> SetUp::surface(RunningTask& task) {
  if (auto homed = find_home(task); !homed) return fail(homed.error());
  if (auto rough = need_rough_surface(); !rough) return fail(rough.error());
  if (auto proven = proof_.prove(task); !proven) return fail(proven.error());
  auto moves = motion(task.stop);
  live_.watch_ages(true);
  const auto on_point = [&](int done, int total) { task.progress("surface", done, total); };
  auto found = covers_pad() ? find_height(live_, moves, live_.sensor(), file_.rig(),
                                          PadUnderTip::kStiff, on_point)
                            : find_surface(live_, moves, live_.sensor(), file_.rig(), on_point);
  if (!found) {
    const auto error = explain_touch(found.error(), moves);
    make_safe(moves);
    return fail(error);
  }
  live_.watch_ages(false);
  task.warn(found->warnings);
  const auto document = surface_json(*found);
  if (auto saved = save_surface(document); !saved) return fail(saved.error());
  surface_found_ = true;
  confirm_air();
  live_.event("surface", document.dump());
  return surface_result(*found);
}

Result<json> SetUp::registration(RunningTask& task) {
  if (covers_pad())
    return fail(
        ErrorCode::kUsage,
        "a {} is felt all over the pad and shows nothing of where it lies: mount a pin or a "
        "ball to register",
        mounted_->indenter.describe());
  if (!live_.stage().position_trusted()) surface_found_ = false;
  if (auto ready = prepare(task, surface_found_, "surface", [&] { return outcome(surface(task)); });
      !ready)
    return fail(ready.error());
  auto moves = motion(task.stop);
  Descent descent(live_, moves);
  live_.watch_ages(true);
  const double force_N = messages::register_force_N(task.request).value_or(kRegisterForce_N);
  auto found =
      find_registration(live_, moves, descent, live_.sensor(), file_.rig(), force_N,
                        [&](int done, int total) { task.progress("register", done, total); });
  if (!found) {
    make_safe(moves);
    return fail(found.error());
  }
  live_.watch_ages(false);
  task.warn(found->warnings);
  const double shift_m =
      registration_shift_m(file_.rig().stage_to_sensor, found->frame, live_.sensor());
  const auto document = frame_json(found->frame);
  if (auto saved = file_.change({{"stage_to_sensor", document}, {"registration_date", utc_now()}});
      !saved)
    return fail(saved.error());
  registered_ = true;
  confirm_air();
  live_.event("register", document.dump());
  return registration_result(*found, shift_m);
}

Result<void> SetUp::make_ready(RunningTask& task, const std::optional<MountedIndenter>& indenter,
                               bool touches_pad) {
  if (!live_.stage().position_trusted()) forget_places();
  const bool first_named = indenter && !mounted_;
  if (indenter)
    if (auto mounted = mount(*indenter); !mounted) return mounted;
  if (!touches_pad) {
    if (auto rough = need_rough_surface(); !rough) return rough;
    if (auto proven = proof_.prove(task); !proven) return proven;
    return find_home(task);
  }
  if (first_named && surface_found_ && messages::wants_set_up(task.request))
    if (auto met = meet_surface_again(task); !met) return met;
  if (auto found = prepare(task, surface_found_, "surface", [&] { return outcome(surface(task)); });
      !found)
    return found;
  if (covers_pad()) return {};
  return prepare(task, registered_, "register", [&] { return outcome(registration(task)); });
}

Result<void> SetUp::meet_surface_again(RunningTask& task) {
  const bool registered = registered_;
  forget_places();  // until the touch has shown that they hold; nor do they after one that failed
  if (auto proven = proof_.prove(task); !proven) return proven;
  auto moves = motion(task.stop);
  task.progress("surface", 0, 1, "one touch: is it the tip that found it?");
  live_.watch_ages(true);
  const auto found = find_height(live_, moves, live_.sensor(), file_.rig(),
                                 covers_pad() ? PadUnderTip::kStiff : PadUnderTip::kSoft);
  if (!found) {
    const auto error = explain_touch(found.error(), moves);
    make_safe(moves);
    return fail(error);
  }
  live_.watch_ages(false);
  const double longer_m = found->surface.z0_m - file_.rig().surface.z0_m;
  if (std::abs(longer_m) <= kSameTip_m) {
    surface_found_ = true;
    registered_ = registered;
    confirm_air();
    return {};
  }
  task.warn({{"TIP",
              fmt::format("it meets the pad {:.3f} mm {} than the tip that found the surface: "
                          "surface and registration are found anew",
                          m_to_mm(std::abs(longer_m)), longer_m > 0 ? "higher" : "lower"),
              mounted_->indenter.describe()}});
  return {};
}

Result<void> SetUp::find_places(RunningTask& task) {
  if (auto found = surface(task); !found) return fail(found.error());
  if (covers_pad()) return {};
  return outcome(registration(task));
}

Result<void> SetUp::take_new_tip(RunningTask& task, const MountedIndenter& indenter) {
  mounted_ = indenter;  // the answer to the prompt
  live_.forget_tip();
  forget_places();
  if (auto found = find_places(task); !found) return fail(found.error(), "after the new tip");
  return {};
}

bool SetUp::covers_pad() const {
  if (!mounted_) return false;
  const auto& indenter = mounted_->indenter;
  const auto flat_m2 = indenter.flat_area_m2();
  return indenter.shape == IndenterShape::kPlate ||
         (flat_m2 && *flat_m2 >= live_.sensor().sensing_area_m2());
}

}  // namespace tactelier::rig
