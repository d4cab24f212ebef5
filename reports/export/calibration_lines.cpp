#include "reports/export/calibration_lines.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

constexpr int kLinesOfALaw = 32;
constexpr int kLooksPerLine = 20;
constexpr double kFarAbove_counts = 1e6;  // a line that nothing ends

double force_at(const TactelCalibration& tactel, double counts) {
  if (tactel.curve) return tactel.curve->inverse(counts).force_N;
  return tactel.threshold_N + tactel.gain_N_per_count * (counts - tactel.offset_counts);
}

double first_counts(const TactelCalibration& tactel) {
  const double dead = tactel.offset_counts + tactel.dead_counts().value_or(0);
  if (!tactel.curve) return dead;
  const double lowest = tactel.curve->lowest_counts();
  return tactel.dead_counts() ? std::max(dead, lowest) : lowest;
}

double last_counts(const TactelCalibration& tactel, const SensorModel& model) {
  double last = tactel.offset_counts + kFarAbove_counts;
  if (const auto& adc = model.sensor.adc; adc.max) last = *adc.max;  // turned or not
  if (tactel.saturation_counts) last = std::min(last, *tactel.saturation_counts);
  if (tactel.curve) last = std::min(last, tactel.curve->highest_counts());
  return last;
}

/// Where lines meet, in rising counts.
std::vector<double> meeting_counts(const TactelCalibration& tactel, double first, double last) {
  std::vector<double> counts{first, last};
  if (!tactel.curve) return counts;
  if (tactel.curve->law() != nullptr)
    for (int i = 1; i < kLinesOfALaw; ++i)
      counts.push_back(first + (last - first) * i / kLinesOfALaw);
  else
    for (const auto& knot : tactel.curve->knots())
      if (knot[1] > first && knot[1] < last) counts.push_back(knot[1]);
  std::sort(counts.begin(), counts.end());
  return counts;
}

double worst_between(const TactelCalibration& tactel, const SensorDescription& sensor,
                     const std::array<double, 2>& begin, const std::array<double, 2>& end) {
  double worst_N = 0;
  for (int i = 1; i < kLooksPerLine; ++i) {
    const double share = static_cast<double>(i) / kLooksPerLine;
    const auto exact = tactel.force(turned_reading(sensor, std::lerp(begin[0], end[0], share)));
    if (exact.flag == ReadingFlag::kOk)
      worst_N = std::max(worst_N, std::abs(*exact.force_N - std::lerp(begin[1], end[1], share)));
  }
  return worst_N;
}

}  // namespace

CalibrationLines calibration_lines(const TactelCalibration& tactel, const SensorModel& model) {
  if (!tactel.why.empty()) return {};
  const double first = first_counts(tactel), last = last_counts(tactel, model);
  CalibrationLines lines;
  for (const double counts : meeting_counts(tactel, first, last))
    lines.knots.push_back({counts, force_at(tactel, counts)});
  for (std::size_t i = 1; i < lines.knots.size(); ++i)
    lines.worst_N = std::max(
        lines.worst_N, worst_between(tactel, model.sensor, lines.knots[i - 1], lines.knots[i]));
  // Below its first force the tactel says nothing: 0 N, and then a step of a thousandth or a count.
  const double step = std::min(1.0, (last - first) / 1e3);
  if (lines.knots.front()[1] > 0) lines.knots.insert(lines.knots.begin(), {first - step, 0});
  for (auto& knot : lines.knots) knot[0] = turned_reading(model.sensor, knot[0]);
  if (model.sensor.falling) std::reverse(lines.knots.begin(), lines.knots.end());
  return lines;
}

}  // namespace tactelier
