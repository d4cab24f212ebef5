#include "fitting/response/affine_fit.hpp"

#include <ceres/cost_function.h>
#include <ceres/problem.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/statistics/nonlinear.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

/// A whitened residual and its derivatives with respect to threshold and gain.
struct Term {
  double r = 0;
  double d_threshold = 0;
  double d_gain = 0;
  bool on_line = false;
};

/// Mean and variance of max(0, X), X normal about `d` with deviation `sigma`, and their slopes.
struct SoftCorner {
  double mean, mean_slope, variance, variance_slope;

  SoftCorner(double d, double sigma) {
    const double u = d / sigma;
    const double density = std::exp(-0.5 * u * u) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double above = 0.5 * std::erfc(-u / std::numbers::sqrt2);
    mean = d * above + sigma * density;
    mean_slope = above;
    variance = std::max(0.0, (d * d + sigma * sigma) * above + d * sigma * density - mean * mean);
    variance_slope = 2 * mean * (1 - above);
  }
};

class Residual {
 public:
  Residual(const AffineSettings& settings, double threshold_N, double gain)
      : s_(settings), threshold_N_(threshold_N), gain_(gain) {
    const double slope = 1 / gain;
    line_variance_ = square(s_.sigma_counts) + square(slope * s_.sigma_force_N);
    line_variance_d_gain_ = -2 * square(s_.sigma_force_N) * slope * slope * slope;
  }

  Term operator()(double force_N, double counts, double offset) const {
    const double c = counts - offset;
    const double ceiling = s_.saturation_counts - offset;
    const double d = force_N - threshold_N_;
    const double p = d / gain_;
    if (s_.ceiling == Clip::kCensored && c >= ceiling)
      return p < ceiling ? line(ceiling - p, -1, d, p, false) : Term{};
    if (s_.ceiling == Clip::kVisible && p > ceiling)
      return {(c - ceiling) / s_.sigma_counts, 0, 0, false};
    if (s_.floor == Clip::kCensored && c <= 0) return p > 0 ? line(p, +1, d, p, false) : Term{};
    if (s_.floor != Clip::kVisible) return line(c - p, -1, d, p, true);
    if (s_.sigma_force_N > 0 && d < 8 * s_.sigma_force_N) return soft(c, d);
    if (p <= 0) return {c / s_.sigma_counts, 0, 0, false};
    return line(c - p, -1, d, p, true);
  }

 private:
  static double square(double x) { return x * x; }

  /// r = value / sd where value = +-p + constant.
  Term line(double value, double sign, double, double p, bool on_line) const {
    const double w = 1 / std::sqrt(line_variance_);
    const double r = value * w;
    return {r, sign * (-1 / gain_) * w,
            sign * (-p / gain_) * w - 0.5 * r * line_variance_d_gain_ / line_variance_, on_line};
  }

  Term soft(double c, double d) const {
    const SoftCorner corner(d, s_.sigma_force_N);
    const double s = 1 / gain_;
    const double variance = square(s_.sigma_counts) + s * s * corner.variance;
    const double w = 1 / std::sqrt(variance);
    const double r = (c - s * corner.mean) * w;
    const double half = 0.5 * r / variance;
    return {r, s * corner.mean_slope * w + half * s * s * corner.variance_slope,
            s * s * corner.mean * w + half * 2 * s * s * s * corner.variance, d > 0};
  }

  const AffineSettings& s_;
  double threshold_N_;
  double gain_;
  double line_variance_ = 1;
  double line_variance_d_gain_ = 0;
};

/// One block per press: thousands of residuals, two parameters (threshold, gain / gain_scale).
class AffineCost : public ceres::CostFunction {
 public:
  AffineCost(const ResponsePress& press, const AffineSettings& settings, double gain_scale)
      : press_(press), settings_(settings), gain_scale_(gain_scale) {
    set_num_residuals(static_cast<int>(press.force_N.size()));
    mutable_parameter_block_sizes()->push_back(1);
    mutable_parameter_block_sizes()->push_back(1);
  }

  bool Evaluate(double const* const* parameters, double* residuals,
                double** jacobians) const override {
    const Residual residual(settings_, parameters[0][0], parameters[1][0] * gain_scale_);
    for (std::size_t i = 0; i < press_.force_N.size(); ++i) {
      const auto term = residual(press_.force_N[i], press_.counts[i], press_.offset_counts);
      residuals[i] = term.r;
      if (!jacobians) continue;
      if (jacobians[0]) jacobians[0][i] = term.d_threshold;
      if (jacobians[1]) jacobians[1][i] = term.d_gain * gain_scale_;
    }
    return true;
  }

 private:
  const ResponsePress& press_;
  const AffineSettings& settings_;
  double gain_scale_;
};

/// Line through what clearly rises and isn't cut: chosen by counts, which is good enough to start.
StructuralLine start_line(std::span<const ResponsePress> presses, const AffineSettings& settings) {
  std::vector<std::pair<double, double>> samples;  // force, counts
  double top = 0;
  for (const auto& press : presses)
    for (const double c : press.counts) top = std::max(top, c - press.offset_counts);
  const double low = std::max(5 * settings.sigma_counts, 0.1 * top);
  for (const auto& press : presses) {
    const double high = settings.ceiling == Clip::kNone
                            ? top
                            : 0.95 * (settings.saturation_counts - press.offset_counts);
    for (std::size_t i = 0; i < press.counts.size(); ++i) {
      const double c = press.counts[i] - press.offset_counts;
      const bool below = settings.floor != Clip::kNone && c < low;
      if (!below && c <= high) samples.emplace_back(press.force_N[i], c);
    }
  }
  // In the order of force: of many samples only pairs half the list apart are taken, which in the
  // order of time are equal forces of two presses.
  std::sort(samples.begin(), samples.end());
  std::vector<double> force, counts;
  for (const auto& [f, c] : samples) {
    force.push_back(f);
    counts.push_back(c);
  }
  if (force.size() < 2) return {};
  return fit_line_theil_sen(force, counts);
}

/// Step from the pooled fit to this press's own; the threshold stays where `hold` says so or where
/// the press alone determines only one of the two.
Eigen::Vector2d own_step(const PressEvidence& press, bool hold) {
  const auto& a = press.information;
  const bool separate = a.determinant() > 1e-6 * a(0, 0) * a(1, 1);
  if (!hold && separate) return a.ldlt().solve(press.score);
  return {0, a(1, 1) > 0 ? press.score(1) / a(1, 1) : 0};
}

PressEvidence evidence_of(const ResponsePress& press, const AffineSettings& settings,
                          const AffineFit& fit, std::vector<double>& line_residuals) {
  PressEvidence evidence;
  const Residual residual(settings, fit.threshold_N, fit.gain_N_per_count);
  const auto n = static_cast<Eigen::Index>(press.force_N.size());
  Eigen::MatrixXd jacobian(n, 2);
  Eigen::VectorXd r(n);
  std::vector<Eigen::Index> on_line;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const auto term = residual(press.force_N[row], press.counts[row], press.offset_counts);
    r(i) = term.r;
    jacobian(i, 0) = term.d_threshold;
    jacobian(i, 1) = term.d_gain;
    if (term.on_line) on_line.push_back(i);
  }
  evidence.on_line = static_cast<int>(on_line.size());
  evidence.chi2 = r.squaredNorm();
  evidence.information = jacobian.transpose() * jacobian;
  evidence.score = -(jacobian.transpose() * r);
  for (const auto i : on_line) line_residuals.push_back(r(i));
  if (n == 0) return evidence;
  r += jacobian * own_step(evidence, fit.threshold_at_zero || fit.threshold_at_top);
  evidence.own_chi2 = r.squaredNorm();
  // J^T S J = A C A with C the Newey-West covariance A^-1 (J^T S J) A^-1 of this press alone.
  const std::span<const double> own(r.data(), static_cast<std::size_t>(n));
  const auto lag = static_cast<std::size_t>(std::clamp(5 * correlation_length(lag1(own)), 1.0,
                                                       std::max(1.0, static_cast<double>(n) / 4)));
  const Eigen::MatrixXd alone = newey_west(jacobian, own, lag);
  if (alone.allFinite()) evidence.serial = evidence.information * alone * evidence.information;
  return evidence;
}

}  // namespace

Eigen::Matrix2d AffineFit::information() const {
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (const auto& press : presses) sum += press.information;
  return sum;
}

bool force_noise_matters(double sigma_force_N, double sigma_counts, double gain_N_per_count) {
  return sigma_force_N >= sigma_counts * gain_N_per_count / 5;
}

std::vector<double> affine_residuals(const ResponsePress& press, const AffineSettings& settings,
                                     double threshold_N, double gain_N_per_count) {
  const Residual residual(settings, threshold_N, gain_N_per_count);
  std::vector<double> residuals(press.force_N.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = residual(press.force_N[i], press.counts[i], press.offset_counts).r;
  return residuals;
}

Result<AffineFit> fit_affine(std::span<const ResponsePress> presses, const AffineSettings& settings,
                             const Job& job) {
  const auto line = start_line(presses, settings);
  if (!(line.slope > 0))
    return fail(ErrorCode::kUnidentifiable, "the readings do not rise with the force");
  const double gain_scale = 1 / line.slope;
  double threshold = -line.intercept / line.slope;
  if (settings.floor != Clip::kNone)
    threshold = std::clamp(threshold, 0.0, settings.max_threshold_N);
  double gain = 1;
  ceres::Problem problem;
  for (const auto& press : presses)
    if (!press.force_N.empty())
      problem.AddResidualBlock(new AffineCost(press, settings, gain_scale), nullptr, &threshold,
                               &gain);
  problem.SetParameterLowerBound(&gain, 0, 1e-4);
  if (settings.floor != Clip::kNone) {
    problem.SetParameterLowerBound(&threshold, 0, 0);
    problem.SetParameterUpperBound(&threshold, 0, settings.max_threshold_N);
  }
  const auto solution = solve(problem, job);
  if (!solution) return fail(solution.error());
  AffineFit fit;
  fit.threshold_N = threshold;
  fit.gain_N_per_count = gain * gain_scale;
  if (settings.floor != Clip::kNone) {
    const double margin = 1e-9 * settings.max_threshold_N;
    fit.threshold_at_zero = threshold <= margin;
    fit.threshold_at_top = threshold >= settings.max_threshold_N - margin;
  }
  fit.iterations = solution->iterations;
  std::vector<double> line_residuals;
  for (const auto& press : presses) {
    fit.presses.push_back(evidence_of(press, settings, fit, line_residuals));
    fit.cost += 0.5 * fit.presses.back().chi2;
    fit.on_line += fit.presses.back().on_line;
    fit.samples += static_cast<int>(press.force_N.size());
  }
  fit.runs_p = runs_test(line_residuals).p;
  return fit;
}

LineResponse response_from(const LineFit& line) {
  const double s = line.slope;
  const double a = line.intercept;
  LineResponse response;
  response.gain_N_per_count = 1 / s;
  response.threshold_N = -a / s;
  response.u_gain_N_per_count = line.u_slope / (s * s);
  const double variance = std::pow(line.u_intercept / s, 2) +
                          std::pow(a * line.u_slope / (s * s), 2) -
                          2 * a * line.covariance / (s * s * s);
  response.u_threshold_N = std::sqrt(std::max(0.0, variance));
  return response;
}

}  // namespace tactelier
