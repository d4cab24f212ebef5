#include "fitting/response/dead_zone.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "fitting/response/response_uncertainty.hpp"

namespace tactelier {
namespace {

constexpr double kShown = 5;  // standard errors; neighbouring readings are alike, so not two

/// As if it could lie on either side of 0.
Estimate free_threshold(TactelFit fit, const ReportSettings& settings, const Job& job) {
  fit.fit.threshold_at_zero = false;
  const auto uncertainty = response_uncertainty(fit, settings, job);
  return {fit.fit.threshold_N, std::sqrt(std::max(0.0, uncertainty.covariance(0, 0))),
          uncertainty.threshold_dof};
}

}  // namespace

bool shows_dead_zone(const TactelFit& fit) {
  if (fit.fit.threshold_at_zero) return false;
  const Eigen::Matrix2d information = fit.fit.information();
  const double determinant = information.determinant();
  if (!(determinant > 0)) return false;
  const double scale = std::max(1.0, 2 * fit.fit.cost / fit.dof());
  return fit.fit.threshold_N > kShown * std::sqrt(scale * information(1, 1) / determinant);
}

TactelFit without_dead_zone(TactelFit fit) {
  const Eigen::Matrix2d information = fit.fit.information();
  if (information(1, 1) > 0)
    fit.fit.gain_N_per_count += information(0, 1) / information(1, 1) * fit.fit.threshold_N;
  fit.fit.threshold_N = 0;
  fit.fit.threshold_at_zero = true;
  return fit;
}

Parameter hidden_threshold(const TactelFit& fit, const ReportSettings& settings,
                           std::span<const Component> systematic, const Job& job) {
  return not_seen(free_threshold(fit, settings, job), "N", "response", systematic);
}

RestOfLine rest_of_line(const TactelFit& fit, const Eigen::Matrix2d& covariance, double dof) {
  const double gain = fit.fit.gain_N_per_count;
  const double offset_counts = -fit.fit.threshold_N / gain;
  RestOfLine rest;
  Eigen::Matrix2d by = Eigen::Matrix2d::Identity();
  by(0, 1) = offset_counts;
  rest.covariance = by * covariance * by.transpose();
  const double u_N = std::sqrt(std::max(0.0, rest.covariance(0, 0)));
  rest.offset = {offset_counts, u_N / gain, dof};
  rest.threshold = {0, u_N, dof};
  return rest;
}

}  // namespace tactelier
