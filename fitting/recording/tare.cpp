#include "fitting/recording/tare.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kGuardShare = 0.1;  // of the free air next to the touch
constexpr double kReleased = 0.005;  // share of the peak that counts as released, at least
constexpr double kMoved = 0.05;      // ... by which the zero may move at most
constexpr double kBaseline_s = 0.1;
constexpr double kAlmost = 0.95;  // of a second, for windows cut by a guard

}  // namespace

Result<FreeAir> find_free_air(std::span<const double> force_N, double period_s) {
  const auto first = static_cast<std::size_t>(
      period_s > 0 ? std::min(kBaseline_s / period_s, static_cast<double>(force_N.size()) / 4) : 0);
  const auto coarse = detect_contact(force_N, std::max(kBaselineSamples, first));
  if (!coarse) return fail(coarse.error());
  const auto guarded = [](std::size_t rows) {
    return std::max<std::size_t>(2,
                                 static_cast<std::size_t>(kGuardShare * static_cast<double>(rows)));
  };
  FreeAir air;
  air.before_end = coarse->index - std::min(coarse->index, guarded(coarse->index));
  const double peak = *std::max_element(force_N.begin(), force_N.end()) - coarse->mean_N;
  // The zero may have moved: what counts as released lies above where the press ends.
  const double end_N =
      median(force_N.last(std::min(force_N.size(), std::max(first, kBaselineSamples))));
  const double rest_N = std::abs(end_N - coarse->mean_N) < kMoved * peak ? end_N : coarse->mean_N;
  const double released = rest_N + std::max(coarse->threshold_N - coarse->mean_N, kReleased * peak);
  std::size_t last = force_N.size();
  while (last > 2 && (force_N[last - 1] <= released || force_N[last - 2] <= released ||
                      force_N[last - 3] <= released))
    --last;
  const std::size_t left = force_N.size() - last;
  air.after_begin = std::min(force_N.size(), last + guarded(left));
  return air;
}

std::array<double, 2> line_through(std::span<const double> time_s, std::span<const double> value,
                                   double t0_s) {
  std::vector<double> t(time_s.begin(), time_s.end());
  for (double& x : t) x -= t0_s;
  const auto line = fit_line(t, value);
  if (!line) return {0, 0};
  return {line->intercept, line->slope};
}

Result<ForceTare> find_tare(const PressData& data) {
  const auto air = find_free_air(data.force_N, data.period_s);
  if (!air) return fail(air.error());
  ForceTare tare;
  const auto length = [&](std::size_t begin, std::size_t end) {
    return end > begin + 1 ? data.time_s[end - 1] - data.time_s[begin] : 0.0;
  };
  tare.before_s = length(0, air->before_end);
  tare.after_s = length(air->after_begin, data.rows());
  if (air->before_end < kBaselineSamples)
    return fail(ErrorCode::kUnidentifiable,
                "RC-01 Fewer than {} free samples before contact: the force's bias is not removed.",
                kBaselineSamples);
  const double least = kAlmost * (1 - kGuardShare) * kMinAir_s;
  tare.drift_known = tare.before_s >= least && tare.after_s >= least;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < air->before_end; ++i) rows.push_back(i);
  if (tare.drift_known)
    for (std::size_t i = air->after_begin; i < data.rows(); ++i) rows.push_back(i);
  tare.samples = rows.size();
  tare.t0_s = data.time_s.front();
  std::vector<double> time, value;
  for (const std::size_t i : rows) time.push_back(data.time_s[i]);
  const std::array axes{&data.force_N, &data.side_N[0], &data.side_N[1]};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a]->empty()) continue;
    value.clear();
    double mean = 0;
    for (const std::size_t i : rows) value.push_back((*axes[a])[i]);
    for (const double v : value) mean += v / static_cast<double>(value.size());
    tare.bias_N[a] = mean;
    if (tare.drift_known) {
      const auto line = line_through(time, value, tare.t0_s);
      tare.bias_N[a] = line[0];
      tare.drift_N_per_s[a] = line[1];
    }
    if (a > 0) continue;
    double squares = 0;
    for (std::size_t k = 0; k < value.size(); ++k) {
      const double r = value[k] - tare.bias_N[0] - tare.drift_N_per_s[0] * (time[k] - tare.t0_s);
      squares += r * r;
    }
    tare.sigma_N = std::sqrt(squares / static_cast<double>(value.size() - 1));
  }
  tare.moved_N = tare.drift_N_per_s[0] * (data.time_s.back() - data.time_s.front());
  return tare;
}

void apply_tare(const ForceTare& tare, PressData& data) {
  const std::array axes{&data.force_N, &data.side_N[0], &data.side_N[1]};
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (std::size_t i = 0; i < axes[a]->size(); ++i)
      (*axes[a])[i] -= tare.bias_N[a] + tare.drift_N_per_s[a] * (data.time_s[i] - tare.t0_s);
}

}  // namespace tactelier
