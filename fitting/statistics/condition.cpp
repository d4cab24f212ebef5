#include "fitting/statistics/condition.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tactelier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double ratio(const Eigen::VectorXd& singular) {
  const double smallest = singular[singular.size() - 1];
  return smallest > 0 ? singular[0] / smallest : kInfinity;
}

/// Columns divided by their norms; a zero column stays zero.
Eigen::MatrixXd scaled_by(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& norms) {
  Eigen::MatrixXd scaled = jacobian;
  for (Eigen::Index j = 0; j < scaled.cols(); ++j)
    if (norms[j] > 0) scaled.col(j) /= norms[j];
  return scaled;
}

/// Below this share of the largest singular value only rounding is left.
double rank_tolerance(Eigen::Index rows, Eigen::Index columns) {
  return std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(rows, columns));
}

struct Decomposed {
  Eigen::VectorXd singular;  // falling
  Eigen::MatrixXd v;         // empty where only singular values were asked for
};

template <class Svd>
Decomposed decomposed_by(const Eigen::MatrixXd& matrix, unsigned what) {
  const Svd svd(matrix, what);
  return {svd.singularValues(), what == 0 ? Eigen::MatrixXd() : Eigen::MatrixXd(svd.matrixV())};
}

/// Rotations tell small singular values best; of a thousand columns they take minutes.
constexpr Eigen::Index kManyColumns = 300;

/// Wide matrices (fewer residuals than parameters) get rows of zeros, so that V is p x p.
Decomposed decompose(const Eigen::MatrixXd& matrix, unsigned what) {
  if (matrix.cols() > matrix.rows()) {
    Eigen::MatrixXd square = Eigen::MatrixXd::Zero(matrix.cols(), matrix.cols());
    square.topRows(matrix.rows()) = matrix;
    return decompose(square, what);
  }
  return matrix.cols() > kManyColumns
             ? decomposed_by<Eigen::BDCSVD<Eigen::MatrixXd>>(matrix, what)
             : decomposed_by<Eigen::JacobiSVD<Eigen::MatrixXd>>(matrix, what);
}

/// J = U S V^T D with D = diag(norms): (J^T J)^-1 = D^-1 V S^-2 V^T D^-1.
Eigen::MatrixXd inverse_of_square(const Eigen::VectorXd& norms, const Eigen::MatrixXd& v,
                                  const Eigen::VectorXd& singular) {
  const Eigen::MatrixXd half =
      norms.cwiseInverse().asDiagonal() * v * singular.cwiseInverse().asDiagonal();
  return half * half.transpose();
}

void name_weakest(Condition& result) {
  const Eigen::VectorXd weakest = result.directions.col(result.directions.cols() - 1).cwiseAbs();
  std::vector<std::size_t> order(static_cast<std::size_t>(weakest.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return weakest[static_cast<Eigen::Index>(a)] > weakest[static_cast<Eigen::Index>(b)];
  });
  result.first = order.front();
  result.second = order.size() > 1 ? order[1] : order.front();
}

}  // namespace

double Condition::share_in_weak(std::size_t parameter, double limit) const {
  double share = 0;
  for (Eigen::Index k = 0; k < singular.size(); ++k)
    if (!(singular[k] * limit >= singular[0]))
      share = std::max(share, std::abs(directions(static_cast<Eigen::Index>(parameter), k)));
  return share;
}

Condition condition(const Eigen::MatrixXd& jacobian) {
  return condition_of_root(jacobian, jacobian.rows());
}

Condition condition_of_root(const Eigen::MatrixXd& jacobian, Eigen::Index rows) {
  assert(jacobian.cols() >= 1);
  Condition result;
  result.norms = jacobian.colwise().norm();
  const auto svd = decompose(scaled_by(jacobian, result.norms), Eigen::ComputeThinV);
  result.singular = svd.singular;
  result.directions = svd.v;
  const double floor = rank_tolerance(rows, jacobian.cols()) * result.singular[0];
  for (auto& value : result.singular)
    if (!(value > floor)) value = 0;
  result.number = ratio(result.singular);
  result.raw = ratio(decompose(jacobian, 0).singular);

  name_weakest(result);
  return result;
}

Condition condition_of_information(const Eigen::MatrixXd& information) {
  assert(information.cols() >= 1);
  Condition result;
  result.norms = information.diagonal().cwiseMax(0).cwiseSqrt();
  const Eigen::VectorXd units =
      result.norms.unaryExpr([](double norm) { return norm > 0 ? norm : 1.0; });
  const Eigen::MatrixXd scaled =
      units.cwiseInverse().asDiagonal() * information * units.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  result.singular = solver.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
  result.directions = solver.eigenvectors().rowwise().reverse();
  const double floor = std::sqrt(rank_tolerance(scaled.rows(), scaled.cols())) * result.singular[0];
  for (auto& value : result.singular)
    if (!(value > floor)) value = 0;
  result.number = ratio(result.singular);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> raw(information, Eigen::EigenvaluesOnly);
  result.raw = ratio(raw.eigenvalues().reverse().cwiseMax(0).cwiseSqrt());
  name_weakest(result);
  return result;
}

Eigen::MatrixXd covariance_from(const Eigen::MatrixXd& jacobian) {
  const Eigen::VectorXd norms = jacobian.colwise().norm();
  const auto svd = decompose(scaled_by(jacobian, norms), Eigen::ComputeThinV);
  const auto& singular = svd.singular;
  if (!(singular[singular.size() - 1] >
        rank_tolerance(jacobian.rows(), jacobian.cols()) * singular[0]))
    return {};
  return inverse_of_square(norms, svd.v, singular);
}

Eigen::MatrixXd covariance_from(const Condition& condition) {
  if (!(condition.singular[condition.singular.size() - 1] > 0)) return {};
  return inverse_of_square(condition.norms, condition.directions, condition.singular);
}

}  // namespace tactelier
