#include "fitting/response/response_tactel_figures.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/response_figures.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr int kBins = 12;
constexpr std::size_t kMinBins = 5;
constexpr std::size_t kMinAir = 10;
constexpr double kResolved = 3;  // standard errors that make a difference

/// Forces between which the response is a line: above the trigger's corner, below the ceiling's.
struct Window {
  double low_N, high_N;
};

Window window_of(const TactelFit& fit, double peak_N) {
  double high = 0.98 * peak_N;
  if (fit.limits.ceiling != Clip::kNone) high = std::min(high, 0.9 * fit.limits.saturation_force_N);
  const double low = fit.limits.floor == Clip::kNone
                         ? fit.lowest_force_N
                         : std::max(1.5 * fit.fit.threshold_N, 0.1 * high);
  return {low, high};
}

double full_scale(const TactelFit& fit) {
  const double top =
      fit.limits.ceiling != Clip::kNone ? fit.limits.saturation.value : fit.highest_counts;
  return top - fit.limits.offset.value;
}

/// Standard error of one bin's mean.
double bin_error(const TactelFit& fit, std::size_t samples) {
  const double force = fit.settings.sigma_force_N / fit.fit.gain_N_per_count;
  const double one = std::hypot(fit.settings.sigma_counts, force);
  return one / std::sqrt(std::max(1.0, static_cast<double>(samples) / kBins));
}

struct Branches {
  Branch load, unload;
  Window window;
  double error = 0;  // of a difference of the two
};

std::optional<Branches> branches_of(const TactelPress& press, const TactelFit& fit) {
  Branches b;
  b.window = window_of(fit, press.peak_force_N);
  if (!(b.window.high_N > b.window.low_N)) return std::nullopt;
  b.load = binned_branch(press.loading.force_N, press.loading.counts, b.window.low_N,
                         b.window.high_N, kBins);
  b.unload = binned_branch(press.unloading_force_N, press.unloading_counts, b.window.low_N,
                           b.window.high_N, kBins);
  if (b.load.force_N.size() < kMinBins || b.unload.force_N.size() < kMinBins) return std::nullopt;
  b.error = std::hypot(bin_error(fit, press.loading.force_N.size()),
                       bin_error(fit, press.unloading_force_N.size()));
  return b;
}

std::vector<double> common_grid(const Branches& b) {
  const double low = std::max(b.load.lowest_N(), b.unload.lowest_N());
  const double high = std::min(b.load.highest_N(), b.unload.highest_N());
  std::vector<double> grid;
  for (int i = 0; i < kBins && high > low; ++i)
    grid.push_back(low + (high - low) * i / (kBins - 1));
  return grid;
}

/// Mean over presses; a single press gets its within-press error and no degrees to widen it by.
Figure mean_figure(std::span<const double> values, double within, std::string why_not) {
  if (values.empty()) return {std::nullopt, std::move(why_not)};
  auto spread = press_spread(values);
  if (values.size() == 1) spread = {values[0], within, kManyDegrees};
  return {spread, {}};
}

/// Readings that are late open the same loop at one speed: twice the delay times the rate.
void open_by_latency(const TactelData& data, const TactelFit& fit, double scale,
                     Figure& hysteresis) {
  if (!hysteresis.estimate || !(fit.u_latency_s > 0)) return;
  constexpr double kFrom = 0.1, kTo = 0.9;  // of the peak: a press that holds it has no rate there
  std::vector<double> rates;
  for (const auto& press : data.presses) {
    const auto& force_N = press.loading.force_N;
    const auto reached = [&](double share) {
      return static_cast<std::size_t>(
          std::find_if(force_N.begin(), force_N.end(),
                       [&](double f) { return f >= share * press.peak_force_N; }) -
          force_N.begin());
    };
    const std::size_t first = reached(kFrom), last = reached(kTo);
    if (last >= press.loading_s.size() || !(press.loading_s[last] > press.loading_s[first]))
      continue;
    rates.push_back((force_N[last] - force_N[first]) /
                    (press.loading_s[last] - press.loading_s[first]));
  }
  if (rates.empty()) return;
  const double u_N = 2 * std::max(0.0, median(rates)) * fit.u_latency_s;
  const double u_percent = 100 * u_N / fit.fit.gain_N_per_count / scale;
  auto& estimate = *hysteresis.estimate;
  if (estimate.value < kResolved * u_percent) {
    hysteresis = {std::nullopt,
                  fmt::format("TA-06 a loop of {:.2g} %FS: readings that are {:.2g} ms late open "
                              "one as wide. Press at speeds a factor of 4 apart, or more slowly",
                              estimate.value, 1e3 * estimate.value / u_percent * fit.u_latency_s)};
    return;
  }
  estimate.std = std::hypot(estimate.std, u_percent);
}

void add_hysteresis(const TactelData& data, const TactelFit& fit, TactelFigures& figures) {
  std::vector<double> gaps, reversals;
  double error = 0, reversal_error = 0;
  const double scale = full_scale(fit);
  for (const auto& press : data.presses) {
    const auto b = branches_of(press, fit);
    if (!b) continue;
    const auto grid = common_grid(*b);
    if (grid.empty()) continue;
    const auto gap = branch_gap(b->load, b->unload, grid);
    gaps.push_back(100 * gap.largest_counts / scale);
    error = 100 * b->error / scale;
    double reversal = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const double reading = gap.load[i] - fit.limits.offset.value;
      reversal +=
          100 * std::abs(gap.unload[i] - gap.load[i]) / reading / static_cast<double>(grid.size());
      reversal_error = 100 * b->error / reading;
    }
    reversals.push_back(reversal);
  }
  const std::string why =
      "RS-06 no unloading branch between trigger and saturation: record the unloading branch as "
      "slowly as "
      "the loading branch";
  figures.hysteresis = mean_figure(gaps, error, why);
  figures.reversibility = mean_figure(reversals, reversal_error, why);
  if (fit.limits.floor == Clip::kNone) {
    figures.reversibility = {std::nullopt,
                             "RS-06 the offset is unknown, so there is no reading to relate to"};
  }
  // The largest of a dozen noisy differences is about two standard errors where nothing differs.
  const double resolution = kResolved * error;
  if (figures.hysteresis.estimate && figures.hysteresis.estimate->value < resolution)
    figures.hysteresis = {
        std::nullopt, fmt::format("RS-06 Hysteresis below {:.2g} %FS: not resolved.", resolution)};
  open_by_latency(data, fit, scale, figures.hysteresis);
}

void add_repeatability(const TactelData& data, const TactelFit& fit, TactelFigures& figures) {
  auto& figure = figures.repeatability;
  if (data.presses.size() < 2) {
    figure.why = "RP-01 one press only: press this tactel at least twice (kind repeat)";
    return;
  }
  double peak = 1e300;
  for (const auto& press : data.presses) peak = std::min(peak, press.peak_force_N);
  const auto window = window_of(fit, peak);
  std::vector<Branch> loads;
  for (const auto& press : data.presses) {
    loads.push_back(binned_branch(press.loading.force_N, press.loading.counts, window.low_N,
                                  window.high_N, kBins));
    if (loads.back().force_N.size() < kMinBins) {
      figure.why = "RP-01 the presses have too few samples at common forces";
      return;
    }
  }
  double squares = 0, count = 0;
  for (double share = 0.5; share < 0.95; share += 0.1) {
    std::vector<double> readings;
    for (const auto& load : loads) readings.push_back(load.at(share * window.high_N));
    const auto spread = press_spread(readings);
    const double sd = spread.std * std::sqrt(static_cast<double>(readings.size()));
    squares += std::pow(100 * sd / (spread.value - fit.limits.offset.value), 2);
    count += 1;
  }
  const double value = std::sqrt(squares / count);
  const double dof = static_cast<double>(data.presses.size()) - 1;
  figure.estimate = Estimate{value, value / std::sqrt(2 * dof), dof};
}

void add_zero_return(const TactelData& data, const TactelFit& fit, TactelFigures& figures) {
  std::vector<double> returns;
  double error = 0;
  for (const auto& press : data.presses) {
    if (press.before.size() < kMinAir || press.after.size() < kMinAir) continue;
    const auto before = air_window(press.before, 0);
    const auto after = air_window(press.after, 0);
    const double top = *std::max_element(press.loading.counts.begin(), press.loading.counts.end());
    if (!(top > before.mean)) continue;
    returns.push_back(100 * (after.mean - before.mean) / (top - before.mean));
    error = 100 * fit.settings.sigma_counts *
            std::sqrt(1.0 / static_cast<double>(before.n) + 1.0 / static_cast<double>(after.n)) /
            (top - before.mean);
  }
  figures.zero_return =
      mean_figure(returns, error,
                  "ZR-01 too few readings in free air after release: end the press in free air");
  if (fit.limits.floor == Clip::kCensored)
    figures.zero_return = {std::nullopt,
                           "ZR-01 unloaded readings are cut to the floor: drift hides below it"};
}

void add_nonlinearity(const TactelData& data, const TactelFit& fit, TactelFigures& figures) {
  std::vector<double> force, counts;
  for (const auto& press : data.presses) {
    force.insert(force.end(), press.loading.force_N.begin(), press.loading.force_N.end());
    counts.insert(counts.end(), press.loading.counts.begin(), press.loading.counts.end());
  }
  const auto window = window_of(fit, fit.peak_force_N);
  auto& figure = figures.nonlinearity;
  figure.why = "RS-02 too few samples between trigger and saturation";
  if (!(window.high_N > window.low_N)) return;
  const auto branch = binned_branch(force, counts, window.low_N, window.high_N, kBins);
  if (branch.force_N.size() < kMinBins) return;
  const auto value = nonlinearity_best_line_percent(branch.force_N, branch.counts, full_scale(fit));
  if (!value) return;
  const double error = 100 * bin_error(fit, force.size()) / full_scale(fit);
  figure = {Estimate{*value, error, kManyDegrees}, {}};
}

}  // namespace

std::vector<ReadingLoop> reading_loops(const TactelData& data, const TactelFit& fit) {
  std::vector<ReadingLoop> loops;
  if (fit.static_readings || fit.limits.floor == Clip::kNone) return loops;
  for (const auto& press : data.presses) {
    const auto b = branches_of(press, fit);
    if (!b) continue;
    ReadingLoop loop;
    loop.peak_N = press.peak_force_N;
    const auto apparent_N = [&](double counts) {
      return fit.fit.threshold_N + fit.fit.gain_N_per_count * (counts - fit.limits.offset.value);
    };
    for (std::size_t i = 0; i < b->load.force_N.size(); ++i) {
      loop.loading_N.push_back(b->load.force_N[i]);
      loop.loading_apparent_N.push_back(apparent_N(b->load.counts[i]));
    }
    for (std::size_t i = b->unload.force_N.size(); i-- > 0;) {
      loop.unloading_N.push_back(b->unload.force_N[i]);
      loop.unloading_apparent_N.push_back(apparent_N(b->unload.counts[i]));
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

TactelFigures tactel_figures(const TactelData& data, const TactelFit& fit) {
  TactelFigures figures;
  if (fit.static_readings) {
    const std::string why = "RS-06 readings at rest hold no way out and no free air";
    figures.hysteresis.why = figures.reversibility.why = figures.zero_return.why = why;
  } else {
    add_hysteresis(data, fit, figures);
    add_zero_return(data, fit, figures);
  }
  add_repeatability(data, fit, figures);
  add_nonlinearity(data, fit, figures);
  return figures;
}

}  // namespace tactelier
