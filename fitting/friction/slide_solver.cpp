#include "fitting/friction/slide_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

const std::vector<int> kNoRing{kSlideLogRing, kSlideRingDamping};

std::vector<int> together(std::vector<int> held, const std::vector<int>& more) {
  held.insert(held.end(), more.begin(), more.end());
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

}  // namespace

void SlideSolver::hold(const std::vector<int>& more) { held_ = together(held_, more); }

void SlideSolver::free_second_harmonic() {
  std::erase_if(held_, [](int i) { return i == kSlideSecondCos || i == kSlideSecondSin; });
}

Result<SlideFit> SlideSolver::fit(const SlideSetting& with, const SlideValues& start,
                                  int iterations, const std::vector<int>& more_held) const {
  auto held = together(held_, more_held);
  if (with.shape != StepShape::kRinging) held = together(held, kNoRing);
  auto found = problem_.fit(with, start, held, iterations, job_);
  if (found || stopped()) return found;
  // A search that runs out of what makes sense does so along the valley of sigma1 and the delay.
  return problem_.fit(with, start, together(held, {kSlideSigma1, kSlideLag}), iterations, job_);
}

std::optional<double> SlideSolver::cost(const SlideSetting& with, const SlideValues& p) const {
  std::vector<double> residuals(problem_.residuals());
  if (stopped() || !problem_.evaluate(with, p, residuals)) return {};
  double cost = 0;
  for (const double r : residuals) cost += r * r;
  return cost;
}

SlideValues SlideSolver::generic(double v_s_m_per_s) const {
  SlideValues p(problem_.size(), 0.0);
  p[kSlideDynamic] = 0.35;
  p[kSlideDrop] = 0.15;
  p[kSlideLogStribeck] = std::log(v_s_m_per_s);
  p[kSlideLogSigma0] = std::log(3500);
  p[kSlideSigma1] = 5;
  p[kSlideViscous] = 0.5;
  p[kSlideRunningIn] = 0.05;
  p[kSlideLogLength] = std::log(0.05);
  p[kSlideSide] = problem_.tracks().side_m_per_N.value_or(kUsualSide_m_per_N);
  p[kSlideBacklash] = 10e-6;
  p[kSlideLogRing] = std::log(100);
  p[kSlideRingDamping] = 0.15;
  p[kSlideDelay] = 1e-3;
  p[kSlideLag] = 0.5e-3;
  return p;
}

SlideValues SlideSolver::with_ripple(SlideValues p, double phase_rad) const {
  p[kSlideRippleCos] = kLikelyRippleSteps * step_m() * std::cos(phase_rad);
  p[kSlideRippleSin] = kLikelyRippleSteps * step_m() * std::sin(phase_rad);
  return p;
}

SlideValues SlideSolver::with_best_ripple(const SlideSetting& with, const SlideValues& p,
                                          int phases) const {
  double least = HUGE_VAL;
  auto best = p;
  for (int i = 0; i < phases; ++i) {
    auto tried = with_ripple(p, 2 * std::numbers::pi * i / phases);
    const auto left = cost(with, tried);
    if (!left || *left >= least) continue;
    least = *left;
    best = std::move(tried);
  }
  return best;
}

}  // namespace tactelier
