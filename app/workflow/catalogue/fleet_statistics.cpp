#include "app/workflow/catalogue/fleet_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kFleetsWithout = 0.95;  // outlier_sigmas()
constexpr std::size_t kMaxInTime = 1500;

struct InTime {
  double day, value;
};

/// Those that have a day, in order of it, at most kMaxInTime.
std::vector<InTime> in_time(std::span<const FleetValue> values) {
  std::vector<InTime> all;
  for (const auto& v : values)
    if (v.day) all.push_back({*v.day, v.value});
  std::ranges::stable_sort(all, {}, &InTime::day);
  if (all.size() <= kMaxInTime) return all;
  std::vector<InTime> some;
  for (std::size_t i = 0; i < kMaxInTime; ++i)
    some.push_back(all[i * (all.size() - 1) / (kMaxInTime - 1)]);
  return some;
}

/// Sum of t (t - 1) (2 t + 5) over groups of t equal numbers.
template <class Get>
double tie_term(const std::vector<InTime>& points, const Get& get) {
  std::map<double, double> groups;
  for (const auto& point : points) groups[get(point)] += 1;
  double sum = 0;
  for (const auto& [value, t] : groups) sum += t * (t - 1) * (2 * t + 5);
  return sum;
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Variance of Kendall's S where nothing drifts: without ties n (n - 1) (2 n + 5) / 18, and with
/// ties in both (Kendall 1970, Rank Correlation Methods, 4.9).
double variance_of_s(const std::vector<InTime>& points) {
  const auto n = static_cast<double>(points.size());
  const auto pairs = [&](const auto& get, int order) {
    std::map<double, double> groups;
    for (const auto& point : points) groups[get(point)] += 1;
    double sum = 0;
    for (const auto& [value, t] : groups) sum += order == 2 ? t * (t - 1) : t * (t - 1) * (t - 2);
    return sum;
  };
  const auto day = [](const InTime& p) { return p.day; };
  const auto value = [](const InTime& p) { return p.value; };
  const double whole = n * (n - 1) * (2 * n + 5) - tie_term(points, day) - tie_term(points, value);
  return whole / 18 + pairs(day, 3) * pairs(value, 3) / (9 * n * (n - 1) * (n - 2)) +
         pairs(day, 2) * pairs(value, 2) / (2 * n * (n - 1));
}

}  // namespace

FleetSpread fleet_spread(std::span<const double> values) {
  FleetSpread spread;
  spread.median = median(values);
  spread.sigma = mad_sigma(values);
  spread.low = spread.median - kControlSigmas * spread.sigma;
  spread.high = spread.median + kControlSigmas * spread.sigma;
  return spread;
}

double outlier_sigmas(std::size_t n) {
  const auto count = static_cast<double>(n);
  const double inside = std::pow(kFleetsWithout, 1 / count);  // of one sensor
  return t_quantile(0.5 + inside / 2, count - 1);
}

double oddness(const FleetValue& value, const FleetSpread& spread) {
  const double scale = std::max(spread.sigma, value.std.value_or(0));
  return scale > 0 ? (value.value - spread.median) / scale : 0;
}

std::optional<FleetDrift> fleet_drift(std::span<const FleetValue> values) {
  const auto points = in_time(values);
  if (points.size() < kMinFleet || points.front().day == points.back().day) return std::nullopt;
  std::vector<double> slopes;
  double s = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double days = points[j].day - points[i].day, rise = points[j].value - points[i].value;
      if (days == 0) continue;
      slopes.push_back(rise / days);
      s += sign(rise);
    }
  FleetDrift drift;
  drift.per_day = median(slopes);
  drift.change = drift.per_day * (points.back().day - points.front().day);
  const double variance = variance_of_s(points);
  const double z = variance > 0 ? (s - sign(s)) / std::sqrt(variance) : 0;
  drift.p = std::min(1.0, 2 * normal_cdf(-std::abs(z)));
  return drift;
}

FleetHistogram fleet_histogram(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(values);
  if (least == greatest) return {least, 0, {values.size()}};
  const auto wished = static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(values.size())));
  const auto steps = std::clamp<std::size_t>(wished, 8, 40);
  FleetHistogram histogram{least, (greatest - least) / static_cast<double>(steps), {}};
  histogram.counts.assign(steps, 0);
  for (const double value : values) {
    const auto step = static_cast<std::size_t>((value - least) / histogram.width);
    ++histogram.counts[std::min(step, steps - 1)];
  }
  return histogram;
}

}  // namespace tactelier
