#include "fitting/time/press_clock.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kCell_s = 0.02;
constexpr double kLoaded = 0.25;  // of the range
constexpr double kShortest_s = 0.06;
constexpr double kPause_s = 0.1;  // shorter dips belong to the press
constexpr double kSkew = 3e-3;
constexpr double kJitter_s = 0.1;   // of centres, by different shapes of load
constexpr std::size_t kFirst = 12;  // parts at the beginning that may lack a partner
constexpr std::size_t kMinPairs = 3;
constexpr double kOutlier = 4;

struct Pairs {
  std::vector<double> host_s, device_s;
  double squares = 0;  // of what each step from pair to pair was off
  std::size_t size() const { return host_s.size(); }
};

/// Follows both lists from a first pair on: the next pair is where both have gone on by the same
/// time, within what a skew and the shapes of presses make.
Pairs follow(std::span<const double> host_s, std::span<const double> device_s, std::size_t i,
             std::size_t j) {
  Pairs pairs;
  pairs.host_s.push_back(host_s[i]);
  pairs.device_s.push_back(device_s[j]);
  ++i, ++j;
  while (i < host_s.size() && j < device_s.size()) {
    const double host = host_s[i] - pairs.host_s.back();
    const double device = device_s[j] - pairs.device_s.back();
    const double off = host - device;
    if (std::abs(off) <= kJitter_s + kSkew * host) {
      pairs.host_s.push_back(host_s[i++]);
      pairs.device_s.push_back(device_s[j++]);
      pairs.squares += off * off;
    } else if (off < 0) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

Pairs best_pairs(std::span<const double> host_s, std::span<const double> device_s) {
  Pairs best;
  for (std::size_t i = 0; i < std::min(host_s.size(), kFirst); ++i)
    for (std::size_t j = 0; j < std::min(device_s.size(), kFirst); ++j) {
      auto pairs = follow(host_s, device_s, i, j);
      const bool better = pairs.size() > best.size() ||
                          (pairs.size() == best.size() && pairs.squares < best.squares);
      if (better) best = std::move(pairs);
    }
  return best;
}

/// Pairs that lie off the line of the others did not belong together after all.
Pairs without_outliers(const Pairs& pairs) {
  const auto line = fit_line_theil_sen(pairs.device_s, pairs.host_s);
  std::vector<double> away;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    away.push_back(pairs.host_s[i] - line.intercept - line.slope * pairs.device_s[i]);
  const double limit = std::max(1e-3, kOutlier * mad_sigma(away));
  const double middle = median(away);
  Pairs kept;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (std::abs(away[i] - middle) > limit) continue;
    kept.host_s.push_back(pairs.host_s[i]);
    kept.device_s.push_back(pairs.device_s[i]);
  }
  return kept;
}

}  // namespace

void LoadedParts::add(double time_s, double load) {
  if (std::isnan(load)) return;
  if (cells_.empty() || time_s - cells_.back().time_s >= kCell_s)
    cells_.push_back({time_s, load, 1});
  else
    cells_.back().load += (load - cells_.back().load) / ++cells_.back().n;
}

std::vector<double> LoadedParts::centres_s() const {
  if (cells_.size() < 10) return {};
  std::vector<double> loads;
  for (const auto& cell : cells_) loads.push_back(cell.load);
  std::sort(loads.begin(), loads.end());
  const double low = loads[loads.size() / 10], high = loads[loads.size() - 1 - loads.size() / 100];
  const double limit = low + kLoaded * (high - low);
  std::vector<double> centres;
  double begin_s = 0, end_s = -1, weight = 0, moment = 0;
  const auto close = [&] {
    if (weight > 0 && end_s - begin_s >= kShortest_s) centres.push_back(begin_s + moment / weight);
    weight = moment = 0;
  };
  for (const auto& cell : cells_) {
    if (!(cell.load > limit)) continue;
    if (weight > 0 && cell.time_s - end_s > kPause_s + kCell_s) close();
    if (weight == 0) begin_s = cell.time_s;
    weight += cell.load - limit;
    moment += (cell.load - limit) * (cell.time_s - begin_s);
    end_s = cell.time_s;
  }
  close();
  return centres;
}

std::optional<ClockFit> clock_from_presses(std::span<const double> host_s,
                                           std::span<const double> device_s) {
  const auto all = best_pairs(host_s, device_s);
  if (all.size() < kMinPairs || 2 * all.size() < std::min(host_s.size(), device_s.size()))
    return {};
  const auto pairs = without_outliers(all);
  if (pairs.size() < kMinPairs) return {};
  // From the first pair: epoch seconds lose microseconds when multiplied.
  const double from_s = pairs.device_s.front(), to_s = pairs.device_s.back();
  std::vector<double> since_s;
  for (const double t : pairs.device_s) since_s.push_back(t - from_s);
  const auto line = fit_line(since_s, pairs.host_s);
  if (!line) return {};
  ClockFit fit;
  fit.map = ClockMap(
      {{from_s, line->intercept}, {to_s, line->intercept + line->slope * (to_s - from_s)}});
  fit.offset_s = {line->intercept - from_s, line->u_intercept, line->dof};
  fit.skew = {line->slope - 1, line->u_slope, line->dof};
  fit.residual_s = std::sqrt(line->rss / static_cast<double>(pairs.size()));
  fit.points = pairs.size();
  fit.windows = 1;
  return fit;
}

}  // namespace tactelier
