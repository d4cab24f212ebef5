#include "fitting/wrench/wrench_facts.hpp"

#include <array>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"FT-04", "force zero drifts",
     "The zero of the force moved during the press by more than a hundredth of its peak.",
     "Let the sensor warm up, and keep the unloaded baselines before and after the press."},
    {"TIP-OFFSET", "forces act beside the tip",
     "Forces and torques place the contact beside the tip that force_sensor.tip_mm states.",
     "Check tip_mm and rz_deg of the force sensor."},
    {"SPIKES", "single force samples",
     "Samples of force stand alone, far from those before and after; they are left out.",
     "Look for interference on the sensor's cable."},
});

double figure(const StageQuality& quality, const char* name) {
  const auto found = quality.figures.find(name);
  return found == quality.figures.end() ? 0 : found->second;
}

StageTally tally(const SensorModel& model) {
  const auto quality = model.quality.find("wrench");
  if (quality == model.quality.end()) return {};
  const auto tared = static_cast<int>(figure(quality->second, "presses_tared"));
  return {tared, tared + static_cast<int>(figure(quality->second, "presses_not_tared"))};
}

std::optional<std::string> unmet(const SensorModel& model) {
  if (!model.quality.contains("wrench")) return "it did not run";
  const auto tares = tally(model);
  if (tares.found == tares.of && tares.found > 0) return std::nullopt;
  return fmt::format("the force's bias is known of {} presses, not of {}", tares.found,
                     tares.of - tares.found);
}

}  // namespace

const StageFacts& wrench_facts() {
  static constexpr StageFacts kFacts{"wrench",         "Force zero", StageFacts::Kind::kPrepares,
                                     {{}, {}, kCodes}, unmet,        tally};
  return kFacts;
}

}  // namespace tactelier
