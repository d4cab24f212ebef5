#pragma once
// What is usual in a fleet, and what is not: location and spread that a few odd sensors can't carry
// away, control limits, outliers, drift. docs/catalogue.md 2 gives the definitions.

#include <optional>
#include <span>
#include <vector>

namespace tactelier {

/// Fewer sensors than this have a median, but no limits.
inline constexpr std::size_t kMinFleet = 8;
/// Shewhart's limits: 0.27 % of a normal fleet lies beyond.
inline constexpr double kControlSigmas = 3;

/// Robust location and spread: median, and 1.4826 times the median absolute deviation.
struct FleetSpread {
  double median = 0;
  double sigma = 0;
  double low = 0;  // control limits: median -+ 3 sigma
  double high = 0;
};
FleetSpread fleet_spread(std::span<const double> values);

/// How many sigmas off a sensor must be to be odd in a fleet of n: with a normal fleet, no sensor
/// of it is beyond in 95 of 100 fleets (Sidak). Of Student's t with n - 1 degrees of freedom, since
/// the spread itself is estimated.
double outlier_sigmas(std::size_t n);

struct FleetValue {
  double value = 0;
  std::optional<double> std;  // its own standard error
  std::optional<double> day;  // of recording, since any fixed day
};

/// Distance from the median in the larger of the fleet's sigma and the value's own standard error:
/// a number that is badly known is no proof of an odd sensor. 0 where nothing varies.
double oddness(const FleetValue& value, const FleetSpread& spread);

struct FleetDrift {
  double per_day = 0;  // Theil-Sen: median of the slopes between all pairs
  double p = 1;        // Mann-Kendall, two-sided, corrected for ties
  double change = 0;   // per_day times the days between first and last
};
/// Nothing when fewer than kMinFleet have a day, or all have the same. Of more than 1500 sensors
/// that many are taken, evenly over time.
std::optional<FleetDrift> fleet_drift(std::span<const FleetValue> values);

/// How many values lie in each of equally wide steps from the least to the greatest.
struct FleetHistogram {
  double least = 0, width = 0;  // width 0: all values are one, and there is one step
  std::vector<std::size_t> counts;
};
/// About twice the root of their number of steps, 8 to 40. Empty without values.
FleetHistogram fleet_histogram(std::span<const double> values);

}  // namespace tactelier
