#include "fitting/response/response_uncertainty.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fitting/statistics/added_variances.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kPooledBetter = 5;   // times the degrees of freedom of the tactel's own presses
constexpr double kUnlikeOthers = 10;  // of the pooled variance: this tactel scatters by itself
constexpr double kBadlyKnown = 3;     // of the median variance: such a tactel doesn't show scatter
constexpr double kStiff = 1e60;       // a spring whose product with any information is finite
constexpr int kMinOnLine = 3;         // samples that let one press speak for itself

bool threshold_held(const TactelFit& fit) {
  return fit.fit.threshold_at_zero || fit.fit.threshold_at_top;
}

/// Holds the threshold by a stiff spring: its step and variance become 0.
Eigen::Matrix2d held(Eigen::Matrix2d information, bool hold) {
  if (!hold) return information;
  information(0, 1) = information(1, 0) = 0;
  information(0, 0) = kStiff;
  return information;
}

std::vector<const PressEvidence*> speaking(const TactelFit& fit) {
  std::vector<const PressEvidence*> presses;
  for (const auto& press : fit.fit.presses)
    if (press.on_line >= kMinOnLine) presses.push_back(&press);
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

/// An offset that is off moves the threshold; where that rests on its bound, the slope of a line
/// through it over evenly spread forces.
void add_offset(const TactelFit& fit, double presses, Eigen::Matrix2d& covariance) {
  const double offset_N = fit.fit.gain_N_per_count * fit.limits.offset.std;
  if (!threshold_held(fit)) {
    covariance(0, 0) += offset_N * offset_N / presses;
    return;
  }
  const double by_offset = 1.5 * fit.fit.gain_N_per_count / fit.peak_force_N;
  covariance(1, 1) += offset_N * offset_N * by_offset * by_offset / presses;
}

std::string source_of(const PressScatter& scatter) {
  return scatter.joint ? "the scatter between all presses, as the joint fit of spread and gains "
                         "shows it"
                       : "the pooled scatter between presses of other tactels";
}

ResponseUncertainty from_one_press(const TactelFit& fit, const PressEvidence& press,
                                   const PressScatter& scatter) {
  ResponseUncertainty result;
  result.covariance = within_covariance(press, threshold_held(fit));
  const double gain = fit.fit.gain_N_per_count;
  add_offset(fit, 1, result.covariance);
  const double dof = std::max(1, press.on_line - 2);
  result.threshold_dof = result.gain_dof = dof;
  result.method =
      "within one press, widened for serial correlation; the scatter between presses "
      "is not included";
  if (scatter.dof <= 0) return result;
  const double between_gain = scatter.gain_relative * gain * gain;
  const double between_threshold =
      threshold_held(fit) ? 0 : scatter.threshold_variance(fit.fit.threshold_N);
  result.gain_dof = dof_of_added(result.covariance(1, 1), dof, between_gain, scatter.dof);
  result.threshold_dof = dof_of_added(result.covariance(0, 0), dof, between_threshold, scatter.dof);
  // A scatter that one or two repeats happen to show small is no small scatter.
  if (scatter.few()) result.gain_dof = result.threshold_dof = std::min<double>(dof, scatter.dof);
  result.covariance(0, 0) += between_threshold;
  result.covariance(1, 1) += between_gain;
  result.method = fmt::format("within one press, plus {}", source_of(scatter));
  return result;
}

/// Two presses know their own scatter badly (t = 12.7); tactels of one array scatter alike.
std::optional<ResponseUncertainty> from_pooled(const TactelFit& fit,
                                               std::span<const PressEvidence* const> presses,
                                               const PressScatter& scatter) {
  const auto n = static_cast<double>(presses.size());
  if (scatter.dof < kPooledBetter * (n - 1)) return std::nullopt;
  const bool hold = threshold_held(fit);
  const double gain = fit.fit.gain_N_per_count;
  ResponseUncertainty result;
  for (const auto* press : presses) result.covariance += within_covariance(*press, hold) / (n * n);
  add_offset(fit, 1, result.covariance);
  if (!hold) result.covariance(0, 0) += scatter.threshold_variance(fit.fit.threshold_N) / n;
  result.covariance(1, 1) += scatter.gain_relative * gain * gain / n;
  result.threshold_dof = result.gain_dof = scatter.dof;
  result.method =
      scatter.joint ? source_of(scatter) : "pooled scatter between the presses of all tactels";
  return result;
}

/// What the presses of one tactel differ by, and what each alone doesn't know.
struct TactelScatter {
  double gain = 0, threshold = 0;                // sums of squares, the gain's relative
  double within_gain = 0, within_threshold = 0;  // mean variances within a press
  double dof = 0;
};

std::optional<TactelScatter> tactel_scatter(const TactelFit& fit) {
  if (!fit.fitted() || fit.fit.presses.size() < 2) return std::nullopt;
  const bool hold = threshold_held(fit);
  const double gain = fit.fit.gain_N_per_count;
  TactelScatter result;
  std::vector<Eigen::Vector2d> steps;
  for (const auto& press : fit.fit.presses) {
    const auto step = own_step(press, hold);
    if (!step) continue;
    const auto within = within_covariance(press, hold);
    result.within_gain += within(1, 1) / (gain * gain);
    result.within_threshold += within(0, 0);
    steps.push_back(*step);
  }
  if (steps.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(steps.size());
  result.within_gain /= n;
  result.within_threshold /= n;
  result.dof = n - 1;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (const auto& step : steps) mean += step / n;
  for (const auto& step : steps) {
    result.threshold += std::pow(step(0) - mean(0), 2);
    result.gain += std::pow((step(1) - mean(1)) / gain, 2);
  }
  return result;
}

}  // namespace

PressScatter pool_scatter(std::span<const TactelFit> fits) {
  std::vector<TactelScatter> all;
  std::vector<double> within;
  for (const auto& fit : fits)
    if (const auto one = tactel_scatter(fit)) {
      all.push_back(*one);
      within.push_back(one->within_gain);
    }
  if (all.empty()) return {};
  const double usual = median(within);
  double gain = 0, threshold = 0, within_gain = 0, within_threshold = 0;
  PressScatter scatter;
  for (const auto& one : all) {
    if (one.within_gain > kBadlyKnown * usual) continue;
    gain += one.gain;
    threshold += one.threshold;
    within_gain += one.dof * one.within_gain;
    within_threshold += one.dof * one.within_threshold;
    scatter.dof += one.dof;
  }
  scatter.gain_relative = std::max(0.0, (gain - within_gain) / scatter.dof);
  scatter.threshold_N2 = std::max(0.0, (threshold - within_threshold) / scatter.dof);
  return scatter;
}

namespace {

ResponseUncertainty between_presses(const TactelFit& fit, const ReportSettings& settings,
                                    const Job& job) {
  const auto presses = speaking(fit);
  if (presses.size() >= kMinBootstrapPresses) return from_bootstrap(fit, presses, settings, job);
  if (presses.size() >= 2) {
    auto own = from_spread(fit, presses);
    const auto pooled = from_pooled(fit, presses, settings.scatter);
    return pooled && own.covariance(1, 1) < kUnlikeOthers * pooled->covariance(1, 1) ? *pooled
                                                                                     : own;
  }
  if (presses.size() == 1) return from_one_press(fit, *presses.front(), settings.scatter);
  ResponseUncertainty unknown;
  unknown.covariance.setConstant(std::numeric_limits<double>::infinity());
  return unknown;
}

/// Readings that are late belong to a smaller force than the one beside them: by rate times delay,
/// which is a line over the reading as the rate is one over the force.
Eigen::Matrix2d from_latency(const TactelFit& fit) {
  const double gain = fit.fit.gain_N_per_count;
  Eigen::Vector2d by_delay(fit.rate.at(fit.fit.threshold_N), gain * fit.rate.growth_per_s);
  if (threshold_held(fit) && fit.peak_force_N > 0)  // the slope alone takes it
    by_delay = {0,
                gain * (1.5 * fit.rate.at_zero_N_per_s / fit.peak_force_N + fit.rate.growth_per_s)};
  if (fit.limits.floor == Clip::kNone) by_delay(0) = 0;  // there is no threshold
  return fit.u_latency_s * fit.u_latency_s * by_delay * by_delay.transpose();
}

/// A rest that drifts while the force rises is part of the slope.
Eigen::Matrix2d from_drift(const TactelFit& fit) {
  const double rise = fit.highest_counts - fit.limits.offset.value;
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
  if (fit.drift_counts > 0 && fit.limits.floor != Clip::kNone && rise > 0)
    covariance(1, 1) =
        std::pow(fit.fit.gain_N_per_count * fit.drift_counts / rise, 2) / 3;  // anything up to it
  return covariance;
}

void add(const Eigen::Matrix2d& covariance, double dof, ResponseUncertainty& result) {
  result.threshold_dof =
      dof_of_added(result.covariance(0, 0), result.threshold_dof, covariance(0, 0), dof);
  result.gain_dof = dof_of_added(result.covariance(1, 1), result.gain_dof, covariance(1, 1), dof);
  result.covariance += covariance;
}

}  // namespace

ResponseUncertainty response_uncertainty(const TactelFit& fit, const ReportSettings& settings,
                                         const Job& job) {
  auto result = between_presses(fit, settings, job);
  if (!result.covariance.allFinite()) return result;
  result.lack = lack_of_fit(fit.errors, threshold_held(fit), settings.fitted);
  const auto presses = static_cast<double>(fit.errors.presses.size());
  result.left_out = presses < 3 ? 0 : static_cast<int>(presses);
  // One more press differs from the mean of the others as presses do, not as means do.
  const Eigen::Matrix2d of_one = (presses + 1) * result.covariance;
  result.missed = missed_presses(fit.errors, result.lack, of_one);
  if (result.lack.there()) {
    add(result.lack.covariance, result.lack.dof, result);
    result.method += "; widened by what the line makes of forces left out";
  }
  if (const auto late = from_latency(fit); late.trace() > 0) {
    add(late, kManyDegrees, result);
    result.method += "; with how late the readings may be";
  }
  if (const auto drift = from_drift(fit); drift.trace() > 0) {
    add(drift, kManyDegrees, result);
    result.method += "; with the drift of the rest while a press loads";
  }
  return result;
}

}  // namespace tactelier
