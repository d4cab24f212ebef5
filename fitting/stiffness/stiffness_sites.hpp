#pragma once
// From presses to one number per tactel and one for the sensor, with honest intervals: what counts
// is how far a repeat of the recording would land from this one, and that is read from repeats.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// One press at one place.
struct PressValue {
  std::string site;   // "tactel 14", or "x 1.70 mm, y 0.00 mm" between tactels
  std::string mount;  // how the sensor was mounted; "" when not stated
  Estimate within;    // standard error from within the press
  double shared = 0;  // standard error of a correction that other presses got too
};

struct SiteMeans {
  Estimate mean;                          // over the sites, each site counting once
  std::map<std::string, Estimate> sites;  // by PressValue::site
  std::optional<double> spread;           // standard deviation of the site means, two sites or more
  std::optional<double> repeat_sd;        // of presses at the same site, pooled
  double repeat_dof = 0;
  bool remounting_included = false;
  std::string method;  // of the mean's interval, in words
};

/// Where the standard errors come from, in this order:
/// - three mounts or more: from mount to mount (remounting_included);
/// - repeats at the same sites with four degrees of freedom in all, or as many as there are sites:
///   their pooled scatter, so that real differences between tactels do not widen the interval;
/// - two sites or more: from site to site, which holds those differences too;
/// - a single press: from within it, which knows nothing of how well a press repeats.
SiteMeans mean_over_sites(std::span<const PressValue> presses);

}  // namespace tactelier
