#include "fitting/friction/slide_walk.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "fitting/friction/slide_verdict.hpp"

namespace tactelier {
namespace {

constexpr int kPolish = 3;
constexpr double kPolished = 1e-3;                   // of chi2
constexpr std::array kStartDamping_s{0.8e-3, 2e-3};  // sigma1 over sigma0
constexpr double kStartFilter_s = 0.5e-3;            // of the force
constexpr std::array kOtherStribeck{0.55, 1.8};      // over where a search ended
constexpr double kStartViscous = 0.5;                // N s/m
constexpr double kLateByChi2 = 3;                    // per slide
constexpr int kOtherPhases = 4;                      // of the microstep error

}  // namespace

bool SlideWalk::keep_better(const Result<SlideFit>& fit) {
  if (!fit) return false;
  if (best_.values.empty() || fit->chi2 < best_.chi2) best_ = *fit;
  return true;
}

bool SlideWalk::polish() {
  for (int round = 0; round < kPolish; ++round) {
    const double before = best_.chi2;
    if (!keep_better(solver_.fit(best_.setting, best_.values, kSlideFine))) break;
    if (best_.chi2 > (1 - kPolished) * before) break;
  }
  return !solver_.stopped();
}

bool SlideWalk::delays() {
  const auto from = best_;
  const double sigma0 = std::exp(from.values[kSlideLogSigma0]);
  for (const double time_s : kStartDamping_s) {
    auto start = from.values;
    start[kSlideSigma1] = time_s * sigma0;
    start[kSlideDelay] += time_s - from.values[kSlideSigma1] / sigma0;
    start[kSlideLag] = kStartFilter_s;
    keep_better(solver_.fit(from.setting, start, kSlideMiddle));
  }
  return !solver_.stopped();
}

bool SlideWalk::stribecks() {
  const auto from = best_;
  for (const double factor : kOtherStribeck) {
    auto start = from.values;
    start[kSlideLogStribeck] += std::log(factor);
    start[kSlideViscous] = kStartViscous;
    keep_better(solver_.fit(from.setting, start, kSlideOther));
  }
  return !solver_.stopped();
}

bool SlideWalk::blows() {
  const auto left_out = solver_.problem().leave_out_blows(best_);
  if (left_out == 0) return true;
  blocks_left_out_ += left_out;
  auto again = solver_.fit(best_.setting, best_.values, kSlideFine);
  if (!again) return false;
  best_ = std::move(*again);
  return true;
}

bool SlideWalk::other_ripples() {
  if (!(solver_.step_m() > 0) || best_.chi2_per_dof() < kGoodSlideFit) return true;
  best_ = from_other_ripples(solver_, best_);
  return polish();
}

bool SlideWalk::lateness() {
  auto with = best_.setting;
  with.u_late_s = kLateLine_s;
  auto late = solver_.fit(with, best_.values, kSlideFine);
  if (!late || late->chi2 > best_.chi2 - late_worth()) return !solver_.stopped();
  best_ = std::move(*late);
  return delays();
}

double SlideWalk::late_worth() const {
  return kLateByChi2 * static_cast<double>(solver_.problem().slides());
}

SlideFit from_other_ripples(const SlideSolver& solver, const SlideFit& from) {
  const auto generic = solver.generic(kSlideStartStribeck_m_per_s[0]);
  auto with = from.setting;
  with.ripple_period_m = kFullStep * solver.step_m();
  auto best = from;
  for (int i = 0; i < kOtherPhases; ++i) {
    auto start = solver.with_ripple(from.values, 2 * std::numbers::pi * i / kOtherPhases);
    for (const auto j : {kSlideSigma1, kSlideDelay, kSlideLag}) start[j] = generic[j];
    auto again = solver.fit(with, start, kSlideOther, {kSlideSigma1, kSlideLag});
    if (again && again->chi2 < best.chi2) best = std::move(*again);
  }
  return best;
}

}  // namespace tactelier
