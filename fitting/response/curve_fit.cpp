#include "fitting/response/curve_fit.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/law_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"
#include "libcalib/models/response/monotone.hpp"
#include "libcalib/models/response/response_laws.hpp"

namespace tactelier {
namespace {

constexpr int kBins = 48;
constexpr std::size_t kToSpare = 2;  // means beside the numbers of a law
constexpr double kRounding = 1e-9;   // of the rise, of numbers without a step

/// Readings that tell something of their own, of the most flexible curve's residuals.
double effective_readings(const CurveData& data, const CurveFit& flexible) {
  double sum = 0;
  for (const auto& press : data.presses) {
    std::vector<double> residuals;
    double n = 0;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const double place =
          (press.force_N[i] - data.low_N) / (data.high_N - data.low_N) * (kCurveKnots - 1);
      const auto k = std::min(static_cast<std::size_t>(std::max(0.0, place)),
                              static_cast<std::size_t>(kCurveKnots - 2));
      const double part = place - static_cast<double>(k);
      const double curve = flexible.knots[k][1] * (1 - part) + flexible.knots[k + 1][1] * part;
      residuals.push_back(press.counts[i] - curve);
      n += press.weight[i];
    }
    // Means follow each other as the readings behind them do, over longer stretches.
    sum += n * effective_count(residuals.size(), lag1(residuals)) /
           static_cast<double>(std::max<std::size_t>(1, residuals.size()));
  }
  return sum;
}

/// Of the rise above the offset where all presses have readings, against their mean.
std::vector<double> press_scales(std::span<const ResponsePress> presses, double low_N,
                                 double high_N) {
  double common_N = high_N;
  for (const auto& press : presses)
    common_N = std::min(common_N, *std::max_element(press.force_N.begin(), press.force_N.end()));
  std::vector<double> slopes;
  double mean = 0;
  for (const auto& press : presses) {
    double force = 0, rise = 0;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      if (press.force_N[i] < low_N || press.force_N[i] > common_N) continue;
      force += press.force_N[i];
      rise += press.counts[i] - press.offset_counts;
    }
    slopes.push_back(force > 0 && rise > 0 ? rise / force : 0);
    mean += slopes.back() / static_cast<double>(presses.size());
  }
  for (double& slope : slopes) slope = slope > 0 && mean > 0 ? slope / mean : 1;
  return slopes;
}

CurvePress means_of(const ResponsePress& press, double low_N, double high_N, double scale,
                    double offset) {
  std::array<double, kBins> n{}, force{}, counts{}, squares{};
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const double place = (press.force_N[i] - low_N) / (high_N - low_N) * kBins;
    if (!(place >= 0 && place <= kBins)) continue;  // the heaviest weight counts
    const auto bin = std::min<std::size_t>(static_cast<std::size_t>(place), kBins - 1);
    const double rise = (press.counts[i] - press.offset_counts) / scale;
    n[bin] += 1;
    force[bin] += press.force_N[i];
    counts[bin] += rise;
    squares[bin] += rise * rise;
  }
  CurvePress means;
  means.scale = scale;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (n[bin] == 0) continue;
    means.force_N.push_back(force[bin] / n[bin]);
    means.counts.push_back(offset + counts[bin] / n[bin]);
    means.weight.push_back(n[bin]);
    means.scatter += std::max(0.0, squares[bin] - counts[bin] * counts[bin] / n[bin]);
  }
  return means;
}

}  // namespace

ForceRange CurveData::range() const {
  ForceRange range{low_N, high_N, {}};
  std::vector<double> force_N;
  for (const auto& press : presses)
    force_N.insert(force_N.end(), press.force_N.begin(), press.force_N.end());
  for (std::size_t k = 0; k < range.quartiles_N.size(); ++k)
    range.quartiles_N[k] = quantile(force_N, static_cast<double>(k + 1) / 4);
  return range;
}

std::size_t CurveData::loads() const {
  std::size_t most = 0;
  for (const auto& press : presses) most = std::max(most, press.force_N.size());
  return most;
}

std::vector<CurvePress> CurveData::parts() const {
  if (presses.size() != 1 || !static_readings || loads() < kRoundLoads) return presses;
  const auto& round = presses.front();
  std::vector<CurvePress> parts(std::min(kMaxFolds, loads()));
  for (std::size_t i = 0; i < loads(); ++i) {
    auto& part = parts[i % parts.size()];
    part.force_N.push_back(round.force_N[i]);
    part.counts.push_back(round.counts[i]);
    part.weight.push_back(round.weight[i]);
  }
  return parts;
}

const CurveFit& TactelCurves::most_flexible() const {
  return *std::max_element(fits.begin(), fits.end(), [](const CurveFit& a, const CurveFit& b) {
    return a.functions < b.functions;
  });
}

CurveData curve_data(std::span<const ResponsePress> presses, double low_N, double high_N) {
  CurveData data;
  data.low_N = low_N;
  data.high_N = high_N;
  for (const auto& press : presses)
    data.offset_counts += press.offset_counts / static_cast<double>(presses.size());
  const auto scales = press_scales(presses, low_N, high_N);
  for (std::size_t p = 0; p < presses.size(); ++p) {
    auto means = means_of(presses[p], low_N, high_N, scales[p], data.offset_counts);
    if (means.force_N.size() >= 2) data.presses.push_back(std::move(means));
  }
  return data;
}

double lowest_clear_N(std::span<const ResponsePress> presses, double high_N, double clear_counts) {
  constexpr int kSteps = 4 * kBins;
  std::array<double, kSteps> n{}, rise{};
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const double place = press.force_N[i] / high_N * kSteps;
      if (!(place >= 0 && place < kSteps)) continue;
      n[static_cast<std::size_t>(place)] += 1;
      rise[static_cast<std::size_t>(place)] += press.counts[i] - press.offset_counts;
    }
  int step = kSteps;
  while (step > 0) {
    const auto below = static_cast<std::size_t>(step - 1);
    if (n[below] > 0 && rise[below] / n[below] < clear_counts) break;
    --step;
  }
  return high_N * step / kSteps;
}

std::optional<TactelCurves> fit_curves(CurveData data, std::optional<double> rest_counts) {
  const std::size_t means = data.loads();
  if (means < kCurveLoads || !(data.high_N > data.low_N)) return std::nullopt;
  TactelCurves curves;
  const auto range = data.range();
  for (const auto* law : response_laws()) {
    auto fit = fit_law(data, range, *law, rest_counts);
    if (fit && means < fit->functions + (fit->shape != 0 ? 1 : 0) + kToSpare) fit.reset();
    if (!fit && curves.fits.empty()) return std::nullopt;
    // What the means do not determine is no better than the line, and not to be chosen.
    auto& kept = curves.fits.emplace_back(fit ? *fit : curves.fits.front());
    kept.law = law;
    kept.rising = fit && kept.rising;
  }
  const auto parts = data.parts();
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const double n : parts[p].weight) {
      curves.readings += n;
      if (parts.size() > 1 && p < kMaxFolds) curves.held_out += n;
    }
  curves.effective = effective_readings(data, curves.most_flexible());
  const auto& line = curves.fits.front().knots;
  const double rounding = kRounding * (line.back()[1] - line.front()[1]);
  curves.least_rss =
      curves.readings * (data.u_reading_counts * data.u_reading_counts + rounding * rounding);
  for (auto& fit : curves.fits) {
    const double dof = std::max(1.0, curves.readings - static_cast<double>(fit.parameters));
    fit.covariance *= fit.rss / dof * curves.readings / curves.effective;
  }
  curves.data = std::move(data);
  return curves;
}

}  // namespace tactelier
