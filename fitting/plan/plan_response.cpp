// Each tactel's line through the presses on its centre (docs/theory/response.md): what one press
// leaves open, and how presses scatter, which repeats or the joint fit of the spread show.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "fitting/plan/stage_plans.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kJointPlaces = 5;  // bootstrap.hpp: presses that show their scatter
constexpr double kMinRise = 0.1;         // N above the threshold
constexpr double kLateFrames = 1;        // by which clocks of their own leave readings open
constexpr double kThresholdScatter = 2;  // of a threshold over that of a reading

struct TactelPlan {
  int presses = 0;
  double within_gain = 0;       // relative variance of one press's gain
  double within_threshold = 0;  // N^2
  std::vector<double> rates_N_per_s;
};

bool on_centre(const PlannedPress& press, bool any_slow) {
  return press.tactel && press.counts && !press.loadings.empty() &&
         press.kind != PressKind::kArea && !(any_slow && is_dynamic(press.kind)) &&
         press.indenter.indenter.flat_area_m2().has_value();
}

void add_press(const PlanBasis& basis, const PlannedPress& press, TactelPlan& tactel) {
  const auto& quality = basis.quality;
  const auto& expected = basis.expected;
  const double top_N = std::min(press.force_N, expected.pad.press_saturation_N.value);
  const double rise_N = top_N - expected.press_threshold_N;
  ++tactel.presses;
  const auto& loading = press.loadings.back();
  const double loads_s =
      std::max(1e-3, loading.end_s() - loading.touch_s()) * rise_N / press.force_N;
  const double frames = std::max(3.0, loads_s * quality.tactile_rate_hz);
  // The force is interpolated onto the frames.
  const double noise_N = std::hypot(quality.tactile_noise_counts * expected.press_gain_N_per_count,
                                    quality.force_noise_moving_N * 0.8);
  const double variance = noise_N * noise_N / frames;
  tactel.within_gain += 12 * variance / (rise_N * rise_N);
  tactel.within_threshold += 4 * variance;
  // Readings at rest are of no moment within a frame.
  const bool at_rest = press.kind == PressKind::kStaircase;
  tactel.rates_N_per_s.push_back(at_rest ? 0
                                         : press.force_N / press.depth_m * loading.speed_m_per_s);
}

/// Why no tactel has a line: also how far the places miss a centre, where that is all.
std::string no_press_on_a_centre(const PlanBasis& basis) {
  std::string words = "NOT-PRESSED no press on a tactel's centre with a flat end";
  double least_m = HUGE_VAL;
  std::array<double, 2> shift_m{};
  for (const auto& press : basis.work.presses) {
    if (!press.counts || press.tactel || press.kind == PressKind::kRaster ||
        !press.indenter.indenter.flat_area_m2())
      continue;
    for (int t = 0; t < basis.sensor.tactels(); ++t) {
      const auto centre_m = basis.sensor.position_m(t);
      const std::array<double, 2> to_m{centre_m[0] - press.x_m, centre_m[1] - press.y_m};
      const double way_m = std::hypot(to_m[0], to_m[1]);
      if (way_m >= least_m) continue;
      least_m = way_m;
      shift_m = to_m;
    }
  }
  if (std::isfinite(least_m))
    words += fmt::format(
        ": the nearest lies {:.2f} mm beside one; move the places by {:.2f} mm along x and {:.2f} "
        "mm along y",
        m_to_mm(least_m), m_to_mm(shift_m[0]), m_to_mm(shift_m[1]));
  return words;
}

/// Presses whose places the spread is fitted to: there scatter shows without repeats.
std::size_t places_of_spread(const PlannedWork& work) {
  std::set<std::pair<long long, long long>> places;
  for (const auto& press : work.presses)
    if (press.kind == PressKind::kRaster && press.indenter.indenter.flat_area_m2())
      places.insert({std::llround(1e6 * press.x_m), std::llround(1e6 * press.y_m)});
  return places.size();
}

}  // namespace

PlannedParameters plan_response(const PlanBasis& basis) {
  const auto& presses = basis.work.presses;
  const bool any_slow = std::any_of(presses.begin(), presses.end(), [](const auto& press) {
    return press.tactel && press.counts && !is_dynamic(press.kind);
  });
  std::map<int, TactelPlan> tactels;
  for (const auto& press : presses) {
    const double rise_N = std::min(press.force_N, basis.expected.pad.press_saturation_N.value) -
                          basis.expected.press_threshold_N;
    if (on_centre(press, any_slow) && rise_N > kMinRise)
      add_press(basis, press, tactels[*press.tactel]);
  }
  if (tactels.empty())
    return {not_planned("response.tactels[].press_gain", "N/count", no_press_on_a_centre(basis)),
            not_planned("response.tactels[].press_threshold", "N", no_press_on_a_centre(basis))};
  double repeats = 0;
  for (const auto& [tactel, plan] : tactels) repeats += plan.presses - 1;
  const auto places = places_of_spread(basis.work);
  if (places > kJointPlaces) repeats = std::max(repeats, static_cast<double>(places));
  const double scatter = repeats > 0 ? basis.quality.press_scatter : 0;
  const double dof = repeats > 0 ? repeats : kManyDegrees;
  std::vector<double> gains, thresholds, rates, between;
  for (const auto& [tactel, plan] : tactels) {
    const double n = plan.presses;
    gains.push_back(std::sqrt(plan.within_gain) / n);
    thresholds.push_back(std::sqrt(plan.within_threshold) / n);
    between.push_back(scatter / std::sqrt(n));
    rates.push_back(median(plan.rates_N_per_s));
  }
  const double threshold_N = basis.expected.press_threshold_N;
  std::vector<PlannedShare> gain{{{"noise of readings and force", median(gains)}, true},
                                 {{"scatter from press to press", median(between), dof}, true}};
  add_force_gain(basis.quality, 1, gain);
  std::vector<PlannedShare> threshold{
      {{"noise of readings and force", median(thresholds)}, true},
      {{"scatter from press to press", kThresholdScatter * median(between) * threshold_N, dof},
       true},
      {{"how late readings are behind the force",
        basis.quality.motion_measured()
            ? 0
            : median(rates) * kLateFrames / basis.quality.tactile_rate_hz},
       true},
      {{"when within a frame a reading was made",
        u_rectangular(median(rates) / basis.quality.tactile_rate_hz)},
       false}};
  add_force_gain(basis.quality, threshold_N, threshold);
  PlannedParameters all{
      planned("response.tactels[].press_gain", "N/count", basis.expected.press_gain_N_per_count,
              std::move(gain), true),
      planned("response.tactels[].press_threshold", "N", threshold_N, std::move(threshold))};
  for (auto& one : all) {
    one.determined = static_cast<int>(tactels.size());
    one.of = basis.sensor.tactels();
    if (repeats == 0 && one.promised())
      one.may_fail = "NO-REPEATS nothing is repeated: how presses scatter isn't in its interval";
  }
  return all;
}

}  // namespace tactelier
