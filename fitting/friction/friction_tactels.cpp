#include "fitting/friction/friction_tactels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr double kNear = 0.15;
constexpr std::size_t kMaxRuns = 8;
constexpr double kAir_s = 0.4;  // of free air, for the offsets
constexpr double kShare = 0.1;  // of the largest reading
constexpr double kMost_s = 2;   // read of one run

std::vector<double> means(const Readings& readings) {
  std::vector<double> result;
  for (const auto& counts : readings.counts) {
    double sum = 0;
    for (const double c : counts) sum += std::isnan(c) ? 0 : c;
    result.push_back(counts.empty() ? 0 : sum / static_cast<double>(counts.size()));
  }
  return result;
}

/// Mean over the frames of tactels above the share; 0 without frames.
double count_in(const Readings& readings, std::span<const double> offsets) {
  const std::size_t frames = readings.time_s.size();
  double total = 0;
  for (std::size_t row = 0; row < frames; ++row) {
    double largest = 0;
    for (std::size_t t = 0; t < offsets.size(); ++t)
      largest = std::max(largest, readings.counts[t][row] - offsets[t]);
    for (std::size_t t = 0; t < offsets.size(); ++t)
      total += readings.counts[t][row] - offsets[t] > kShare * largest ? 1 : 0;
  }
  return frames > 0 ? total / static_cast<double>(frames) : 0;
}

}  // namespace

Result<Estimate> tactels_in_contact(const FitContext& context, std::span<const SlideRun> runs,
                                    double load_N) {
  std::vector<int> tactels(static_cast<std::size_t>(context.model.sensor.tactels()));
  std::iota(tactels.begin(), tactels.end(), 0);
  std::vector<double> counts;
  for (const auto& run : runs) {
    if (counts.size() >= kMaxRuns) break;
    if (!run.usable() || run.event.oscillation || !(run.tare.until_s > 0) ||
        std::abs(run.mean_normal_N - load_N) > kNear * load_N ||
        !context.sessions[run.session].session->stream(StreamKind::kTactile))
      continue;
    const auto air =
        load_readings(context, run.session, tactels, {run.tare.until_s - kAir_s, run.tare.until_s});
    if (!air && air.error().code != ErrorCode::kUnidentifiable) return fail(air.error());
    const double end_s = std::min(run.event.end_s, run.event.begin_s + kMost_s);
    const auto under = load_readings(context, run.session, tactels, {run.event.begin_s, end_s});
    if (!under && under.error().code != ErrorCode::kUnidentifiable) return fail(under.error());
    if (!air || !under || air->time_s.empty() || under->time_s.empty()) continue;
    counts.push_back(count_in(*under, means(*air)));
  }
  return press_spread(counts);
}

}  // namespace tactelier
