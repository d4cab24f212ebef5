#include "fitting/friction/stribeck_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fitting/statistics/criteria.hpp"
#include "fitting/statistics/scalar_minimum.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kGrid = 60;  // over the range of log v_s
constexpr double kSimpler = 2;
constexpr double kAtBound = 1e-3;  // of log v_s

struct Linear {
  VectorXd coefficients;
  double chi2 = 0;
};

class Points {
 public:
  Points(std::span<const SlidePoint> points, SlidingModel model) : points_(points), model_(model) {
    for (const auto& point : points) {
      offsets_ = std::max(offsets_, static_cast<Index>(point.offset + 1));
      least_ = std::min(least_, std::abs(point.velocity_m_per_s));
      most_ = std::max(most_, std::abs(point.velocity_m_per_s));
    }
  }

  /// mu_s, [drop, c_t] or [c_t], offsets: whitened.
  MatrixXd design(double log_v_s) const {
    MatrixXd matrix = MatrixXd::Zero(static_cast<Index>(points_.size()), own() + offsets_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto& p = points_[i];
      const auto row = static_cast<Index>(i);
      const double weight = 1 / p.u_N;
      const double grip = std::copysign(p.normal_N, p.velocity_m_per_s) * weight;
      matrix(row, 0) = grip;
      Index column = 1;
      if (model_ == SlidingModel::kStribeck)
        matrix(row, column++) = grip * std::expm1(-squared_ratio(p, log_v_s));
      if (model_ != SlidingModel::kCoulomb)
        matrix(row, column++) = p.load_ratio * p.velocity_m_per_s * weight;
      if (p.offset >= 0) matrix(row, own() + p.offset) = weight;
    }
    return matrix;
  }

  Linear solve(double log_v_s) const {
    const MatrixXd matrix = design(log_v_s);
    VectorXd target(matrix.rows());
    for (Index i = 0; i < target.size(); ++i) {
      const auto& p = points_[static_cast<std::size_t>(i)];
      target[i] = p.friction_N / p.u_N;
    }
    Linear result;
    result.coefficients = matrix.colPivHouseholderQr().solve(target);
    result.chi2 = (matrix * result.coefficients - target).squaredNorm();
    return result;
  }

  double lowest() const { return std::log(least_ / 3); }
  double highest() const { return std::log(3 * most_); }
  double best_log_v_s() const {
    return minimize_on_grid([&](double x) { return solve(x).chi2; }, lowest(), highest(), kGrid,
                            1e-10)
        .x;
  }

  /// Columns mu_s, drop, log v_s, c_t, offsets.
  MatrixXd jacobian(double log_v_s, double drop) const {
    const MatrixXd linear = design(log_v_s);
    if (model_ != SlidingModel::kStribeck) return linear;
    MatrixXd full(linear.rows(), linear.cols() + 1);
    full.leftCols(2) = linear.leftCols(2);
    full.rightCols(linear.cols() - 2) = linear.rightCols(linear.cols() - 2);
    for (Index i = 0; i < full.rows(); ++i) {
      const auto& p = points_[static_cast<std::size_t>(i)];
      const double square = squared_ratio(p, log_v_s);
      full(i, 2) = linear(i, 0) * drop * 2 * square * std::exp(-square);
    }
    return full;
  }

  Index own() const {
    return model_ == SlidingModel::kStribeck ? 3 : model_ == SlidingModel::kViscous ? 2 : 1;
  }
  Index offsets() const { return offsets_; }

 private:
  static double squared_ratio(const SlidePoint& p, double log_v_s) {
    const double ratio = p.velocity_m_per_s / std::exp(log_v_s);
    return ratio * ratio;
  }

  std::span<const SlidePoint> points_;
  SlidingModel model_;
  Index offsets_ = 0;
  double least_ = HUGE_VAL;
  double most_ = 0;
};

std::size_t parameters_of(SlidingModel model) {
  return model == SlidingModel::kStribeck ? 4 : model == SlidingModel::kViscous ? 2 : 1;
}

}  // namespace

std::string_view to_string(SlidingModel model) {
  switch (model) {
    case SlidingModel::kCoulomb:
      return "Coulomb";
    case SlidingModel::kViscous:
      return "Coulomb and viscous";
    default:
      return "Stribeck";
  }
}

Result<StribeckFit> fit_sliding(std::span<const SlidePoint> points, SlidingModel model) {
  const Points data(points, model);
  const auto needed = static_cast<Index>(parameters_of(model)) + data.offsets();
  if (static_cast<Index>(points.size()) <= needed)
    return fail(ErrorCode::kUnidentifiable, "{} runs, a {} fit needs {}", points.size(),
                to_string(model), needed + 1);
  const bool drops = model == SlidingModel::kStribeck;
  const double log_v_s = drops ? data.best_log_v_s() : 0;
  const auto linear = data.solve(log_v_s);
  StribeckFit fit;
  fit.model = model;
  fit.mu_s = linear.coefficients[0];
  fit.drop = drops ? linear.coefficients[1] : 0;
  fit.v_s_m_per_s = drops ? std::exp(log_v_s) : 0;
  fit.at_bound =
      drops && (log_v_s < data.lowest() + kAtBound || log_v_s > data.highest() - kAtBound);
  fit.c_t = model == SlidingModel::kCoulomb ? 0 : linear.coefficients[drops ? 2 : 1];
  for (Index i = 0; i < data.offsets(); ++i)
    fit.offsets_N.push_back(linear.coefficients[data.own() + i]);
  fit.chi2 = linear.chi2;
  fit.dof = static_cast<double>(points.size()) - static_cast<double>(needed);
  const MatrixXd jacobian = data.jacobian(log_v_s, fit.drop);
  fit.condition = condition(jacobian);
  const MatrixXd covariance = covariance_from(jacobian);
  const auto shown = static_cast<Index>(parameters_of(model));
  if (covariance.size() > 0) fit.covariance = covariance.topLeftCorner(shown, shown);
  return fit;
}

SlidingModel choose_sliding(std::span<const SlidePoint> points) {
  auto best = SlidingModel::kCoulomb;
  std::optional<Criteria> of_best;
  for (const auto model :
       {SlidingModel::kCoulomb, SlidingModel::kViscous, SlidingModel::kStribeck}) {
    const auto fit = fit_sliding(points, model);
    if (!fit) continue;
    const auto found = criteria(fit->chi2, points.size() - static_cast<std::size_t>(fit->dof),
                                static_cast<double>(points.size()));
    if (of_best && !(found.bic < of_best->bic && found.aicc < of_best->aicc - kSimpler) &&
        !(found.bic < of_best->bic - kSimpler))
      continue;
    best = model;
    of_best = found;
  }
  return best;
}

}  // namespace tactelier
