#include "libcalib/pad/layer.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::pad {
namespace {

constexpr int kMaxNewtonSteps = 30;
constexpr double kDepthTolerance_m = 1e-12;
/// Beyond the deepest earlier press rubber is virgin again, fully at this much more of depth.
constexpr double kVirginFrom = 0.2;
/// The unloading branch is reached after a fifth of the peak load: limit = slope / 9.
constexpr double kStopRatio = 1.0 / 9;

}  // namespace

double deflection_m(const ComplianceEffects& compliance, double force_N) {
  return compliance.linear_m_per_N * force_N -
         compliance.seating_m * std::expm1(-force_N / compliance.seating_force_N);
}

double deflection_slope_m_per_N(const ComplianceEffects& compliance, double force_N) {
  return compliance.linear_m_per_N + compliance.seating_m / compliance.seating_force_N *
                                         std::exp(-force_N / compliance.seating_force_N);
}

Layer::Layer(const LayerTruth& truth, double first_cycle_softening)
    : truth_(truth), softening_(first_cycle_softening), branches_(truth.prony.size()) {
  const double r = truth.unloading_ratio;  // (1 + slope) / (1 + limit)
  if (r > 1) {
    stop_slope_ = (r - 1) / (1 - r * kStopRatio);
    stop_limit_ = stop_slope_ * kStopRatio;
  }
}

void Layer::forget() {
  for (auto& branch : branches_) branch.force_N = 0;
  elastic_N_ = 0;
  friction_N_ = 0;
}

Layer::Elastic Layer::elastic(double depth_m) const {
  const auto law = footprint_->law(depth_m);
  const double linear =
      truth_.foundation_modulus_Pa_per_m * law.volume_m3 + truth_.rim_modulus_Pa * law.rim_m2;
  const double slope =
      truth_.foundation_modulus_Pa_per_m * law.area_m2 + truth_.rim_modulus_Pa * law.rim_m;
  const double strain = std::max(0.0, depth_m) / truth_.thickness_m;
  const double hard = 1 + strain * (truth_.hardening_linear + strain * truth_.hardening_quadratic);
  const double hard_slope =
      (truth_.hardening_linear + 2 * strain * truth_.hardening_quadratic) / truth_.thickness_m;
  return {factor_ * linear * hard, factor_ * (slope * hard + linear * hard_slope)};
}

double Layer::virgin_factor(double depth_m) const {
  const double deepest = deepest_m_ ? *deepest_m_ : 0;
  if (deepest <= 0) return 1 + softening_;
  return 1 + softening_ * std::clamp((depth_m / deepest - 1) / kVirginFrom, 0.0, 1.0);
}

double Layer::softening_factor(double depth_m) const {
  if (softening_ == 0 || depth_m <= 0) return 1;
  if (depth_m >= peak_m_) return virgin_factor(depth_m);
  const double back = depth_m / peak_m_;
  return 1 + (virgin_factor(peak_m_) - 1) * back * back * back * back;
}

void Layer::prepare(double dt_s) {
  if (dt_s == dt_s_) return;
  dt_s_ = dt_s;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const auto& branch = truth_.prony[i];
    const double x = dt_s / branch.tau_s;
    branches_[i].keep = std::exp(-x);
    branches_[i].gain = branch.ratio * -std::expm1(-x) / x;
  }
}

// Branch, exact for an elastic force linear in time: h+ = E h + ratio (tau/dt)(1 - E) (Fe+ - Fe).
Layer::Trial Layer::trial(double dt_s, double depth_m) const {
  Elastic now = elastic(depth_m);
  const double soft = softening_factor(depth_m);
  now.force_N *= soft;
  now.slope_N_per_m *= soft;
  const double change = now.force_N - elastic_N_;
  const double limit = stop_limit_ * now.force_N;
  const double stop = std::clamp(friction_N_ + stop_slope_ * change, -limit, limit);
  const double held = (now.force_N + stop) / (1 + stop_limit_);
  const double speed = (depth_m - depth_m_) / dt_s;

  Trial result{held, now.slope_N_per_m, now.force_N};
  if (truth_.dissipation_s_per_m) {
    const double factor = std::max(0.0, 1 + *truth_.dissipation_s_per_m * speed);
    result.force_N *= factor;
    result.slope_N_per_m = now.slope_N_per_m * factor +
                           (factor > 0 ? now.force_N * *truth_.dissipation_s_per_m / dt_s : 0);
  } else if (truth_.kelvin_voigt_s > 0) {
    result.force_N += truth_.kelvin_voigt_s * now.slope_N_per_m * speed;
    result.slope_N_per_m *= 1 + truth_.kelvin_voigt_s / dt_s;
  }
  for (const auto& branch : branches_) {
    result.force_N += branch.keep * branch.force_N + branch.gain * change;
    result.slope_N_per_m += branch.gain * now.slope_N_per_m;
  }
  return result;
}

void Layer::accept(double depth_m, double elastic_N) {
  const double change = elastic_N - elastic_N_;
  for (auto& branch : branches_)
    branch.force_N = branch.keep * branch.force_N + branch.gain * change;
  const double limit = stop_limit_ * elastic_N;
  friction_N_ = std::clamp(friction_N_ + stop_slope_ * change, -limit, limit);
  elastic_N_ = elastic_N;
  depth_m_ = depth_m;
  peak_m_ = std::max(peak_m_, depth_m);
}

double Layer::unclamped_step_N(double dt_s, double depth_m) {
  prepare(dt_s);
  const Trial result = trial(dt_s, depth_m);
  accept(depth_m, result.elastic_N);
  return result.force_N;
}

Contact Layer::step(double dt_s, double depth_m, const ComplianceEffects& compliance) {
  prepare(dt_s);
  const double touch = footprint_->touch_depth_m();
  double tip = depth_m;
  if (depth_m > touch && (compliance.linear_m_per_N > 0 || compliance.seating_m > 0)) {
    double low = std::min(touch, depth_m);  // g(tip) = tip + u(F(tip)) - depth rises with tip
    double high = depth_m;
    tip = std::clamp(depth_m_, low, high);
    for (int i = 0; i < kMaxNewtonSteps; ++i) {
      const Trial at = trial(dt_s, tip);
      const double force = std::max(0.0, at.force_N);
      const double g = tip + deflection_m(compliance, force) - depth_m;
      (g > 0 ? high : low) = tip;
      const double slope =
          1 + (at.force_N > 0 ? deflection_slope_m_per_N(compliance, force) * at.slope_N_per_m : 0);
      double next = tip - g / slope;
      if (!(next > low && next < high)) next = (low + high) / 2;
      const double change = std::abs(next - tip);
      tip = next;
      if (change < kDepthTolerance_m) break;
    }
  }
  const Trial result = trial(dt_s, tip);
  accept(tip, result.elastic_N);
  const bool was_touching = touching_;
  touching_ = result.force_N > 0 && result.elastic_N > 0;
  if (was_touching && !touching_) {
    if (deepest_m_) *deepest_m_ = std::max(*deepest_m_, peak_m_);
    peak_m_ = 0;
  }
  return {tip, touching_ ? result.force_N : 0, result.elastic_N};
}

}  // namespace tactelier::pad
