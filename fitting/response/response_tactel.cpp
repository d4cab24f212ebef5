#include "fitting/response/response_tactel.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/reading_spikes.hpp"
#include "fitting/response/response_tactel_figures.hpp"
#include "fitting/response/rest_drift.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr int kMinOnLine = 8;         // RS-02
constexpr int kMinAtRest = 4;         // ... of readings at rest: two to spare for a line
constexpr double kMinForceRange = 3;  // RS-04, in thresholds
constexpr double kMaxThresholdShare = 0.8;
constexpr double kTrifle = 1e-12;  // of the readings' range: noise where they have none

void note_ranges(const TactelData& data, TactelFit& fit) {
  bool first = true;
  std::vector<double> rates, periods, at_zero, growth;
  for (const auto& press : data.presses) {
    fit.peak_force_N = std::max(fit.peak_force_N, press.peak_force_N);
    rates.push_back(press.force_rate_N_per_s);
    periods.push_back(press.period_s);
    at_zero.push_back(press.rate.at_zero_N_per_s);
    growth.push_back(press.rate.growth_per_s);
    fit.u_latency_s = std::max(fit.u_latency_s, press.u_latency_s);
    fit.readings += static_cast<int>(press.loading.counts.size());
    for (std::size_t i = 0; i < press.loading.counts.size(); ++i) {
      const double c = press.loading.counts[i], f = press.loading.force_N[i];
      if (first) {
        fit.lowest_counts = fit.highest_counts = c;
        fit.lowest_force_N = f;
      }
      first = false;
      fit.lowest_counts = std::min(fit.lowest_counts, c);
      fit.highest_counts = std::max(fit.highest_counts, c);
      fit.lowest_force_N = std::min(fit.lowest_force_N, f);
    }
  }
  fit.force_rate_N_per_s = median(rates);
  fit.period_s = median(periods);
  fit.rate = {median(at_zero), median(growth)};
  fit.static_readings = !data.presses.empty() && data.presses.front().static_readings;
  fit.presses = data.presses.size();
}

bool one_reading_only(const TactelData& data, const TactelFit& fit) {
  if (fit.highest_counts != fit.lowest_counts) return false;
  return std::all_of(data.air.begin(), data.air.end(), [&](const BaselineWindow& w) {
    return w.variance == 0 && w.mean == fit.highest_counts;
  });
}

/// Three samples in a row clearly above the offset, in any press; all of it where it has fewer.
bool answers(std::span<const ResponsePress> presses, const ReadingLimits& limits) {
  for (const auto& press : presses) {
    const auto enough = std::min<std::size_t>(3, press.counts.size());
    std::size_t above = 0;
    for (const double c : press.counts) {
      above = c > press.offset_counts + 5 * std::max(limits.noise, limits.step) ? above + 1 : 0;
      if (above >= enough) return true;
    }
  }
  return false;
}

double pooled_force_noise_N(std::span<const TactelPress> presses) {
  double squares = 0;
  for (const auto& press : presses) squares += press.sigma_force_N * press.sigma_force_N;
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, presses.size())));
}

/// Samples of free air behind the noise that weighs most: the force's where it matters.
double noise_dof(const TactelData& data, const TactelFit& fit) {
  if (fit.settings.sigma_force_N <= 0) return std::max(1.0, fit.limits.noise_dof);
  double rows = 0;
  for (const auto& press : data.presses) rows += static_cast<double>(press.sigma_force_rows);
  return rows > 0 ? rows : std::max(1.0, fit.limits.noise_dof);
}

AffineSettings settings_for(const TactelData& data, const TactelFit& fit) {
  AffineSettings settings;
  settings.floor = fit.limits.floor;
  settings.ceiling = fit.limits.ceiling;
  settings.saturation_counts = fit.limits.saturation.value;
  settings.sigma_counts =
      std::max(fit.limits.noise, kTrifle * (fit.highest_counts - fit.lowest_counts));
  settings.max_threshold_N = kMaxThresholdShare * fit.peak_force_N;
  settings.sigma_force_N = pooled_force_noise_N(data.presses);
  return settings;
}

/// Deviation of readings about the fitted line, per residual degree of freedom.
double scatter_on_line(const TactelFit& fit) {
  double squares = 0;
  for (const auto& press : fit.fit.presses) squares += press.chi2;
  const double dof = std::max(1, fit.fit.on_line - 2);
  return fit.settings.sigma_counts * std::sqrt(squares / dof);
}

/// Decides whether force noise counts, and finds the readings' noise where free air can't tell it.
Result<AffineFit> solve_affine(std::span<const ResponsePress> presses, TactelFit& fit,
                               const Job& job) {
  const double sigma_force_N = fit.settings.sigma_force_N;
  fit.settings.sigma_force_N = 0;
  double gain = 0;
  // A few unloaded rows of a table, or a number, tell an offset, not how loaded rows scatter.
  fit.noise_known =
      fit.limits.floor == Clip::kVisible && !fit.static_readings && !fit.limits.rest_stated;
  if (fit.noise_known) {
    const auto line = find_affine_line(presses, fit.settings, job);
    if (!line) return fail(line.error());
    gain = line->gain_N_per_count;
  } else {
    auto solved = fit_affine(presses, fit.settings, job);
    if (!solved) return solved;
    fit.fit = *solved;
    gain = solved->gain_N_per_count;
    const double scatter = scatter_on_line(fit);
    fit.settings.sigma_counts = std::max(scatter, u_resolution(fit.limits.step));
    if (fit.settings.sigma_counts <= 0)
      fit.settings.sigma_counts = 1e-9 * std::abs(fit.highest_counts);
  }
  if (force_noise_matters(sigma_force_N, fit.settings.sigma_counts, gain))
    fit.settings.sigma_force_N = sigma_force_N;
  // Scatter about the line holds the force's noise already.
  if (!fit.noise_known && fit.settings.sigma_force_N > 0) {
    const double total = fit.settings.sigma_counts, force = sigma_force_N / gain;
    fit.settings.sigma_counts = std::max(std::sqrt(std::max(0.0, total * total - force * force)),
                                         u_resolution(fit.limits.step));
  }
  return fit_affine(presses, fit.settings, job);
}

std::string too_few(int tactel, int usable, int least) {
  return fmt::format(
      "RS-02 Tactel {}: {} usable samples between trigger and saturation; gain "
      "not reported; {} are needed. Press more slowly, or read more loads",
      tactel, usable, least);
}

std::string refuse(const TactelFit& fit, int tactel) {
  const auto& limits = fit.limits;
  if (limits.ceiling != Clip::kNone && fit.fit.on_line == 0)
    return fmt::format(
        "RS-05 Tactel {}: saturated at {:.3g} N: only a lower bound of the gain is "
        "known. Press more slowly from the first touch",
        tactel, limits.saturation_force_N);
  const int least = fit.static_readings ? kMinAtRest : kMinOnLine;
  if (fit.fit.on_line < least) return too_few(tactel, fit.fit.on_line, least);
  if (limits.floor != Clip::kNone && fit.peak_force_N < kMinForceRange * fit.fit.threshold_N)
    return fmt::format(
        "RS-04 Tactel {}: forces span {:.3g}..{:.3g} N: trigger ({:.3g} N) and gain "
        "cannot be separated. Press harder",
        tactel, fit.lowest_force_N, fit.peak_force_N, fit.fit.threshold_N);
  return {};
}

/// A tactel is not dead that answers later in its presses, or where most of them have no force
/// beside the readings. Empty where neither is so.
std::string answer_not_seen(const TactelData& data, std::span<const ResponsePress> loading,
                            const ReadingLimits& limits) {
  std::vector<ResponsePress> later;
  for (std::size_t i = 0; i < data.presses.size(); ++i)
    later.push_back({data.presses[i].unloading_force_N, data.presses[i].unloading_counts,
                     loading[i].offset_counts});
  if (answers(later, limits))
    return fmt::format(
        "RS-02 Tactel {}: its readings stay at their offset in the rows that load and rise only "
        "behind the peak of the force: they are late, or the force rose within a few rows. Lay "
        "both "
        "clocks on each other (tap the sensor at the beginning), press more slowly or record at a "
        "higher rate",
        data.tactel);
  std::size_t left_out = 0, kept = 0;
  for (const auto& press : data.presses) {
    left_out += press.rows_left_out;
    kept += press.loading.counts.size();
  }
  if (left_out <= kept) return {};
  return fmt::format(
      "RS-02 Tactel {}: its readings stay at their offset in the {} rows that load, and {} rows of "
      "its presses have no force beside them: whether it answers is not known. Record the force "
      "without gaps, at a rate of its own, not on changes alone",
      data.tactel, kept, left_out);
}

bool is_cut(const TactelFit& fit, double counts) {
  return (fit.limits.ceiling == Clip::kCensored && counts >= fit.limits.saturation.value) ||
         (fit.limits.floor == Clip::kCensored && counts <= fit.limits.offset.value);
}

void sum_squares(std::span<const ResponsePress> presses, TactelFit& fit) {
  double mean = 0, n = 0;
  const auto on_line = [&](const ResponsePress& press, std::size_t i) {
    const bool below = press.force_N[i] <= fit.fit.threshold_N && fit.limits.floor != Clip::kNone;
    const bool above =
        fit.limits.ceiling != Clip::kNone && press.counts[i] >= fit.limits.saturation.value;
    return !below && !above;
  };
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i)
      if (on_line(press, i)) mean += (press.counts[i] - mean) / ++n;
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      if (!on_line(press, i)) {
        fit.cut += is_cut(fit, press.counts[i]) ? 1 : 0;
        continue;
      }
      const double predicted =
          press.offset_counts + (press.force_N[i] - fit.fit.threshold_N) / fit.fit.gain_N_per_count;
      fit.sum_squares += std::pow(press.counts[i] - predicted, 2);
      fit.total_squares += std::pow(press.counts[i] - mean, 2);
    }
  fit.line_samples = n;
  fit.rejected = fit.limits.saturated + fit.spikes;
}

void predict(const TactelData& data, TactelFit& fit) {
  for (const auto& press : with_offsets(data.held_out, fit.limits, {})) {
    const auto residuals =
        affine_residuals(press, fit.settings, fit.fit.threshold_N, fit.fit.gain_N_per_count);
    for (const double r : residuals) fit.holdout_squares += r * r;
    fit.holdout_samples += static_cast<double>(residuals.size());
  }
}

/// A rise that is one, `sigmas` of the noise. Of few rows at rest the noise is what they leave of a
/// line: where the response bends that hides nothing.
double clear_counts(const TactelFit& fit, double sigmas) {
  constexpr double kShareOfRise = 0.03;
  if (!fit.static_readings) return sigmas * fit.settings.sigma_counts;
  return kShareOfRise * (fit.highest_counts - fit.limits.offset.value);
}

/// Forces between the first clear answer and the ceiling, noise and all: a law that starts more
/// slowly than the line answers before the line's trigger.
ErrorBins errors_on_line(std::span<const ResponsePress> presses, const TactelFit& fit) {
  constexpr double kClear = 5, kCorner = 3;  // sigma of counts, of force
  constexpr double kTop = 1.0001;            // the highest reading counts
  double low_N = fit.lowest_force_N, high_N = kTop * fit.peak_force_N;
  if (fit.limits.floor != Clip::kNone)
    low_N = std::max(low_N, lowest_clear_N(presses, high_N, clear_counts(fit, kClear)) +
                                kCorner * fit.settings.sigma_force_N);
  if (fit.limits.ceiling != Clip::kNone)
    high_N = std::min(high_N, fit.limits.saturation_force_N - kCorner * fit.settings.sigma_force_N);
  if (fit.static_readings)
    return error_bins_at_rest(presses, fit.fit, low_N, high_N,
                              fit.fit.gain_N_per_count * u_resolution(fit.limits.step));
  return error_bins(presses, fit.fit, low_N, high_N);
}

/// Between the forces at which the dead zone ends and the ceiling begins, noise and all.
std::optional<TactelCurves> compare_curves(std::span<const ResponsePress> presses, TactelFit& fit) {
  constexpr double kClear = 5, kCorner = 3;  // sigma
  constexpr double kShareOfRise = 0.03;
  double high_N = fit.peak_force_N;
  if (fit.limits.ceiling != Clip::kNone)
    high_N = std::min(high_N,
                      0.97 * fit.limits.saturation_force_N - kCorner * fit.settings.sigma_force_N);
  if (!(high_N > 0)) return std::nullopt;
  double low_N = fit.lowest_force_N;
  if (fit.limits.floor != Clip::kNone) {
    const double rise = fit.highest_counts - fit.limits.offset.value;
    // Noise that is what a bent response leaves of a line hides nothing.
    const double noise = fit.noise_known ? fit.settings.sigma_counts : 0;
    const double clear = std::max(kClear * noise, kShareOfRise * rise);
    low_N = lowest_clear_N(presses, high_N, clear) + kCorner * fit.settings.sigma_force_N;
  }
  if (!(low_N < 0.7 * high_N)) return std::nullopt;
  std::optional<double> rest_counts;
  if (fit.limits.floor != Clip::kNone) rest_counts = fit.limits.offset.value;
  auto data = curve_data(presses, low_N, high_N);
  data.u_reading_counts = u_resolution(fit.limits.step);
  data.static_readings = fit.static_readings;
  fit.curve_loads = data.loads();
  return fit_curves(std::move(data), rest_counts);
}

}  // namespace

TactelFit fit_tactel(const TactelData& data, const SensorDescription& sensor, const Job& job) {
  TactelFit fit;
  fit.tactel = data.tactel;
  fit.touch = data.touch;
  note_ranges(data, fit);
  fit.limits = find_limits(data.air, data.presses, sensor, data.step);
  if (data.presses.empty()) return fit;
  if (one_reading_only(data, fit)) {
    fit.outcome = TactelFit::Outcome::kConstant;
    return fit;
  }
  const auto drift = rest_drift(data.presses);
  fit.drift_counts = drift.left_counts;
  auto presses = with_offsets(data.presses, fit.limits, drift);
  const bool full =
      fit.limits.ceiling != Clip::kNone && fit.lowest_counts >= fit.limits.saturation.value;
  fit.outcome = TactelFit::Outcome::kRefused;
  if (full) {
    fit.refusal = refuse(fit, data.tactel);
    return fit;
  }
  if (fit.limits.floor != Clip::kNone && !answers(presses, fit.limits)) {
    fit.refusal = answer_not_seen(data, presses, fit.limits);
    if (fit.refusal.empty()) fit.outcome = TactelFit::Outcome::kSilent;
    return fit;
  }
  if (fit.static_readings && fit.readings < kMinAtRest) {  // a row per place
    fit.refusal = too_few(data.tactel, fit.readings, kMinAtRest);
    return fit;
  }
  fit.settings = settings_for(data, fit);
  auto solved = solve_affine(presses, fit, job);
  if (solved && !fit.static_readings) {
    fit.spikes = remove_spikes(presses, *solved, fit.settings);
    if (fit.spikes > 0) solved = solve_affine(presses, fit, job);
    if (solved) fit.downweighted = downweighted(presses, *solved, fit.settings);
  }
  if (!solved) {
    fit.refusal = fmt::format("RS-03 Tactel {} does not respond monotonically: {}", data.tactel,
                              solved.error().message);
    return fit;
  }
  fit.fit = *solved;
  fit.noise_dof = noise_dof(data, fit);
  fit.refusal = refuse(fit, data.tactel);
  if (!fit.refusal.empty()) return fit;
  fit.outcome = TactelFit::Outcome::kFitted;
  sum_squares(presses, fit);
  predict(data, fit);
  fit.figures = tactel_figures(data, fit);
  fit.loops = reading_loops(data, fit);
  fit.curves = compare_curves(presses, fit);
  fit.errors = errors_on_line(presses, fit);
  return fit;
}

}  // namespace tactelier
