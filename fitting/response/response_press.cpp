#include "fitting/response/response_press.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/load_rounds.hpp"
#include "fitting/recording/loading_rows.hpp"
#include "fitting/recording/reading_step.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kEnoughAir = 50;  // rows that tell the force's noise
constexpr double kReleased = 4;         // sigma of force that count as free air
constexpr double kPeakShare = 0.005;    // the same in shares of the peak, for quiet force sensors

/// Noise of the force as these rows have it: interpolated between samples it is smaller than that
/// of one sample.
double scatter_N(std::span<const double> force_N) {
  double mean = 0, squares = 0, n = 0;
  for (const double f : force_N) mean += (f - mean) / ++n;
  for (const double f : force_N) squares += (f - mean) * (f - mean);
  return std::sqrt(squares / (n - 1));
}

/// Readings at rest: every row is a sample of the loading line.
TactelPress all_loading(const PressData& data, std::size_t tactel_row) {
  TactelPress press;
  press.static_readings = true;
  press.loading = {data.force_N, data.counts[tactel_row], 0};
  press.peak_force_N = data.force_N[data.peak];
  return press;
}

/// Last row of loading. Weights stand for many rows on each level, on the highest as well, of which
/// the peak is the first.
std::size_t loaded_to(const PressData& data, std::size_t touch) {
  const auto& force_N = data.force_N;
  std::size_t still = 0;
  for (std::size_t i = touch + 1; i <= data.peak; ++i)
    still += force_N[i] == force_N[i - 1] ? 1 : 0;
  std::size_t last = data.peak;
  if (2 * still < data.peak - std::min(touch, data.peak)) return last;
  while (last + 1 < data.rows() && force_N[last + 1] == force_N[data.peak]) ++last;
  return last;
}

/// Rates over a twentieth of the way each, with the force in its middle.
struct Rates {
  std::vector<double> force_N, N_per_s;
};

Rates rates_of(std::span<const double> time_s, std::span<const double> force_N) {
  Rates rates;
  if (time_s.size() < 10) return rates;
  const std::size_t stride = std::max<std::size_t>(1, time_s.size() / 20);
  for (std::size_t i = stride; i < time_s.size(); i += stride) {
    rates.force_N.push_back(0.5 * (force_N[i] + force_N[i - stride]));
    rates.N_per_s.push_back((force_N[i] - force_N[i - stride]) / (time_s[i] - time_s[i - stride]));
  }
  return rates;
}

LoadingRate loading_rate(const Rates& rates) {
  const auto line = fit_line_theil_sen(rates.force_N, rates.N_per_s);
  const double typical = median(rates.N_per_s);
  const double peak_N = *std::max_element(rates.force_N.begin(), rates.force_N.end());
  // Where forces hardly differ no course shows.
  if (!std::isfinite(line.slope) || !(std::abs(line.slope) * peak_N < 4 * std::abs(typical)))
    return {typical, 0};
  return {line.intercept, line.slope};
}

}  // namespace

TactelPress split_press(const PressData& data, std::size_t tactel_row,
                        const PressContact& contact) {
  if (data.static_readings) return all_loading(data, tactel_row);
  const auto& counts = data.counts[tactel_row];
  TactelPress press;
  press.rows_left_out = data.rows_left_out;
  press.sigma_force_N = contact.sigma_force_N;
  press.period_s = data.period_s;
  const auto force = [&](std::size_t i) { return data.force_N[i] - contact.force_bias_N; };
  press.peak_force_N = force(data.peak);
  const double released =
      std::max(kReleased * contact.sigma_force_N, kPeakShare * press.peak_force_N);
  const auto touch = static_cast<std::size_t>(
      std::lower_bound(data.time_s.begin(), data.time_s.end(), contact.time_s) -
      data.time_s.begin());
  const std::size_t guard = std::max<std::size_t>(2, touch / 10);
  for (std::size_t i = 0; i + guard < touch; ++i) press.before.push_back(counts[i]);
  if (!press.before.empty())
    press.before_s = 0.5 * (data.time_s.front() + data.time_s[press.before.size() - 1]);
  if (press.before.size() >= kEnoughAir) {
    press.sigma_force_rows = press.before.size();
    press.sigma_force_N = scatter_N(std::span(data.force_N).first(press.before.size()));
  }
  const std::size_t last = loaded_to(data, touch);
  for (const std::size_t i : loading_rows(data, contact, touch, last)) {
    press.loading_s.push_back(data.time_s[i]);
    press.loading.force_N.push_back(force(i));
    press.loading.counts.push_back(counts[i]);
  }
  if (const auto rates = rates_of(press.loading_s, press.loading.force_N); !rates.force_N.empty()) {
    press.force_rate_N_per_s = median(rates.N_per_s);
    press.rate = loading_rate(rates);
  }
  // Free air after release: all rows behind the last one that still carries force.
  std::size_t end = data.rows();
  while (end > last && force(end - 1) < released) --end;
  for (std::size_t i = last; i < end; ++i) {
    press.unloading_s.push_back(data.time_s[i]);
    press.unloading_force_N.push_back(force(i));
    press.unloading_counts.push_back(counts[i]);
  }
  for (std::size_t i = end; i < data.rows(); ++i) press.after.push_back(counts[i]);
  return press;
}

std::vector<TactelPress> split_rounds(TactelPress press) {
  const auto& force_N = press.loading.force_N;
  if (!press.static_readings || force_N.empty()) return {std::move(press)};
  const auto begins = round_begins(force_N);
  if (begins.size() == 1) return {std::move(press)};
  std::vector<TactelPress> rounds;
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(begins[k]);
    const auto end =
        static_cast<std::ptrdiff_t>(k + 1 < begins.size() ? begins[k + 1] : force_N.size());
    auto& round = rounds.emplace_back();
    round.static_readings = true;
    round.row = press.row;
    round.loading.force_N.assign(force_N.begin() + begin, force_N.begin() + end);
    const auto& counts = press.loading.counts;
    round.loading.counts.assign(counts.begin() + begin, counts.begin() + end);
    round.peak_force_N =
        *std::max_element(round.loading.force_N.begin(), round.loading.force_N.end());
  }
  return rounds;
}

BaselineWindow air_window(std::span<const double> counts, double floor) {
  BaselineWindow window;
  for (const double c : counts) {
    if (std::isnan(c)) continue;
    ++window.n;
    window.mean += (c - window.mean) / static_cast<double>(window.n);
    if (c == floor) ++window.at_floor;
  }
  std::vector<double> residuals;
  for (const double c : counts)
    if (!std::isnan(c)) residuals.push_back(c - window.mean);
  for (const double r : residuals) window.variance += r * r;
  window.variance = window.n > 1 ? window.variance / static_cast<double>(window.n - 1) : 0;
  window.rho = lag1(residuals);
  return window;
}

double reading_step(std::span<const double> counts) {
  ReadingStep step;
  step.add(counts);
  return step.counts() > 0 ? step.counts() : step.smallest_difference();
}

}  // namespace tactelier
