#include "fitting/stiffness/stiffness_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace tactelier {
namespace {

constexpr double kEnoughRepeats = 4;
constexpr std::size_t kEnoughMounts = 3;

using Groups = std::map<std::string, std::vector<Estimate>>;

double mean_value(const std::vector<Estimate>& presses) {
  double sum = 0;
  for (const auto& press : presses) sum += press.value;
  return sum / static_cast<double>(presses.size());
}

/// Mean of several presses, errors from within each.
Estimate from_within(const std::vector<Estimate>& presses) {
  std::vector<Component> parts;
  const auto m = static_cast<double>(presses.size());
  for (const auto& press : presses) parts.push_back({"press", press.std / m, press.dof});
  const Budget budget = combine(parts);
  return {mean_value(presses), budget.u_c, std::max(1.0, budget.dof)};
}

void pool_repeats(const Groups& groups, SiteMeans& result) {
  double squares = 0;
  for (const auto& [site, presses] : groups) {
    const double mean = mean_value(presses);
    for (const auto& press : presses) squares += (press.value - mean) * (press.value - mean);
    result.repeat_dof += static_cast<double>(presses.size() - 1);
  }
  if (result.repeat_dof >= 1) result.repeat_sd = std::sqrt(squares / result.repeat_dof);
}

/// Mean over sites inside each mount, then from mount to mount.
Estimate over_mounts(std::span<const PressValue> presses) {
  std::map<std::string, Groups> mounts;
  for (const auto& press : presses) mounts[press.mount][press.site].push_back(press.within);
  std::vector<double> means;
  for (const auto& [mount, groups] : mounts) {
    double sum = 0;
    for (const auto& [site, values] : groups) sum += mean_value(values);
    means.push_back(sum / static_cast<double>(groups.size()));
  }
  return press_spread(means);
}

bool enough_mounts(std::span<const PressValue> presses) {
  std::set<std::string> mounts;
  for (const auto& press : presses) {
    if (press.mount.empty()) return false;
    mounts.insert(press.mount);
  }
  return mounts.size() >= kEnoughMounts;
}

Estimate site_estimate(const std::vector<Estimate>& presses, const SiteMeans& result) {
  const auto m = static_cast<double>(presses.size());
  const bool repeated = presses.size() > 1 || result.repeat_dof >= kEnoughRepeats;
  if (!repeated) return from_within(presses);
  return {mean_value(presses), *result.repeat_sd / std::sqrt(m), result.repeat_dof};
}

void add_interval(const Groups& groups, SiteMeans& result) {
  const auto sites = static_cast<double>(groups.size());
  if (result.repeat_sd && (result.repeat_dof >= kEnoughRepeats || result.repeat_dof >= sites - 1)) {
    double shares = 0;
    for (const auto& [site, presses] : groups) shares += 1 / static_cast<double>(presses.size());
    result.mean.std = *result.repeat_sd * std::sqrt(shares) / sites;
    result.mean.dof = result.repeat_dof;
    result.method = fmt::format("dispersion of repeated presses ({:.0f} degrees of freedom)",
                                result.repeat_dof);
  } else if (groups.size() > 1) {
    result.mean.std = *result.spread / std::sqrt(sites);
    result.mean.dof = sites - 1;
    result.method = fmt::format("scatter from place to place ({} places)", groups.size());
  } else {
    const double value = result.mean.value;
    result.mean = from_within(groups.begin()->second);
    result.mean.value = value;
    result.method = "within one press; its repeatability is not known";
  }
}

/// A common correction's error doesn't average out: onto each site, and onto the mean with the
/// share of the sites that have it.
void add_shared(std::span<const PressValue> presses, SiteMeans& result) {
  std::map<std::string, double> shared;
  for (const auto& press : presses) shared[press.site] = std::max(shared[press.site], press.shared);
  double mean = 0;
  for (const auto& [site, u] : shared) {
    auto& estimate = result.sites[site];
    estimate.std = std::hypot(estimate.std, u);
    mean += u / static_cast<double>(shared.size());
  }
  result.mean.std = std::hypot(result.mean.std, mean);
}

}  // namespace

SiteMeans mean_over_sites(std::span<const PressValue> presses) {
  SiteMeans result;
  Groups groups;
  for (const auto& press : presses) groups[press.site].push_back(press.within);
  if (groups.empty()) return result;
  pool_repeats(groups, result);
  std::vector<double> means;
  for (const auto& [site, values] : groups) {
    result.sites[site] = site_estimate(values, result);
    means.push_back(result.sites[site].value);
  }
  const Estimate between = press_spread(means);
  result.mean.value = between.value;
  if (means.size() > 1) result.spread = between.std * std::sqrt(static_cast<double>(means.size()));
  if (enough_mounts(presses)) {
    result.mean = over_mounts(presses);
    result.remounting_included = true;
    result.method = fmt::format("scatter from mount to mount ({:.0f} mounts)", result.mean.dof + 1);
  } else {
    add_interval(groups, result);
  }
  add_shared(presses, result);
  return result;
}

}  // namespace tactelier
