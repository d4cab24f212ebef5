#include "fitting/damping/path_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/damping/motion_fit.hpp"

namespace tactelier {
namespace {

constexpr double kSeldom_s = 1.1e-3;           // an encoder of 1 kHz shows speed itself
constexpr double kMinDelay_s = 0.08e-3;        // of a plate's delay on the pad: edge shapes differ
constexpr double kReleased_s = 0.25e-3;        // planned u of c/k,
constexpr double kReleasedAtDepth_s = 0.5e-3;  // and of d at the mean depth: no delay looks like it
constexpr double kMinSpeeds = 5;
constexpr double kDecidedBy = 10;  // of scaled chi^2
constexpr double kMisfitAbove = 2;
constexpr double kSureErrors = 3;
constexpr double kCover = 1.96;  // of u_total

/// Relative standard uncertainty with what repetition can't show.
double relative_u(const Parameter& parameter) {
  const double total = parameter.u_total.value_or(0) / kCover;
  return std::max(total, parameter.std.value_or(0)) / std::abs(*parameter.value);
}

MotionPrior prior_of(const ComputedRates& rates, const Relaxation& relaxation) {
  MotionPrior prior;
  prior.delay_s = rates.edges().delay_s;
  prior.command_scatter_s = rates.edges().scatter_s;
  prior.delay_s.std = std::hypot(prior.delay_s.std, kMinDelay_s);
  if (!relaxation.g_inf.identified()) return prior;
  for (std::size_t b = 0; b < relaxation.g.size(); ++b) {
    const auto& g = relaxation.g[b];
    const auto& tau = relaxation.tau[b];
    if (!g.identified() || !tau.identified()) continue;
    const double u = std::hypot(relative_u(g), relative_u(relaxation.g_inf));
    prior.log_ratio.push_back({std::log(*g.value / *relaxation.g_inf.value), u});
    prior.log_tau.push_back({std::log(*tau.value), relative_u(tau)});
  }
  return prior;
}

RateFit as_rate_fit(const MotionFit& fit) {
  RateFit rate;
  rate.model = fit.model;
  rate.k = fit.k;
  rate.hardening = fit.hardening;
  rate.damping = fit.model == RateModel::kKelvinVoigt ? fit.rate * fit.k : fit.rate;
  const double u = std::hypot(fit.within_u, fit.delay_u);
  rate.u_damping = fit.model == RateModel::kKelvinVoigt ? u * fit.k : u;
  rate.chi2 = fit.chi2;
  rate.dof = fit.dof;
  rate.condition = fit.condition;
  rate.residuals = fit.residuals;
  return rate;
}

std::string speeds_alike(const std::vector<MotionPress>& presses) {
  double least = HUGE_VAL, most = 0;
  for (const auto& press : presses) {
    least = std::min(least, press.speed_m_per_s);
    most = std::max(most, press.speed_m_per_s);
  }
  if (most >= kMinSpeeds * least * (1 - 1e-6)) return {};
  return fmt::format("DP-01 Speeds {:.3g}–{:.3g} mm/s are too close: damping not reported.",
                     1e3 * least, 1e3 * most);
}

bool planned_well(const MotionFit& fit) {
  return fit.model == RateModel::kKelvinVoigt ? fit.planned_u <= kReleased_s
                                              : fit.planned_u * fit.depth_m <= kReleasedAtDepth_s;
}

/// What the presses can't tell is refused whatever came out: choosing by the value biases those
/// that are left.
std::string why_not_released(const MotionFit& fit, double u, bool decided) {
  const double per_s = fit.model == RateModel::kKelvinVoigt ? 1 : fit.depth_m;
  const double limit_ms = 1e3 * (std::max(0.0, fit.rate) + kCover * u) * per_s;
  if (!planned_well(fit))
    return fmt::format(
        "DP-05 These presses tell Δ = c/k to {:.2g} ms, {:.2g} ms are needed: it is below {:.2g} "
        "ms (95 %). Press six times at each speed up to the stage's fastest, and the plate more "
        "often.",
        1e3 * fit.planned_u * per_s, 1e3 * (per_s == 1 ? kReleased_s : kReleasedAtDepth_s),
        limit_ms);
  if (fit.chi2 / fit.dof > kMisfitAbove)
    return fmt::format(
        "ID-07 Neither law describes the presses (χ²/ν = {:.3g}). Does the pad "
        "relax? Record holds (P6).",
        fit.chi2 / fit.dof);
  if (fit.rate < -kSureErrors * u)
    return fmt::format(
        "DP-04 Negative damping: check latency sign (τ = {:.2g} ms) before the "
        "model.",
        1e3 * fit.rate * per_s);
  if (!decided)
    return fmt::format(
        "DP-06 Both laws describe the presses alike: Δ = c/k is below {:.2g} ms "
        "(95 %).",
        limit_ms);
  return {};
}

DampingEstimate path_estimate_of(const MotionFit& fit, const MotionFit& other,
                                 const ComputedRates& rates) {
  DampingEstimate estimate;
  estimate.planned = true;
  const bool kelvin_voigt = fit.model == RateModel::kKelvinVoigt;
  estimate.chosen = fit.model;
  estimate.kelvin_voigt = as_rate_fit(kelvin_voigt ? fit : other);
  estimate.hunt_crossley = as_rate_fit(kelvin_voigt ? other : fit);
  const double unit = std::max(1.0, fit.chi2 / fit.dof);
  estimate.decided = (other.cost - fit.cost) / unit > kDecidedBy;
  estimate.delay_s = rates.edges().delay_s;
  estimate.delay_scatter_s = rates.edges().scatter_s;
  const auto presses = rates.presses().size();
  const double scale = kelvin_voigt ? fit.k : 1;
  const double u = std::hypot(std::max(fit.within_u, fit.between_u), fit.delay_u);
  estimate.value = {scale * fit.rate, scale * u,
                    fit.between_u > fit.within_u ? static_cast<double>(presses) - 1 : kManyDegrees};
  estimate.within = scale * std::hypot(fit.within_u, fit.delay_u);
  estimate.presses = presses;
  for (const auto& press : rates.presses())
    estimate.speed_m_per_s = std::max(estimate.speed_m_per_s, press.speed_m_per_s);
  estimate.force_N = fit.k * fit.depth_m;
  estimate.effect =
      std::abs(fit.rate) * (kelvin_voigt ? 1 / fit.depth_m : 1) * estimate.speed_m_per_s;
  estimate.repeatability = fit.off_m / fit.depth_m;
  estimate.method = fmt::format(
      "along the computed path, within {} presses or between them (jackknife), the wider", presses);
  estimate.refusal = why_not_released(fit, u, estimate.decided);
  return estimate;
}

}  // namespace

bool sampled_seldom(const RateData& data) { return data.stage_period_s > kSeldom_s; }

Result<DampingEstimate> estimate_along_path(const FitContext& context, const RateData& data) {
  DampingEstimate refused;
  const auto rates = ComputedRates::load(context, data);
  if (!rates) return fail(rates.error());
  refused.refusal = rates->refusal();
  refused.presses = rates->presses().size();
  if (!refused.refusal.empty()) return refused;
  refused.refusal = speeds_alike(rates->presses());
  if (!refused.refusal.empty()) return refused;
  const auto prior = prior_of(*rates, context.model.relaxation);
  const auto kelvin_voigt = fit_motion(*rates, RateModel::kKelvinVoigt, prior);
  const auto hunt_crossley = fit_motion(*rates, RateModel::kHuntCrossley, prior);
  if (!kelvin_voigt || !hunt_crossley) {
    refused.refusal = "ID-01 " + (kelvin_voigt ? hunt_crossley : kelvin_voigt).error().message;
    return refused;
  }
  return hunt_crossley->cost < kelvin_voigt->cost
             ? path_estimate_of(*hunt_crossley, *kelvin_voigt, *rates)
             : path_estimate_of(*kelvin_voigt, *hunt_crossley, *rates);
}

}  // namespace tactelier
