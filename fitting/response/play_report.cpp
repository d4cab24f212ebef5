#include "fitting/response/play_report.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/play_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kExplained = 0.7;  // of the rms without play that must not remain
constexpr std::size_t kMinLoops = 3;

/// The course of force is rest, loading, peak, unloading; only these two have readings.
PlaySums sums_of(const ReadingLoop& loop, std::span<const double> thresholds_N) {
  std::vector<double> course{0};
  course.insert(course.end(), loop.loading_N.begin(), loop.loading_N.end());
  course.push_back(loop.peak_N);
  course.insert(course.end(), loop.unloading_N.begin(), loop.unloading_N.end());
  const auto states = play_states(course, thresholds_N);
  const auto in = static_cast<Eigen::Index>(loop.loading_N.size());
  const auto out = static_cast<Eigen::Index>(loop.unloading_N.size());
  auto sums = play_sums(states.middleRows(1, in), loop.loading_apparent_N);
  sums.add(play_sums(states.bottomRows(out), loop.unloading_apparent_N));
  return sums;
}

Parameter weight_of(const PlayFit& fit, std::size_t k, double presses) {
  if (fit.u_weights.empty()) {
    auto alone = identified({fit.weights[k], 0, 0}, "", "response");
    alone.status = Status::kIdentified;
    return alone;
  }
  return identified({fit.weights[k], fit.u_weights[k], presses - 1}, "", "response");
}

}  // namespace

void write_play(std::span<const TactelFit> fits, Response& response, StageQuality& quality) {
  response.hysteresis_model = {};
  std::vector<double> peaks_N;
  for (const auto& fit : fits)
    for (const auto& loop : fit.loops) peaks_N.push_back(loop.peak_N);
  if (peaks_N.size() < kMinLoops) return;
  const auto thresholds_N = play_grid(median(peaks_N));
  std::vector<PlaySums> presses;
  for (const auto& fit : fits)
    for (const auto& loop : fit.loops) presses.push_back(sums_of(loop, thresholds_N));
  const auto play = fit_play(thresholds_N, presses);
  if (!play) return;
  quality.figures["play_rms_N"] = play->rms_N;
  quality.figures["play_rms_without_N"] = play->rms_without_N;
  if (play->rms_N > kExplained * play->rms_without_N) return;
  for (std::size_t k = 0; k < play->weights.size(); ++k) {
    if (play->weights[k] <= 0) continue;
    response.hysteresis_model.thresholds.push_back(
        assumed(play->thresholds_N[k], "N", "response, grid up to half of the median peak"));
    response.hysteresis_model.weights.push_back(
        weight_of(*play, k, static_cast<double>(presses.size())));
  }
}

}  // namespace tactelier
