#include "fitting/response/plateau.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kExactReadings = 4;   // equal ones that make a plateau
constexpr std::size_t kNoisyReadings = 12;  // noisy ones that make one
constexpr double kForceScatter = 6;         // sigma of force over which readings at rest spread
constexpr double kFlat = 0.5;               // of the slope before it, at most
constexpr double kStillRising = 3;          // standard errors of a plateau's own slope

/// In the order of force with the end in question last; readings at the lowest end are mirrored.
void bring_last(std::vector<ForceSample>& samples, ReadingEnd end) {
  if (end == ReadingEnd::kLowest)
    for (auto& s : samples) s = {-s.force_N, -s.counts};
  std::stable_sort(samples.begin(), samples.end(), [](const ForceSample& a, const ForceSample& b) {
    return a.force_N < b.force_N;
  });
}

/// What the force rose from the first to the last: sorted by a noisy force, readings at rest seem
/// to span a rise that never was.
double true_rise_N(std::span<const ForceSample> samples, double sigma_force_N) {
  return samples.back().force_N - samples.front().force_N - kForceScatter * sigma_force_N;
}

Plateau made_of(std::span<const ForceSample> samples, ReadingEnd end, Clip clip, double counts,
                double sd) {
  const double sign = end == ReadingEnd::kLowest ? -1 : 1;
  return {clip, sign * counts, sd, static_cast<int>(samples.size()),
          sign * samples.front().force_N};
}

struct Course {
  double slope = 0, u_slope = 0;
};

std::optional<Course> course_of(std::span<const ForceSample> samples) {
  std::vector<double> force, counts, residuals;
  for (const auto& s : samples) {
    force.push_back(s.force_N);
    counts.push_back(s.counts);
  }
  const auto line = fit_line(force, counts);
  if (!line) return std::nullopt;
  for (const auto& s : samples)
    residuals.push_back(s.counts - line->intercept - line->slope * s.force_N);
  return Course{line->slope, line->u_slope * serial_inflation(lag1(residuals))};
}

/// A curve that only flattens goes on rising by more than noise and chance, or rose hardly more
/// over an equal stretch before.
bool only_flattens(std::span<const ForceSample> all, std::span<const ForceSample> plateau,
                   const PlateauScale& scale) {
  const auto flat = course_of(plateau);
  if (!flat) return false;
  const double span_N = plateau.back().force_N - plateau.front().force_N;
  if (flat->slope * span_N > scale.noise && flat->slope > kStillRising * flat->u_slope) return true;
  const auto begin = std::lower_bound(
      all.begin(), all.end(), plateau.front().force_N - span_N,
      [](const ForceSample& sample, double force_N) { return sample.force_N < force_N; });
  const auto before =
      all.subspan(static_cast<std::size_t>(begin - all.begin()),
                  static_cast<std::size_t>(plateau.data() - (all.data() + (begin - all.begin()))));
  const auto rising = before.size() < kExactReadings ? std::nullopt : course_of(before);
  const double slope_before = rising ? rising->slope : scale.slope;
  return !(flat->slope + 2 * flat->u_slope < kFlat * slope_before);
}

}  // namespace

std::vector<ForceSample> loading_samples(std::span<const TactelPress> presses) {
  std::vector<ForceSample> samples;
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.loading.force_N.size(); ++i)
      samples.push_back({press.loading.force_N[i], press.loading.counts[i]});
  std::stable_sort(samples.begin(), samples.end(), [](const ForceSample& a, const ForceSample& b) {
    return a.force_N < b.force_N;
  });
  return samples;
}

double middle_slope(std::span<const ForceSample> samples, double low, double high) {
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

std::optional<Plateau> exact_plateau(std::vector<ForceSample> samples, ReadingEnd end,
                                     const PlateauScale& scale, bool at_limit) {
  if (samples.empty()) return std::nullopt;
  bring_last(samples, end);
  double top = samples.front().counts;
  for (const auto& s : samples) top = std::max(top, s.counts);
  std::vector<ForceSample> equal;
  for (const auto& s : samples)
    if (s.counts == top) equal.push_back(s);
  const double rise_N = true_rise_N(equal, scale.sigma_force_N);
  const bool should_rise = scale.slope * rise_N > 3 * scale.noise + 3 * scale.step;
  if (!at_limit && (equal.size() < kExactReadings || !should_rise)) return std::nullopt;
  // Among all samples at such forces most must have it: else it is the maximum of noise.
  std::size_t there = 0;
  for (const auto& s : samples) there += s.force_N >= equal.front().force_N ? 1 : 0;
  if (!at_limit && 2 * equal.size() < there) return std::nullopt;
  return made_of(equal, end, Clip::kCensored, top, 0);
}

std::optional<Plateau> noisy_plateau(std::vector<ForceSample> samples, ReadingEnd end,
                                     const PlateauScale& scale) {
  if (samples.size() < 2 * kNoisyReadings || scale.slope <= 0) return std::nullopt;
  bring_last(samples, end);
  std::vector<double> top;
  for (const auto& s : std::span(samples).last(kNoisyReadings)) top.push_back(s.counts);
  const double level = median(top);
  const double band = 4 * scale.noise + scale.step;
  std::size_t begin = samples.size();
  int misses = 0;
  while (begin > 0 && misses < 3) {
    --begin;
    misses = std::abs(samples[begin].counts - level) > band ? misses + 1 : 0;
  }
  begin += static_cast<std::size_t>(misses);
  const auto plateau = std::span(samples).subspan(std::min(begin, samples.size() - 1));
  if (plateau.size() < kNoisyReadings ||
      scale.slope * true_rise_N(plateau, scale.sigma_force_N) < 16 * scale.noise + 4 * scale.step)
    return std::nullopt;
  const auto inner = plateau.subspan(plateau.size() / 4);
  if (only_flattens(samples, inner, scale)) return std::nullopt;
  std::vector<double> counts;
  for (const auto& s : inner) counts.push_back(s.counts);
  return made_of(plateau, end, Clip::kVisible, median(counts), mad_sigma(counts));
}

double local_noise(std::span<const TactelPress> presses) {
  std::vector<double> bends;
  for (const auto& press : presses) {
    const auto& c = press.loading.counts;
    for (std::size_t i = 1; i + 1 < c.size(); ++i) bends.push_back(c[i - 1] - 2 * c[i] + c[i + 1]);
  }
  return bends.empty() ? 0 : mad_sigma(bends) / std::sqrt(6.0);
}

}  // namespace tactelier
