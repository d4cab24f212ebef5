#include "fitting/response/response_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/response/plateau.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMostlyAtFloor = 0.5;
constexpr double kQuieter = 3;  // times: free air against readings under load

void take_ceiling(const Plateau& plateau, ReadingLimits& limits) {
  limits.ceiling = plateau.clip;
  limits.saturated = plateau.readings;
  limits.saturation_force_N = plateau.edge_N;
  const double n = plateau.readings;
  const double u = std::hypot(plateau.sd / std::sqrt(n), u_resolution(limits.step));
  limits.saturation = {plateau.counts, u, std::max(1.0, n - 1)};
}

void take_floor(const Plateau& plateau, ReadingLimits& limits) {
  limits.floor = plateau.clip;
  limits.floor_from_rows = true;
  limits.at_floor = plateau.readings;
  const double n = plateau.readings;
  const double u = std::hypot(plateau.sd / std::sqrt(n), u_resolution(limits.step));
  limits.offset = {plateau.counts, u, plateau.clip == Clip::kCensored ? kManyDegrees : n - 1};
  if (plateau.clip == Clip::kCensored) return;
  limits.noise = std::max(plateau.sd, u_resolution(limits.step));
  limits.noise_dof = n - 1;
}

/// Both ends of the readings under load. Free air has told the lower one where there was any.
void find_plateaus(std::span<const TactelPress> presses, const SensorDescription& sensor,
                   ReadingLimits& limits) {
  const auto samples = loading_samples(presses);
  if (samples.empty()) return;
  double low = samples.front().counts, top = low;
  for (const auto& s : samples) {
    low = std::min(low, s.counts);
    top = std::max(top, s.counts);
  }
  if (limits.floor != Clip::kNone) low = limits.offset.value;
  if (top <= low) return;
  PlateauScale scale{middle_slope(samples, low, top), limits.noise, limits.step, 0};
  for (const auto& press : presses)
    scale.sigma_force_N = std::max(scale.sigma_force_N, press.sigma_force_N);
  const double noise_counts = local_noise(presses);
  scale.noise = std::max(scale.noise, noise_counts);
  const bool at_limit = sensor.adc.max && top >= *sensor.adc.max;
  if (const auto exact = exact_plateau(samples, ReadingEnd::kHighest, scale, at_limit))
    take_ceiling(*exact, limits);
  else if (const auto noisy = noisy_plateau(samples, ReadingEnd::kHighest, scale))
    take_ceiling(*noisy, limits);
  if (limits.floor == Clip::kVisible && limits.constant_air &&
      noise_counts > kQuieter * limits.noise) {
    // Silent in free air, noisy under load: cut there, not quiet.
    if (const auto cut = exact_plateau(samples, ReadingEnd::kLowest, scale, false);
        cut && cut->counts == limits.offset.value) {
      limits.floor = Clip::kCensored;
      limits.at_floor = cut->readings;
    }
  }
  if (limits.floor != Clip::kNone) return;
  if (const auto exact = exact_plateau(samples, ReadingEnd::kLowest, scale, false))
    take_floor(*exact, limits);
  else if (const auto noisy = noisy_plateau(samples, ReadingEnd::kLowest, scale))
    take_floor(*noisy, limits);
}

/// Each window's mean scatters with noise and with drift between windows: their spread holds both.
Estimate mean_of_windows(std::span<const BaselineWindow> air) {
  std::vector<double> means;
  for (const auto& window : air) means.push_back(window.mean);
  if (means.size() >= 2) return press_spread(means);
  const auto& only = air.front();
  const double u =
      std::sqrt(only.variance / static_cast<double>(only.n)) * serial_inflation(only.rho);
  return {only.mean, u, std::max(1.0, effective_count(only.n, only.rho) - 1)};
}

void find_floor(std::span<const BaselineWindow> air, std::span<const TactelPress> presses,
                double floor_counts, ReadingLimits& limits) {
  std::size_t n = 0, at_floor = 0;
  double squares = 0;
  for (const auto& window : air) {
    n += window.n;
    at_floor += window.at_floor;
    squares += window.variance * static_cast<double>(window.n - 1);
  }
  if (n == 0) {
    // Without free air a floor still shows as readings cut to it.
    std::size_t cut = 0;
    for (const auto& press : presses)
      for (const double c : press.loading.counts) cut += c == floor_counts ? 1 : 0;
    if (cut >= 2) {
      limits.floor = Clip::kCensored;
      limits.offset = {floor_counts, u_resolution(limits.step), kManyDegrees};
    }
    limits.noise = u_resolution(limits.step);
    return;
  }
  limits.noise_dof = static_cast<double>(n - air.size());
  limits.noise = limits.noise_dof > 0 ? std::sqrt(squares / limits.noise_dof) : 0;
  if (limits.noise < 0.3 * limits.step) limits.noise = u_resolution(limits.step);
  if (static_cast<double>(at_floor) >= kMostlyAtFloor * static_cast<double>(n)) {
    limits.floor = Clip::kCensored;
    limits.offset = {floor_counts, u_resolution(limits.step), kManyDegrees};
    return;
  }
  limits.floor = Clip::kVisible;
  limits.rest_stated = air.front().stated;
  limits.offset = mean_of_windows(air);
  if (limits.rest_stated && air.size() == 1)
    limits.offset = {air.front().mean, u_resolution(limits.step), kManyDegrees};
  limits.offset.std =
      std::max(limits.offset.std, limits.noise == u_resolution(limits.step) ? limits.noise : 0);
}

}  // namespace

double reading_floor(const SensorDescription& sensor) {
  if (sensor.falling && !sensor.adc.max) return -std::numeric_limits<double>::infinity();
  return sensor.adc.min.value_or(0);
}

ReadingLimits find_limits(std::span<const BaselineWindow> air, std::span<const TactelPress> presses,
                          const SensorDescription& sensor, double step) {
  ReadingLimits limits;
  std::vector<double> all;
  for (const auto& press : presses) {
    all.insert(all.end(), press.loading.counts.begin(), press.loading.counts.end());
    all.insert(all.end(), press.before.begin(), press.before.end());
  }
  limits.step = step > 0 ? step : reading_step(all);
  // Of tables without unloaded rows only the others tell a floor, unless the description names one.
  const bool static_only = !presses.empty() && presses.front().static_readings;
  if (static_only && air.empty() && !sensor.adc.min)
    limits.noise = u_resolution(limits.step);
  else
    find_floor(air, presses, reading_floor(sensor), limits);
  limits.constant_air = !air.empty() && std::all_of(air.begin(), air.end(), [&](const auto& w) {
    return w.variance == 0 && w.mean == air.front().mean;
  });
  find_plateaus(presses, sensor, limits);
  return limits;
}

}  // namespace tactelier
