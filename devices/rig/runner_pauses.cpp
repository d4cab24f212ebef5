// Runner: pauses, questions and doubts, the tip in the air.

#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/rig/runner.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kReferenceMoved_m = 20e-6;

}  // namespace

/// Nothing moves meanwhile, and hands may be at the rig.
Result<Answer> Runner::ask(const Question& question) {
  live_.watch_ages(false);
  live_.expect_air(false);
  auto answer = desk_.ask(question, [this]() -> Result<void> {
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    return live_.pump(devices::Timeout(10));
  });
  live_.watch_ages(true);
  return answer;
}

Result<void> Runner::prompt(const Segment& segment) {
  const auto answer = ask({segment.prompt, segment.answer_key, segment.indenter, segment.rz_rad});
  if (!answer) return fail(answer.error());
  answer_ = answer->value;
  if (segment.indenter) {
    new_tip_ = !indenter_ || indenter_->json != segment.indenter->json;
    indenter_ = segment.indenter;
    descent_.forget();
    finished_.clear();
  }
  return {};
}

Result<void> Runner::paused() {
  live_.event("pause", R"({"text": "on request"})");
  if (auto up = motion_.retreat(); !up) return up;
  live_.watch_ages(false);
  control_.resting = true;
  Result<void> heard;
  while (heard && control_.pause && !stop_.stop_requested())
    heard = live_.pump(devices::Timeout(10));
  control_.resting = false;
  if (!heard) return heard;
  if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
  live_.watch_ages(true);
  live_.event("resume", R"({"text": "after a pause"})");
  return {};
}

Result<void> Runner::bumped() {
  live_.event("note", R"({"text": "a knock against the rig"})");
  report_.warnings.push_back(
      {"BUMP", "a knock against the rig was felt in the air", fmt::format("press {}", presses_)});
  live_.expect_air(false);
  if (auto up = motion_.retreat(); !up) return up;
  live_.forget_bump();
  if (!on_bump) return {};
  auto fine = on_bump();
  live_.watch_ages(true);
  return fine;
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
