// Runner: pauses, questions and doubts, the tip in the air.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/motion/runner.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kReferenceMoved_m = 20e-6;

}  // namespace

/// Nothing moves meanwhile, and hands may be at the rig.
Result<Answer> Runner::ask(const Question& question) {
  live_.watch_ages(false);
  live_.readings().expect_air(false);
  auto answer = operator_.ask(question, [this]() -> Result<void> {
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    watch_change();
    return live_.pump(devices::Timeout(10));
  });
  waits_for_.clear();
  live_.watch_ages(true);
  return answer;
}

/// The force stays live while hands are at the chuck.
void Runner::watch_change() {
  if (!change_load_) return;
  const double load = live_.reading().sensor_load;
  change_load_ = std::max(*change_load_, load);
  waits_for_ = fmt::format("force sensor at {:.0f} % of its range, {:.0f} % at most so far",
                           100 * load, 100 * *change_load_);
  report_progress();
}

Result<void> Runner::prompt(const Segment& segment) {
  change_load_ = segment.indenter ? std::optional(0.0) : std::nullopt;
  const auto answer = ask({segment.prompt, segment.answer_key, segment.indenter, segment.rz_rad});
  if (!answer) return fail(answer.error());
  if (const auto most = std::exchange(change_load_, std::nullopt))
    note(
        fmt::format("the force sensor bore {:.0f} % of its range at most while the tip was changed",
                    100 * *most));
  answer_ = answer->value;
  if (segment.indenter) {
    new_tip_ = !indenter_ || indenter_->json != segment.indenter->json;
    indenter_ = segment.indenter;
    descent_.forget();
    live_.forget_zero();  // a tip that was seated anew loads the sensor anew
    finished_.clear();
  }
  if (!segment.by_hand) return {};
  const bool lies = segment.by_hand->mass_kg > 0;
  return operator_.place_object(lies ? segment.by_hand : std::nullopt);
}

Result<void> Runner::paused() {
  live_.event("pause", R"({"text": "on request"})");
  if (auto up = motion_.retreat(); !up) return up;
  live_.watch_ages(false);
  live_.readings().expect_air(false);
  const auto place_m = motion_.at_m();
  bool jogged = false;
  control_.jog.halt();
  control_.resting = true;
  Result<void> heard;
  while (heard && control_.pause && !stop_.stop_requested()) {
    if (const auto way = control_.jog.take()) {
      jogged = true;
      heard = jog(*way);
    }
    if (heard) heard = live_.pump(devices::Timeout(10));
  }
  control_.resting = false;
  if (!heard) return heard;
  if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
  live_.watch_ages(true);
  if (jogged)
    if (auto back = go_back(place_m); !back) return back;
  live_.event("resume", R"({"text": "after a pause"})");
  return {};
}

/// What it may not do is told, not done; a soft limit raises the tip. Neither ends the pause.
Result<void> Runner::jog(const JogWay& way) {
  auto to_m = motion_.frame().stage_from_plan_m(motion_.at_m());
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] += way.by_m[axis];
  to_m = motion_.frame().plan_from_stage_m(to_m);
  to_m[2] = std::max(to_m[2], motion_.safe_z_m());
  live_.watch_ages(true);
  const auto gone =
      motion_.go_until(to_m, way.speed_m_per_s, [this] { return control_.jog.halted(); });
  live_.watch_ages(false);
  if (gone) return {};
  if (live_.trip()) {
    if (auto safe = live_.secure(); !safe) return safe;
    if (live_.trip()) return fail(ErrorCode::kDeviceFault, "{}", live_.trip()->text);
  } else if (gone.error().code != ErrorCode::kInvalidInput) {
    return fail(gone.error());
  }
  control_.jog.refuse(gone.error().message);
  return {};
}

Result<void> Runner::go_back(const Vector3& place_m) {
  if (auto up = motion_.retreat(); !up) return up;
  auto over_m = place_m;
  over_m[2] = std::max(place_m[2], motion_.at_m()[2]);
  if (auto gone = motion_.go(over_m, rig_.stage.xy_speed_m_per_s); !gone) return gone;
  return motion_.go(place_m, rig_.stage.z_speed_m_per_s);
}

Result<void> Runner::collided(const Segment& next) {
  live_.event("note", R"({"text": "a collision with the rig"})");
  report_.warnings.push_back(
      {"BUMP", "a collision with the rig was felt in the air", fmt::format("press {}", presses_)});
  live_.readings().expect_air(false);
  const auto place_m = motion_.at_m();
  if (auto up = motion_.retreat(); !up) return up;
  live_.readings().forget_collision();
  if (!on_collision) return {};
  auto fine = on_collision();
  live_.watch_ages(true);
  if (!fine) return fine;
  // Whoever looked has left the tip elsewhere: a way begins anywhere, all else over its place.
  return next.phase == Phase::kTravel ? motion_.retreat() : go_back(place_m);
}

void Runner::compare_reference(const Segment& segment) {
  const auto reading = live_.reading();
  const double k = regulator_.stiffness_N_per_m();
  const double z_m = motion_.frame().plan_from_stage_m(reading.stage.position_m)[2];
  const double aim_N = segment.regulate_N.value_or(reading.force_N);
  // Where it would stand under exactly the force that was aimed at.
  const double at_aim_m = k > 0 ? z_m + (reading.force_N - aim_N) / k : z_m;
  const double moved_m = at_aim_m - reference_z_m_.value_or(at_aim_m);
  if (!reference_z_m_) reference_z_m_ = at_aim_m;
  if (std::abs(moved_m) <= kReferenceMoved_m) return;
  reference_z_m_ = at_aim_m;  // asked once
  reference_doubt_ = fmt::format(
      "the reference pad's height moved by {:+.0f} um since its last good touch ({:.0f} um are "
      "allowed): the frame, the tip or the pad has shifted",
      moved_m * 1e6, kReferenceMoved_m * 1e6);
}

Result<void> Runner::ask_about_reference() {
  const auto text = *std::exchange(reference_doubt_, std::nullopt);
  live_.event("pause", canonical(json{{"text", text}}));
  report_.warnings.push_back({"REFERENCE", text, fmt::format("after press {}", presses_)});
  if (auto up = motion_.retreat(); !up) return up;
  if (auto answer = ask({text + ". Go on?", "", {}, 0}); !answer) return fail(answer.error());
  live_.event("resume", R"({"text": "after the reference pad's height had moved"})");
  return {};
}

}  // namespace tactelier::rig
