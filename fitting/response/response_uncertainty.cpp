#include "fitting/response/response_uncertainty.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {
namespace {

constexpr int kLeastOnLine = 3;  // samples that let one press speak for itself

bool threshold_held(const TactelFit& fit) {
  return fit.fit.threshold_at_zero || fit.fit.threshold_at_top;
}

/// Holds the threshold by a stiff spring: its step and variance become 0.
Eigen::Matrix2d held(Eigen::Matrix2d information, bool hold) {
  if (!hold) return information;
  information(0, 1) = information(1, 0) = 0;
  information(0, 0) = 1e300;
  return information;
}

std::vector<const PressEvidence*> speaking(const TactelFit& fit) {
  std::vector<const PressEvidence*> presses;
  for (const auto& press : fit.fit.presses)
    if (press.on_line >= kLeastOnLine) presses.push_back(&press);
  return presses;
}

/// Step of one press alone away from the pooled fit; empty when it alone determines nothing.
std::optional<Eigen::Vector2d> own_step(const PressEvidence& press, bool hold) {
  const Eigen::Matrix2d information = held(press.information, hold);
  const Eigen::Vector2d scale = information.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::Matrix2d scaled = scale.asDiagonal() * information * scale.asDiagonal();
  if (scaled.determinant() < 1e-6) return std::nullopt;
  return Eigen::Vector2d(information.ldlt().solve(press.score));
}

/// Of one press: residuals with their lags, never below what independent ones would give.
Eigen::Matrix2d within_covariance(const PressEvidence& press, bool hold) {
  const Eigen::Matrix2d inverse = held(press.information, hold).inverse();
  Eigen::Matrix2d covariance = inverse * press.serial * inverse;
  const double variance = press.own_chi2 / std::max(1, press.on_line - 2);
  Eigen::Vector2d widen = Eigen::Vector2d::Ones();
  for (Eigen::Index i = 0; i < 2; ++i) {
    const double plain = variance * inverse(i, i);
    if (covariance(i, i) < plain && covariance(i, i) > 0)
      widen(i) = std::sqrt(plain / covariance(i, i));
    else if (covariance(i, i) <= 0)
      covariance(i, i) = plain;
  }
  return widen.asDiagonal() * covariance * widen.asDiagonal();
}

ResponseUncertainty from_spread(const TactelFit& fit,
                                std::span<const PressEvidence* const> presses) {
  const bool hold = threshold_held(fit);
  const Eigen::Matrix2d inverse = held(fit.fit.information(), hold).inverse();
  const auto n = static_cast<double>(presses.size());
  ResponseUncertainty result;
  for (const auto* press : presses) {
    const Eigen::Vector2d step = inverse * press->score;
    result.covariance += n / (n - 1) * step * step.transpose();
  }
  result.threshold_dof = result.gain_dof = n - 1;
  result.method = "spread between the presses on a tactel";
  return result;
}

ResponseUncertainty from_bootstrap(const TactelFit& fit,
                                   std::span<const PressEvidence* const> presses,
                                   const ReportSettings& settings, const Job& job) {
  // One Gauss-Newton step from the pooled fit: the drawings move it by a fraction of its error.
  const bool hold = threshold_held(fit);
  const auto estimate = [&](std::span<const std::size_t> drawn) -> std::optional<Eigen::VectorXd> {
    Eigen::Matrix2d information = Eigen::Matrix2d::Zero();
    Eigen::Vector2d score = Eigen::Vector2d::Zero();
    for (const auto i : drawn) {
      information += presses[i]->information;
      score += presses[i]->score;
    }
    return Eigen::VectorXd(held(information, hold).ldlt().solve(score));
  };
  RandomSource random(settings.seed * 1000003 + static_cast<std::uint64_t>(fit.tactel));
  const auto drawn =
      bootstrap_presses(presses.size(), settings.bootstrap_resamples, random, estimate, job);
  if (!drawn) return from_spread(fit, presses);
  ResponseUncertainty result;
  result.covariance = drawn->covariance;
  result.threshold_dof = result.gain_dof = drawn->dof;
  result.method = fmt::format("bootstrap over presses, {} resamples", settings.bootstrap_resamples);
  return result;
}

/// Welch and Satterthwaite for the sum of two variances.
double combined_dof(double a, double dof_a, double b, double dof_b) {
  const double spread = a * a / dof_a + (b > 0 ? b * b / dof_b : 0);
  return spread > 0 ? (a + b) * (a + b) / spread : dof_a;
}

ResponseUncertainty from_one_press(const TactelFit& fit, const PressEvidence& press,
                                   const PressScatter& scatter) {
  ResponseUncertainty result;
  result.covariance = within_covariance(press, threshold_held(fit));
  const double gain = fit.fit.gain_N_per_count;
  const double offset_N = gain * fit.limits.offset.std;
  if (!threshold_held(fit)) result.covariance(0, 0) += offset_N * offset_N;
  const double dof = std::max(1, press.on_line - 2);
  result.threshold_dof = result.gain_dof = dof;
  result.method =
      "within one press, widened for serial correlation; the scatter between presses "
      "is not included";
  if (scatter.dof <= 0) return result;
  const double between_gain = scatter.gain_relative * gain * gain;
  const double between_threshold = threshold_held(fit) ? 0 : scatter.threshold_N2;
  result.gain_dof = combined_dof(result.covariance(1, 1), dof, between_gain, scatter.dof);
  result.threshold_dof = combined_dof(result.covariance(0, 0), dof, between_threshold, scatter.dof);
  result.covariance(0, 0) += between_threshold;
  result.covariance(1, 1) += between_gain;
  result.method = "within one press, plus the pooled scatter between presses of other tactels";
  return result;
}

}  // namespace

PressScatter pool_scatter(std::span<const TactelFit> fits) {
  double gain = 0, threshold = 0, within_gain = 0, within_threshold = 0, count = 0;
  PressScatter scatter;
  for (const auto& fit : fits) {
    if (!fit.fitted() || fit.fit.presses.size() < 2) continue;
    const bool hold = threshold_held(fit);
    std::vector<Eigen::Vector2d> steps;
    for (const auto& press : fit.fit.presses) {
      const auto step = own_step(press, hold);
      if (!step) continue;
      const auto within = within_covariance(press, hold);
      within_gain += within(1, 1) / std::pow(fit.fit.gain_N_per_count, 2);
      within_threshold += within(0, 0);
      count += 1;
      steps.push_back(*step);
    }
    if (steps.size() < 2) continue;
    Eigen::Vector2d mean = Eigen::Vector2d::Zero();
    for (const auto& step : steps) mean += step / static_cast<double>(steps.size());
    for (const auto& step : steps) {
      threshold += std::pow(step(0) - mean(0), 2);
      gain += std::pow((step(1) - mean(1)) / fit.fit.gain_N_per_count, 2);
    }
    scatter.dof += static_cast<double>(steps.size()) - 1;
  }
  if (scatter.dof <= 0) return scatter;
  scatter.gain_relative = std::max(0.0, gain / scatter.dof - within_gain / count);
  scatter.threshold_N2 = std::max(0.0, threshold / scatter.dof - within_threshold / count);
  return scatter;
}

ResponseUncertainty response_uncertainty(const TactelFit& fit, const ReportSettings& settings,
                                         const Job& job) {
  const auto presses = speaking(fit);
  if (presses.size() >= kMinBootstrapPresses) return from_bootstrap(fit, presses, settings, job);
  if (presses.size() >= 2) return from_spread(fit, presses);
  if (presses.size() == 1) return from_one_press(fit, *presses.front(), settings.scatter);
  ResponseUncertainty unknown;
  unknown.covariance.setConstant(std::numeric_limits<double>::infinity());
  return unknown;
}

}  // namespace tactelier
