#include "libcalib/protocol/later_presses.hpp"

#include <cmath>
#include <set>

namespace tactelier {
namespace {

constexpr double kShort_m = 1e-6;  // of its way: a condition ended it

/// Which force ends a ramp; empty where it goes to its depth.
std::optional<double> ending_force_N(const Segment& segment, const Indenter& indenter,
                                     double depth_m, const PlanSetup& setup,
                                     const SensorDescription& sensor) {
  if (segment.end_m[2] < segment.motion.end_m()[2] + kShort_m && !segment.aim_N)
    return std::nullopt;
  if (segment.aim_N) return segment.aim_N;
  if (segment.until.force_N) return segment.until.force_N;
  return expected_force_N(setup.expected, Belief::kValue, indenter, depth_m, sensor);
}

}  // namespace

LaterPresses later_presses(const Plan& plan, std::size_t row, const PlanSetup& setup,
                           const SensorDescription& sensor) {
  LaterPresses later;
  const double from_s = plan.steps[row].begin_s;
  auto mounted = plan.indenter;
  for (const auto& segment : plan.segments)
    if (segment.begin_s < from_s && segment.indenter) mounted = segment.indenter;
  auto tip = plan.indenter;
  std::set<std::pair<long long, long long>> seen;
  for (const auto& segment : plan.segments) {
    if (segment.indenter) tip = segment.indenter;
    const bool presses = segment.phase == Phase::kLoad || segment.phase == Phase::kOscillate;
    if (!presses || segment.touch != Touch::kPad || tip != mounted || !tip) continue;
    const auto& step = plan.steps[segment.step];
    if (segment.begin_s < from_s) {
      later.earlier_step = step.label;
      continue;
    }
    const double x_m = segment.end_m[0], y_m = segment.end_m[1];
    if (segment.phase == Phase::kLoad &&
        seen.emplace(std::llround(x_m * 1e9), std::llround(y_m * 1e9)).second)
      later.places.push_back({segment.tactel, x_m, y_m, segment.surface_z_m});
    const bool oscillates = segment.phase == Phase::kOscillate;
    const double depth_m = oscillates ? step.peak_depth_m : segment.surface_z_m - segment.end_m[2];
    if (depth_m <= later.depth_m) continue;
    later.depth_m = depth_m;
    later.step = step.label;
    later.force_N.reset();
    if (!oscillates) later.force_N = ending_force_N(segment, tip->indenter, depth_m, setup, sensor);
  }
  return later;
}

}  // namespace tactelier
