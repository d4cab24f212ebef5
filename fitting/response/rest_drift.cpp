#include "fitting/response/rest_drift.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kSure = 2.5;  // standard errors
constexpr std::size_t kMinRows = 20, kMinTrends = 3;

bool has_air(const TactelPress& press) {
  return !press.static_readings && press.before.size() >= kMinRows && press.period_s > 0;
}

struct Trend {
  Estimate mean;  // counts per second
  bool sure() const { return std::abs(mean.value) > kSure * mean.std; }
};

/// 0, and never sure, of fewer than kMinTrends.
Trend trend_of(std::span<const double> counts_per_s) {
  if (counts_per_s.size() < kMinTrends) return {};
  return {press_spread(counts_per_s)};
}

/// Within the free air of each press.
Trend within_air(std::span<const TactelPress> presses) {
  std::vector<double> trends;
  for (const auto& press : presses) {
    if (!has_air(press)) continue;
    std::vector<double> row(press.before.size());
    std::iota(row.begin(), row.end(), 0.0);
    if (const auto line = fit_line(row, press.before))
      trends.push_back(line->slope / press.period_s);
  }
  return trend_of(trends);
}

struct Steps {
  std::vector<double> from;  // of each press to the next; NaN where there is none
  std::vector<double> all;   // those that are there
};

Steps steps_of(std::span<const TactelPress> presses) {
  Steps steps;
  steps.from.assign(presses.size(), std::nan(""));
  for (std::size_t k = 0; k + 1 < presses.size(); ++k) {
    const auto& here = presses[k];
    const auto& next = presses[k + 1];
    const double apart_s = next.before_s - here.before_s;
    if (!has_air(here) || !has_air(next) || here.session != next.session || !(apart_s > 0))
      continue;
    steps.from[k] = (air_window(next.before, 0).mean - air_window(here.before, 0).mean) / apart_s;
    steps.all.push_back(steps.from[k]);
  }
  return steps;
}

double typical_loading_s(std::span<const TactelPress> presses) {
  std::vector<double> lengths;
  for (const auto& press : presses)
    if (has_air(press))
      lengths.push_back(static_cast<double>(press.loading.counts.size()) * press.period_s);
  return median(lengths);
}

}  // namespace

RestDrift rest_drift(std::span<const TactelPress> presses) {
  RestDrift drift;
  const auto air = within_air(presses);
  auto steps = steps_of(presses);
  const auto between = trend_of(steps.all);
  if (!between.sure()) {
    if (air.sure()) drift.left_counts = std::abs(air.mean.value) * typical_loading_s(presses);
    return drift;
  }
  const double otherwise = air.mean.value - between.mean.value;
  if (air.sure() && std::abs(otherwise) > kSure * std::hypot(air.mean.std, between.mean.std))
    drift.left_counts = std::abs(otherwise) * typical_loading_s(presses);
  for (std::size_t k = 1; k < presses.size(); ++k)
    if (std::isnan(steps.from[k]) && presses[k].session == presses[k - 1].session)
      steps.from[k] = steps.from[k - 1];
  for (double& step : steps.from)
    if (std::isnan(step)) step = 0;
  drift.counts_per_s = std::move(steps.from);
  return drift;
}

void remove_drift(const TactelPress& press, double counts_per_s, double saturation_counts,
                  std::vector<double>& loading_counts) {
  for (std::size_t i = 0; i < loading_counts.size() && i < press.loading_s.size(); ++i)
    if (loading_counts[i] < saturation_counts)
      loading_counts[i] -= counts_per_s * (press.loading_s[i] - press.before_s);
}

std::vector<ResponsePress> with_offsets(std::span<const TactelPress> presses,
                                        const ReadingLimits& limits, const RestDrift& drift) {
  const double saturation = limits.ceiling == Clip::kNone ? std::numeric_limits<double>::infinity()
                                                          : limits.saturation.value;
  std::vector<ResponsePress> result;
  for (std::size_t k = 0; k < presses.size(); ++k) {
    const auto& press = presses[k];
    ResponsePress one = press.loading;
    one.offset_counts = limits.offset.value;
    if (limits.floor == Clip::kVisible && press.before.size() >= 20) {
      one.offset_counts = air_window(press.before, 0).mean;
      if (k < drift.counts_per_s.size())
        remove_drift(press, drift.counts_per_s[k], saturation, one.counts);
    }
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace tactelier
