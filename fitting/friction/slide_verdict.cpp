#include "fitting/friction/slide_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kShapesApart = 0.1;  // of chi2 per block: less, and the other shape counts too
constexpr double kNoFit = 3;          // the model does not describe the data
constexpr double kSystematic = 0.01;  // of mu_d, where the shape of steps isn't known
constexpr double kMaxStatic = 0.05;   // relative standard uncertainty of mu_s and of v_s beyond
constexpr double kMaxStribeck = 0.1;  // which both bend away from a straight line
constexpr double kSure = 3;           // standard uncertainties
// A rung motor's force near a full step is another than a spring's, and its microstep error has
// harmonics: to there a fit that is not good still tells mu_s and v_s, so well.
constexpr double kFairRungFit = 1.15;
constexpr double kRungStatic = 0.01, kRungStribeck = 0.06;  // of mu_s and v_s, standard
// What does not follow the model is not noise: single slides are off together, and so is what they
// say. Intervals grow by so much per chi2 beyond the first.
constexpr double kMisfitFrom = 1.1, kMisfitWidens = 4;
constexpr double kMostFilter_s = 3e-3;  // of a force sensor: 53 Hz

/// Relative standard uncertainty of mu_s.
double u_static(const SlideFit& fit) {
  const auto& c = fit.covariance;
  const double variance = c(kSlideDynamic, kSlideDynamic) + c(kSlideDrop, kSlideDrop) +
                          2 * c(kSlideDynamic, kSlideDrop);
  return std::sqrt(variance) / (fit.values[kSlideDynamic] + fit.values[kSlideDrop]);
}

std::string_view name_of(StepShape shape) {
  switch (shape) {
    case StepShape::kJump:
      return "jumps";
    case StepShape::kSmooth:
      return "gliding";
    case StepShape::kRinging:
      return "ringing";
  }
  return "";
}

bool told_static(const SlideFit& fit) {
  return u_static(fit) <= kMaxStatic &&
         standard_uncertainty(fit, kSlideLogStribeck) <= kMaxStribeck;
}

/// What a shape that fits nearly as well makes of all numbers belongs to their uncertainty.
void add_spread(const SlideFit& other, SlideFit& fit) {
  constexpr auto shared = static_cast<Eigen::Index>(kSlideShared);
  const Eigen::VectorXd off = Eigen::Map<const Eigen::VectorXd>(other.values.data(), shared) -
                              Eigen::Map<const Eigen::VectorXd>(fit.values.data(), shared);
  fit.covariance += off * off.transpose();
}

void add_misfit(SlideFit& fit) {
  const double wider = 1 + kMisfitWidens * std::max(0.0, fit.chi2_per_dof() - kMisfitFrom);
  fit.covariance *= wider * wider;
}

/// Whether a motor that rings is what moves the tip, and described well enough for mu_s and v_s.
bool rings_fairly(const SlideResult& result) {
  const auto& fit = result.fit;
  return fit.setting.shape == StepShape::kRinging && fit.chi2_per_dof() < kFairRungFit &&
         result.others.front().chi2_per_dof() > fit.chi2_per_dof() + kShapesApart;
}

void add_rung_error(SlideFit& fit) {
  const double mu_s = fit.values[kSlideDynamic] + fit.values[kSlideDrop];
  fit.covariance(kSlideDrop, kSlideDrop) += std::pow(kRungStatic * mu_s, 2);
  fit.covariance(kSlideLogStribeck, kSlideLogStribeck) += kRungStribeck * kRungStribeck;
}

/// mu_s and v_s hang on how the tip moves within a step.
void judge_shape(double step_m, SlideResult& result) {
  if (result.others.empty()) return;
  auto& fit = result.fit;
  const auto& other = result.others.front();
  const double here = fit.chi2_per_dof(), there = other.chi2_per_dof();
  const bool told = told_static(fit);
  if (here < kGoodSlideFit) {
    for (const auto& near : result.others)
      if (near.chi2_per_dof() <= here + kShapesApart) add_spread(near, fit);
    if (!told || told_static(fit)) return;
  } else if (rings_fairly(result)) {
    add_rung_error(fit);
    return;
  }
  const double mu_d = fit.values[kSlideDynamic];
  result.u_shape = std::max(std::abs(other.values[kSlideDynamic] / mu_d - 1), kSystematic);
  result.no_static = fmt::format(
      "FR-STEPS How the tip moves within a step of {:.2g} µm can't be told (χ² {:.3g} with {}, "
      "{:.3g} with {}): µ_s and v_s hang on it. Use a finer stage.",
      1e6 * step_m, here, name_of(fit.setting.shape), there, name_of(other.setting.shape));
}

/// Where a tip jumps in a stage's ticks and each line begins when it likes, which steps fall into
/// one tick is another thing for each slide; one phase for all of them bends mu_s and v_s.
void judge_lines(double step_m, SlideResult& result) {
  const auto& setting = result.fit.setting;
  if (!result.no_static.empty() || setting.u_late_s == 0 || setting.shape != StepShape::kJump)
    return;
  result.u_shape = kSystematic;
  result.no_static = fmt::format(
      "FR-STEPS Each line began at its own time (some ms late), so how many steps of {:.2g} µm the "
      "tip makes at once can't be told: µ_s and v_s hang on it. Use a finer stage.",
      1e6 * step_m);
}

/// sigma1, a delay and the force sensor's filter delay the force nearly alike. A filter slower than
/// any sensor's makes up for what the model lacks, and sigma1 with it.
void judge_lag(SlideResult& result) {
  const double lag_s = std::abs(result.fit.values[kSlideLag]);
  if (lag_s < kMostFilter_s) return;
  result.no_damping = fmt::format(
      "FR-LAG The force follows the slides as behind a filter of {:.0f} Hz, slower than a force "
      "sensor's: something rings or gives that the model lacks, and σ1 hangs on it.",
      1 / (2 * std::numbers::pi * lag_s));
}

}  // namespace

double standard_uncertainty(const SlideFit& fit, SlideIndex index) {
  const auto j = static_cast<Eigen::Index>(index);
  return fit.covariance.size() > 0 ? std::sqrt(fit.covariance(j, j))
                                   : std::numeric_limits<double>::infinity();
}

void judge_slides(double step_m, SlideResult& result) {
  auto& fit = result.fit;
  if (fit.covariance.size() == 0 || fit.chi2_per_dof() > kNoFit) {
    result.why_not = fmt::format(
        "ID-07 Whole slides do not follow the model (χ² {:.2g} per 10 ms): the stage did not "
        "move as its lines say, or friction follows another law.",
        fit.chi2_per_dof());
    return;
  }
  add_misfit(fit);
  judge_lag(result);
  judge_shape(step_m, result);
  judge_lines(step_m, result);
  if (!result.no_static.empty()) return;
  if (fit.values[kSlideDrop] < kSure * standard_uncertainty(fit, kSlideDrop) &&
      u_static(fit) <= kMaxStatic)
    result.no_static = "FR-08 No Stribeck drop: use µ_s = µ_d, drop v_s.";
  else if (!told_static(fit))
    result.no_static = fmt::format(
        "FR-02 A step of {:.2g} µm at a time the tip never slides much slower than the Stribeck "
        "speed: µ_s (± {:.0f} %) and v_s (± {:.0f} %) are extrapolated. Use a finer stage.",
        1e6 * step_m, 200 * u_static(fit), 200 * standard_uncertainty(fit, kSlideLogStribeck));
}

}  // namespace tactelier
