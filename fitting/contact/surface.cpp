#include "fitting/contact/surface.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/refusal.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinPoints = 4;
constexpr std::size_t kMinForDrift = 8;
constexpr double kMinSpan_s = 60;
constexpr int kRounds = 30;

struct Plane {
  Eigen::VectorXd solution;  // z0, slope in x, slope in y[, drift]
  Eigen::VectorXd weights;
  Eigen::VectorXd residuals;
};

Eigen::MatrixXd design_of(std::span<const SurfacePoint> points, double middle_s, bool drift) {
  Eigen::MatrixXd design(static_cast<Eigen::Index>(points.size()), drift ? 4 : 3);
  for (Eigen::Index i = 0; i < design.rows(); ++i) {
    const auto& point = points[static_cast<std::size_t>(i)];
    design(i, 0) = 1;
    design(i, 1) = point.x_m;
    design(i, 2) = point.y_m;
    if (drift) design(i, 3) = point.time_s - middle_s;
  }
  return design;
}

Plane solve_plane(const Eigen::MatrixXd& design, const Eigen::VectorXd& height) {
  Plane plane;
  plane.weights = Eigen::VectorXd::Ones(height.size());
  const RobustLoss huber;
  const Eigen::VectorXd norms = design.colwise().norm().transpose();
  const Eigen::MatrixXd scaled = design * norms.cwiseInverse().asDiagonal();
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd root = plane.weights.cwiseSqrt();
    plane.solution = (root.asDiagonal() * scaled)
                         .colPivHouseholderQr()
                         .solve(root.cwiseProduct(height))
                         .cwiseQuotient(norms);
    plane.residuals = height - design * plane.solution;
    const double scale =
        mad_sigma({plane.residuals.data(), static_cast<std::size_t>(plane.residuals.size())});
    if (scale <= 0) break;
    for (Eigen::Index i = 0; i < height.size(); ++i) {
      const double r = plane.residuals(i) / scale;
      plane.weights(i) = huber.weight(r * r);
    }
  }
  return plane;
}

tl::unexpected<Error> too_few_places(std::size_t points) {
  return fail(ErrorCode::kUnidentifiable,
              "ID-01 Data do not separate the surface's tilt from its height: {} contact points, "
              "not at three places off one line. Press tactels all over the array (protocol P2)",
              points);
}

}  // namespace

Result<SurfaceFit> fit_surface(std::span<const SurfacePoint> points) {
  if (points.size() < kMinPoints) return too_few_places(points.size());
  const auto [first, last] = std::minmax_element(
      points.begin(), points.end(),
      [](const SurfacePoint& a, const SurfacePoint& b) { return a.time_s < b.time_s; });
  const double middle_s = 0.5 * (first->time_s + last->time_s);
  Eigen::VectorXd height(static_cast<Eigen::Index>(points.size()));
  for (Eigen::Index i = 0; i < height.size(); ++i)
    height(i) = points[static_cast<std::size_t>(i)].height_m;
  bool drift = points.size() >= kMinForDrift && last->time_s - first->time_s >= kMinSpan_s;
  auto design = design_of(points, middle_s, drift);
  if (drift && !(condition(design).number < kConditionWarn)) {
    drift = false;
    design = design_of(points, middle_s, false);
  }
  if (!(condition(design).number < kConditionWarn)) return too_few_places(points.size());
  const auto plane = solve_plane(design, height);
  SurfaceFit fit;
  fit.points = points.size();
  fit.downweighted = static_cast<std::size_t>((plane.weights.array() < 0.5).count());
  const double n = static_cast<double>(points.size());
  const double dof = n - static_cast<double>(design.cols());
  fit.rms_m = std::sqrt(plane.residuals.squaredNorm() / n);
  if (dof < 1) return too_few_places(points.size());
  // Errors from all residuals, outliers included. Most presses may sit in one place and say nothing
  // of the slopes: a leverage-corrected sandwich (HC3) where it is the wider one.
  const Eigen::MatrixXd unit = covariance_from(design);
  const Eigen::ArrayXd leverage = (design * unit).cwiseProduct(design).rowwise().sum().array();
  const Eigen::ArrayXd corrected = plane.residuals.array() / (1 - leverage).max(0.05);
  const Eigen::MatrixXd sandwich =
      unit * (design.transpose() * corrected.square().matrix().asDiagonal() * design) * unit;
  const Eigen::MatrixXd plain = plane.residuals.squaredNorm() / dof * unit;
  const auto estimate = [&](Eigen::Index i, double sign = 1) {
    return Estimate{sign * plane.solution(i), std::sqrt(std::max(sandwich(i, i), plain(i, i))),
                    dof};
  };
  fit.z0_m = estimate(0);
  fit.tilt_y_rad = estimate(1, -1);
  fit.tilt_x_rad = estimate(2);
  if (drift) fit.drift_m_per_s = estimate(3);
  const Eigen::Vector2d slope = plane.solution.segment<2>(1);
  const double steep = slope.norm();
  const Eigen::Vector2d along = steep > 0 ? Eigen::Vector2d(slope / steep) : Eigen::Vector2d(1, 0);
  const auto variance = [&](const Eigen::MatrixXd& covariance) {
    return along.dot(covariance.block<2, 2>(1, 1) * along);
  };
  fit.tilt_rad = {std::atan(steep), std::sqrt(std::max(variance(sandwich), variance(plain))), dof};
  return fit;
}

}  // namespace tactelier
