#include "fitting/friction/slide_rings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kLeast_hz = 45, kMost_hz = 260, kNext = 1.19;  // a resonance is a fifth wide
constexpr std::array kDampings{0.08, 0.2};
constexpr double kFaster = 1.5;  // v_s, than where steps do not ring
constexpr int kPhases = 6;
constexpr std::size_t kLikely = 6;

/// For each frequency the damping and the phase of the microstep error that leave least over; the
/// best of these.
std::vector<SlideValues> likely_rings(const SlideSolver& solver, const SlideSetting& with,
                                      const SlideValues& from, double faster) {
  std::vector<std::pair<double, SlideValues>> by_cost;
  auto start = solver.generic(faster * std::exp(from[kSlideLogStribeck]));
  for (const auto i : {kSlideDynamic, kSlideDrop, kSlideLogSigma0, kSlideExponent, kSlideSide})
    start[i] = from[i];
  for (std::size_t i = kSlideShared; i < start.size(); ++i) start[i] = from[i];
  for (const auto i : {kSlideRunningIn, kSlideLogLength, kSlideLean}) start[i] = from[i];
  for (double frequency_hz = kLeast_hz; frequency_hz < kMost_hz; frequency_hz *= kNext) {
    std::pair<double, SlideValues> best{HUGE_VAL, {}};
    for (const double damping : kDampings) {
      start[kSlideLogRing] = std::log(frequency_hz);
      start[kSlideRingDamping] = damping;
      auto p = solver.with_best_ripple(with, start, kPhases);
      const auto cost = solver.cost(with, p);
      if (cost && *cost < best.first) best = {*cost, std::move(p)};
    }
    if (!best.second.empty()) by_cost.push_back(std::move(best));
  }
  std::sort(by_cost.begin(), by_cost.end());
  std::vector<SlideValues> likely;
  for (auto& [cost, p] : by_cost)
    if (likely.size() < kLikely) likely.push_back(std::move(p));
  return likely;
}

}  // namespace

// A motor in tune with its steps, or with its microstep error, shows in single slides only, so the
// cost has many minima over its frequency and that error's phase: all of them first, then from the
// likeliest. Nothing else is right yet: sigma1 and the filter would only take up what is left over.
Result<SlideFit> first_ringing(const SlideSolver& solver, const SlideFit& from,
                               const std::optional<SlideFit>& calm) {
  auto with = from.setting;
  with.shape = StepShape::kRinging;
  with.phase = 0;
  with.ripple_period_m = kFullStep * solver.step_m();
  const std::vector<int> held{kSlideSigma1, kSlideLag};
  std::optional<SlideFit> found;
  auto likely = likely_rings(solver, with, from.values, kFaster);
  if (calm)
    for (auto& p : likely_rings(solver, with, calm->values, 1)) likely.push_back(std::move(p));
  for (const auto& p : likely) {
    auto next = solver.fit(with, p, kSlideCoarse, held);
    if (next && (!found || next->chi2 < found->chi2)) found = std::move(*next);
  }
  if (!found) return fail(ErrorCode::kUnidentifiable, "no ringing can be evaluated");
  return solver.fit(with, found->values, kSlideCoarse, held);
}

}  // namespace tactelier
