#include "fitting/response/response_limits.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMostlyAtFloor = 0.5;
constexpr std::size_t kExactPlateau = 4;    // equal readings that make a ceiling
constexpr std::size_t kVisiblePlateau = 8;  // noisy readings that make one
constexpr double kForceScatter = 6;         // sigma of force over which readings at rest spread

struct Sample {
  double force_N;
  double counts;
};

std::vector<Sample> by_force(std::span<const TactelPress> presses) {
  std::vector<Sample> samples;
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.loading.force_N.size(); ++i)
      samples.push_back({press.loading.force_N[i], press.loading.counts[i]});
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.force_N < b.force_N; });
  return samples;
}

/// Slope in the middle of the range of counts, for judging how far a plateau should have risen.
double middle_slope(std::span<const Sample> samples, double low, double high) {
  std::vector<double> force, counts;
  for (const auto& s : samples) {
    if (s.counts < low + 0.2 * (high - low) || s.counts > low + 0.8 * (high - low)) continue;
    force.push_back(s.force_N);
    counts.push_back(s.counts);
  }
  if (force.size() < 2) return 0;
  const double slope = fit_line_theil_sen(force, counts).slope;
  return std::isfinite(slope) ? slope : 0;
}

/// What the force rose from the first to the last: sorted by a noisy force, readings at rest seem
/// to span a rise that never was.
double true_rise_N(std::span<const Sample> samples, double sigma_force_N) {
  return samples.back().force_N - samples.front().force_N - kForceScatter * sigma_force_N;
}

void take_ceiling(std::span<const Sample> plateau, double value, Clip clip, double sd,
                  ReadingLimits& limits) {
  limits.ceiling = clip;
  limits.saturated = static_cast<int>(plateau.size());
  limits.saturation_force_N = plateau.front().force_N;
  const auto n = static_cast<double>(plateau.size());
  const double u = std::hypot(sd / std::sqrt(n), u_resolution(limits.step));
  limits.saturation = {value, u, std::max(1.0, n - 1)};
}

/// Readings cut to one value: equal to the last digit while the force rises.
bool find_exact_ceiling(std::span<const Sample> samples, double slope, double top,
                        double sigma_force_N, const SensorDescription& sensor,
                        ReadingLimits& limits) {
  std::vector<Sample> equal;
  for (const auto& s : samples)
    if (s.counts == top) equal.push_back(s);
  const bool at_limit = sensor.adc.max && top >= *sensor.adc.max;
  const double rise_N = true_rise_N(equal, sigma_force_N);
  const bool should_rise = slope * rise_N > 3 * limits.noise + 3 * limits.step;
  if (!at_limit && (equal.size() < kExactPlateau || !should_rise)) return false;
  // Among all samples at such forces most must have it: else it is the maximum of noise.
  std::size_t there = 0;
  for (const auto& s : samples) there += s.force_N >= equal.front().force_N ? 1 : 0;
  if (!at_limit && 2 * equal.size() < there) return false;
  take_ceiling(equal, top, Clip::kCensored, 0, limits);
  return true;
}

/// A level that the readings keep, noise and all, while the force rises.
void find_visible_ceiling(std::span<const Sample> samples, double slope, double sigma_force_N,
                          ReadingLimits& limits) {
  if (samples.size() < 2 * kVisiblePlateau || slope <= 0) return;
  std::vector<double> top;
  for (const auto& s : samples.last(kVisiblePlateau)) top.push_back(s.counts);
  const double level = median(top);
  const double band = 4 * limits.noise + limits.step;
  std::size_t begin = samples.size();
  int misses = 0;
  while (begin > 0 && misses < 3) {
    --begin;
    misses = std::abs(samples[begin].counts - level) > band ? misses + 1 : 0;
  }
  begin += static_cast<std::size_t>(misses);
  const auto plateau = samples.subspan(std::min(begin, samples.size() - 1));
  if (plateau.size() < kVisiblePlateau ||
      slope * true_rise_N(plateau, sigma_force_N) < 16 * limits.noise + 4 * limits.step)
    return;
  std::vector<double> counts;
  for (const auto& s : plateau.subspan(plateau.size() / 4)) counts.push_back(s.counts);
  take_ceiling(plateau, median(counts), Clip::kVisible, mad_sigma(counts), limits);
}

void find_ceiling(std::span<const TactelPress> presses, const SensorDescription& sensor,
                  ReadingLimits& limits) {
  const auto samples = by_force(presses);
  if (samples.empty()) return;
  double low = samples.front().counts, top = low;
  for (const auto& s : samples) {
    low = std::min(low, s.counts);
    top = std::max(top, s.counts);
  }
  if (limits.floor != Clip::kNone) low = limits.offset.value;
  // Readings at rest are no ceiling unless the description says where readings end.
  if (presses.front().static_readings && !sensor.adc.max) return;
  const double slope = middle_slope(samples, low, top);
  if (top <= low) return;
  double sigma_force_N = 0;
  for (const auto& press : presses) sigma_force_N = std::max(sigma_force_N, press.sigma_force_N);
  if (find_exact_ceiling(samples, slope, top, sigma_force_N, sensor, limits)) return;
  if (!presses.front().static_readings) find_visible_ceiling(samples, slope, sigma_force_N, limits);
}

/// Each window's mean scatters with noise and with drift between windows: their spread holds both.
Estimate mean_of_windows(std::span<const AirWindow> air) {
  std::vector<double> means;
  for (const auto& window : air) means.push_back(window.mean);
  if (means.size() >= 2) return press_spread(means);
  const auto& only = air.front();
  const double u =
      std::sqrt(only.variance / static_cast<double>(only.n)) * serial_inflation(only.rho);
  return {only.mean, u, std::max(1.0, effective_count(only.n, only.rho) - 1)};
}

void find_floor(std::span<const AirWindow> air, std::span<const TactelPress> presses,
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
  limits.offset = mean_of_windows(air);
  limits.offset.std =
      std::max(limits.offset.std, limits.noise == u_resolution(limits.step) ? limits.noise : 0);
}

}  // namespace

double reading_floor(const SensorDescription& sensor) { return sensor.adc.min.value_or(0); }

ReadingLimits find_limits(std::span<const AirWindow> air, std::span<const TactelPress> presses,
                          const SensorDescription& sensor, double step) {
  ReadingLimits limits;
  std::vector<double> all;
  for (const auto& press : presses) {
    all.insert(all.end(), press.loading.counts.begin(), press.loading.counts.end());
    all.insert(all.end(), press.before.begin(), press.before.end());
  }
  limits.step = step > 0 ? step : reading_step(all);
  // Readings at rest have no floor unless the description names one.
  const bool static_only = !presses.empty() && presses.front().static_readings;
  if (limits.step == 0) {
    const bool integers =
        std::all_of(air.begin(), air.end(), [](const auto& w) { return w.integers; });
    limits.step = integers ? 1 : 0;
  }
  if (static_only && !sensor.adc.min)
    limits.noise = u_resolution(limits.step);
  else
    find_floor(air, presses, reading_floor(sensor), limits);
  limits.constant_air = !air.empty() && std::all_of(air.begin(), air.end(), [&](const auto& w) {
    return w.variance == 0 && w.mean == air.front().mean;
  });
  find_ceiling(presses, sensor, limits);
  return limits;
}

}  // namespace tactelier
