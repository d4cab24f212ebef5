#include "fitting/damping/damping_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kRounds = 20;  // of hardening in the damping's own column
constexpr double kSettled = 1e-12;
constexpr double kSettled_m = 1e-15;

struct Layout {
  Index hardening = -1, damping = -1, hysteresis = -1, offsets = -1;
  Index columns = 1;

  Layout(RateModel model, const RateTerms& terms, std::size_t presses) {
    if (terms.hardening) hardening = columns++;
    if (model != RateModel::kElastic) damping = columns++;
    if (terms.hysteresis) hysteresis = columns++;
    if (terms.offsets) {
      offsets = columns;
      columns += static_cast<Index>(presses);
    }
  }
};

/// What is inside the columns of damping and hysteresis, from round to round.
struct Inside {
  double hardening = 0;         // b
  std::vector<double> shift_m;  // by press: its force of its own is a contact point that is off
};

/// Whitened.
MatrixXd design(std::span<const RateRow> rows, RateModel model, const Layout& at,
                const Inside& inside) {
  const double b = inside.hardening;
  MatrixXd matrix = MatrixXd::Zero(static_cast<Index>(rows.size()), at.columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    const auto r = static_cast<Index>(i);
    const double weight = 1 / row.sigma_N;
    const double depth = row.depth_m;
    const double felt_m = depth + (inside.shift_m.empty() ? 0 : inside.shift_m[row.press]);
    const double elastic_m = felt_m + b * depth * depth;
    matrix(r, 0) = (depth + row.branches_m) * weight;
    if (at.hardening >= 0) matrix(r, at.hardening) = (depth * depth + row.branches_m2) * weight;
    if (model == RateModel::kKelvinVoigt)
      matrix(r, at.damping) = (1 + 2 * b * depth) * row.velocity_m_per_s * weight;
    if (model == RateModel::kHuntCrossley)
      matrix(r, at.damping) = elastic_m * row.velocity_m_per_s * weight;
    if (at.hysteresis >= 0)
      matrix(r, at.hysteresis) = std::copysign(elastic_m, row.velocity_m_per_s) * weight;
    if (at.offsets >= 0) matrix(r, at.offsets + static_cast<Index>(row.press)) = weight;
  }
  return matrix;
}

Inside inside_of(const VectorXd& solution, const Layout& at, std::size_t presses) {
  Inside next;
  if (at.hardening >= 0) next.hardening = solution[at.hardening] / solution[0];
  if (at.offsets >= 0)
    for (std::size_t p = 0; p < presses; ++p)
      next.shift_m.push_back(solution[at.offsets + static_cast<Index>(p)] / solution[0]);
  return next;
}

bool settled(const Inside& before, const Inside& after) {
  if (before.shift_m.size() != after.shift_m.size()) return false;
  double most_m = 0;
  for (std::size_t p = 0; p < after.shift_m.size(); ++p)
    most_m = std::max(most_m, std::abs(after.shift_m[p] - before.shift_m[p]));
  return most_m <= kSettled_m && std::abs(after.hardening - before.hardening) <=
                                     kSettled * std::max(1.0, std::abs(after.hardening));
}

}  // namespace

Result<RateFit> fit_rate(std::span<const RateRow> rows, RateModel model, const RateTerms& terms) {
  std::size_t presses = 0;
  for (const auto& row : rows) presses = std::max(presses, row.press + 1);
  const Layout at(model, terms, presses);
  if (static_cast<Index>(rows.size()) <= at.columns)
    return fail(ErrorCode::kUnidentifiable, "{} readings, {} needed", rows.size(), at.columns + 1);
  VectorXd target(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    target[static_cast<Index>(i)] = rows[i].force_N / rows[i].sigma_N;
  Inside inside;
  MatrixXd matrix;
  MatrixXd root;  // its products of columns are the matrix's
  VectorXd solution;
  for (int round = 0; round < kRounds; ++round) {
    matrix = design(rows, model, at, inside);
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(matrix);
    solution = qr.solve(target);
    root = MatrixXd(qr.matrixR().topRows(at.columns).triangularView<Eigen::Upper>()) *
           qr.colsPermutation().transpose();
    const Inside next = inside_of(solution, at, presses);
    const bool done = settled(inside, next);
    inside = next;
    if (done) break;
  }
  RateFit fit;
  fit.model = model;
  fit.condition = condition_of_root(root, matrix.rows());
  const MatrixXd covariance = covariance_from(fit.condition);
  if (covariance.size() == 0 || !(solution[0] > 0))
    return fail(ErrorCode::kUnidentifiable, "the presses do not separate stiffness from damping");
  fit.k = solution[0];
  fit.u_k = std::sqrt(covariance(0, 0));
  fit.hardening = inside.hardening;
  if (at.hysteresis >= 0) fit.hysteresis = solution[at.hysteresis] / fit.k;
  if (model == RateModel::kKelvinVoigt) {
    fit.damping = solution[at.damping];
    fit.u_damping = std::sqrt(covariance(at.damping, at.damping));
  }
  if (model == RateModel::kHuntCrossley) {
    fit.damping = solution[at.damping] / fit.k;
    const double square = covariance(at.damping, at.damping) +
                          fit.damping * fit.damping * covariance(0, 0) -
                          2 * fit.damping * covariance(0, at.damping);
    fit.u_damping = std::sqrt(square) / fit.k;
  }
  if (at.offsets >= 0)
    fit.own_N.assign(solution.data() + at.offsets, solution.data() + solution.size());
  const VectorXd residual = matrix * solution - target;
  fit.chi2 = residual.squaredNorm();
  fit.residuals.assign(residual.data(), residual.data() + residual.size());
  fit.dof = static_cast<double>(rows.size()) - static_cast<double>(at.columns);
  return fit;
}

}  // namespace tactelier
