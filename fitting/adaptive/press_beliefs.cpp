#include "fitting/adaptive/press_beliefs.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier::adaptive {
namespace {

constexpr double kPlaces = 0.02;     // of k, from place to place of rubber
constexpr double kCommonPart = 0.5;  // of the variance between presses, before a fit says

const StageQuality* quality_of(const SensorModel& model, const std::string& stage) {
  const auto found = model.quality.find(stage);
  return found == model.quality.end() ? nullptr : &found->second;
}

void take_figure(const StageQuality& quality, const std::string& name, double scale,
                 double& value) {
  const auto found = quality.figures.find(name);
  if (found != quality.figures.end() && found->second >= 0) value = found->second * scale;
}

}  // namespace

PressBeliefs press_beliefs(const SensorDescription& sensor, const RigQuality& quality,
                           const ExpectedSensor& expected) {
  PressBeliefs beliefs;
  const auto& array = sensor.arrays.front();
  const double pitch_m = std::sqrt(array.pitch_x_m * array.pitch_y_m);
  const auto tactels = static_cast<std::size_t>(sensor.tactels());
  beliefs.sigma_m = expected.sigma_pitches * pitch_m;
  // Of a press on a centre a tactel gets the share of a square as wide as the pitch.
  const double half = std::erf(pitch_m / 2 / (std::sqrt(2.0) * beliefs.sigma_m));
  const double share = half * half;
  beliefs.slope_counts_per_N.assign(tactels, 1 / (expected.press_gain_N_per_count * share));
  beliefs.threshold_N.assign(tactels, expected.press_threshold_N * share);
  beliefs.k_N_per_m = expected.pad.punch_stiffness_N_per_m.value;
  beliefs.saturation_N = expected.pad.press_saturation_N.value;
  beliefs.noise_counts = quality.tactile_noise_counts;
  beliefs.force_noise_N = quality.force_noise_moving_N;
  beliefs.tactile_rate_hz = quality.tactile_rate_hz;
  beliefs.press_scatter = quality.press_scatter * std::sqrt(kCommonPart);
  beliefs.own_scatter = quality.press_scatter * std::sqrt(1 - kCommonPart);
  beliefs.place_m = quality.microstep_error_m / std::sqrt(2.0);
  beliefs.stiffness_scatter = std::hypot(
      kPlaces, (quality.microstep_error_m + quality.step_m) * beliefs.k_N_per_m);  // at 1 N
  return beliefs;
}

PressBeliefs press_beliefs(const SensorModel& model, const RigQuality& quality) {
  auto beliefs = press_beliefs(model.sensor, quality, expected_from(model));
  std::vector<double> noises;
  for (const auto& tactel : model.response.tactels) {
    const auto index = static_cast<std::size_t>(tactel.index);
    if (index >= beliefs.threshold_N.size()) continue;
    if (tactel.gain.identified() && *tactel.gain.value > 0)
      beliefs.slope_counts_per_N[index] = 1 / *tactel.gain.value;
    if (tactel.threshold.identified() && *tactel.threshold.value > 0)
      beliefs.threshold_N[index] = *tactel.threshold.value;
    if (tactel.noise.identified()) noises.push_back(*tactel.noise.value);
  }
  if (!noises.empty()) beliefs.noise_counts = std::max(0.3, median(noises));
  if (const auto* psf = quality_of(model, "psf")) {
    double total = std::hypot(beliefs.press_scatter, beliefs.own_scatter);
    take_figure(*psf, "scatter_between_presses_percent", 1e-2, total);
    take_figure(*psf, "scatter_of_whole_presses_percent", 1e-2, beliefs.press_scatter);
    take_figure(*psf, "scatter_of_places_m", 1, beliefs.place_m);
    beliefs.own_scatter =
        std::sqrt(std::max(0.0, total * total - std::pow(beliefs.press_scatter, 2)));
  }
  return beliefs;
}

}  // namespace tactelier::adaptive
