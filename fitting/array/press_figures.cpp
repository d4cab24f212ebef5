#include "fitting/array/press_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/per_decade.hpp"

namespace tactelier {
namespace {

constexpr double kAir = 0.02;   // of the peak: nothing presses
constexpr double kClear = 0.8;  // of the rows in free air
constexpr std::size_t kLeastAir = 5;
constexpr double kLoaded = 0.1;   // of the peak: beyond any dead zone
constexpr double kBack = 0.1;     // of the peak: the cycle is closed
constexpr double kAtPeak = 0.9;   // of the peak: rows of the image
constexpr std::size_t kBins = 8;  // of force, that show a bend
constexpr std::size_t kLeastRows = 8;
constexpr double kHeld_s = 1;  // of the hold: before, the ramp still shows

/// Readings at rest of each tactel; empty: not known.
std::vector<double> rest_of(const PressData& data, double sigma_force_N,
                            std::span<const double> offsets) {
  const double peak_N = data.force_N[data.peak];
  std::vector<std::size_t> rows;
  if (data.static_readings) {
    if (std::none_of(offsets.begin(), offsets.end(), [](double o) { return std::isnan(o); }) &&
        !offsets.empty())
      return {offsets.begin(), offsets.end()};
    for (std::size_t i = 0; i < data.rows(); ++i)
      if (std::abs(data.force_N[i]) <= kAir * peak_N) rows.push_back(i);
  } else {
    const double level_N = std::max(kAir * peak_N, 5 * sigma_force_N);
    std::size_t touch = 0;
    while (touch < data.peak && data.force_N[touch] < level_N) ++touch;
    rows.resize(static_cast<std::size_t>(kClear * static_cast<double>(touch)));
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (rows.size() < kLeastAir) return {};
  }
  if (rows.empty()) return {};
  std::vector<double> rest;
  for (const auto& counts : data.counts) {
    double sum = 0;
    for (const auto row : rows) sum += counts[row];
    rest.push_back(sum / static_cast<double>(rows.size()));
  }
  return rest;
}

std::vector<double> sums_of(const PressData& data, std::span<const double> rest) {
  std::vector<double> sums(data.rows(), 0.0);
  for (std::size_t t = 0; t < data.counts.size(); ++t)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += data.counts[t][i] - rest[t];
  return sums;
}

/// Largest mean distance from the line over rows of like force, of the sum's range.
double bend_of(const LineFit& line, std::span<const double> force_N, std::span<const double> sum) {
  const auto [low, high] = std::minmax_element(force_N.begin(), force_N.end());
  std::vector<double> distance(kBins, 0.0), rows(kBins, 0.0);
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    const auto bin =
        std::min(kBins - 1, static_cast<std::size_t>((force_N[i] - *low) / (*high - *low) * kBins));
    distance[bin] += line.residual(force_N[i], sum[i]);
    rows[bin] += 1;
  }
  double largest = 0;
  for (std::size_t b = 0; b < kBins; ++b)
    if (rows[b] > 0) largest = std::max(largest, std::abs(distance[b] / rows[b]));
  return largest / (line.slope * *high);
}

/// Of the loading rows; of readings at rest all rows are.
std::optional<SumLine> sum_line(const PressData& data, std::span<const double> sums) {
  const double peak_N = data.force_N[data.peak];
  const std::size_t end = data.static_readings ? data.rows() : data.loading_rows();
  std::vector<double> force_N, sum;
  for (std::size_t i = 0; i < end; ++i) {
    if (data.force_N[i] < kLoaded * peak_N) continue;
    force_N.push_back(data.force_N[i]);
    sum.push_back(sums[i]);
  }
  if (force_N.size() < (data.static_readings ? 3 : kLeastRows)) return std::nullopt;
  const auto line = fit_line(force_N, sum);
  if (!line || !(line->slope > 0)) return std::nullopt;
  return SumLine{1 / line->slope, -line->intercept / line->slope, bend_of(*line, force_N, sum)};
}

/// Integral of y over x, rows first .. last.
double area(std::span<const double> x, std::span<const double> y, std::size_t first,
            std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += 0.5 * (y[i] + y[i + 1]) * (x[i + 1] - x[i]);
  return sum;
}

/// Both ways of a cycle that comes back to nothing, y over x.
struct Ways {
  double loading = 0, unloading = 0;
};
std::optional<Ways> ways_of(const PressData& data, std::span<const double> x,
                            std::span<const double> y) {
  const std::size_t last = data.rows() - 1;
  if (data.static_readings || data.peak == 0 || data.peak == last ||
      data.force_N[last] > kBack * data.force_N[data.peak])
    return std::nullopt;
  const Ways ways{area(x, y, 0, data.peak), -area(x, y, data.peak, last)};
  return ways.loading > 0 ? std::optional(ways) : std::nullopt;
}

std::optional<Estimate> creep_of(const PressData& data, std::span<const double> sums,
                                 const std::optional<SumLine>& line, const TimeRange& hold) {
  std::vector<double> since_s, level;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double held_s = data.time_s[i] - hold.begin_s;
    if (held_s < kHeld_s || data.time_s[i] >= hold.end_s) continue;
    const double felt_N = data.force_N[i] - (line ? line->threshold_N : 0);
    if (!(felt_N > 0)) return std::nullopt;
    since_s.push_back(held_s);
    level.push_back(sums[i] / felt_N);
  }
  return share_per_decade(since_s, level);
}

std::vector<double> image_at_peak(const PressData& data, std::span<const double> rest) {
  const double level_N = kAtPeak * data.force_N[data.peak];
  std::vector<double> image;
  for (std::size_t t = 0; t < data.counts.size(); ++t) {
    double sum = 0, rows = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (data.force_N[i] < level_N) continue;
      sum += data.counts[t][i];
      rows += 1;
    }
    image.push_back(sum / rows - rest[t]);
  }
  return image;
}

}  // namespace

PressFigures press_figures(const PressData& data, double sigma_force_N,
                           std::span<const double> offsets, std::optional<TimeRange> hold) {
  PressFigures figures;
  if (data.rows() < 2 || !(data.force_N[data.peak] > 0)) return figures;
  if (data.has_travel())
    if (const auto ways = ways_of(data, data.travel_m, data.force_N))
      figures.loss = 1 - ways->unloading / ways->loading;
  const auto rest = rest_of(data, sigma_force_N, offsets);
  if (rest.empty()) return figures;
  const auto sums = sums_of(data, rest);
  figures.sum = sum_line(data, sums);
  if (const auto ways = ways_of(data, data.force_N, sums))
    figures.loop = ways->unloading / ways->loading - 1;
  if (hold) figures.creep = creep_of(data, sums, figures.sum, *hold);
  figures.image = image_at_peak(data, rest);
  return figures;
}

}  // namespace tactelier
