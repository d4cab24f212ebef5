#include "fitting/friction/lugre_uncertainty.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMaxCondition = 1e7;
constexpr double kClearlyWider = 1.2;
constexpr double kMinLeft = 1e-2;  // of a direction that other traces show too

VectorXd column_scale(const MatrixXd& matrix) {
  return matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
}

/// The fit follows a trace that weighs much, and its residuals shrink: its score as large as it
/// would be if all were alike (Bell and McCaffrey 2002). `root` is that of the whole matrix.
VectorXd as_if_not_fitted(const MatrixXd& own, const VectorXd& score,
                          const Eigen::LLT<MatrixXd>& root) {
  const MatrixXd half = root.matrixL().solve(own);
  const MatrixXd share = root.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(share);
  const VectorXd stretch =
      (1 - eigen.eigenvalues().array()).max(kMinLeft).sqrt().inverse().matrix();
  const VectorXd turned = eigen.eigenvectors().transpose() * root.matrixL().solve(score);
  return root.matrixL() * (eigen.eigenvectors() * stretch.cwiseProduct(turned));
}

/// B of the sandwich from within the traces: serial correlation and blocks.
MatrixXd within_traces(const LugreGather& gather, const std::vector<TraceSums>& sums,
                       const LugreFit& fit) {
  double blocked = 0, in_blocks = 0;
  for (const auto& sum : sums) {
    blocked += sum.blocked;
    in_blocks += sum.in_blocks;
  }
  // Of all traces together: one alone has few blocks.
  const double of_blocks = in_blocks > 0 ? blocked / in_blocks : 1;
  auto serial = gather.empty();
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double inflation = serial_inflation(std::min(sums[k].lag1(), 0.9999));
    gather.add(k, sums[k], serial, fit.trace_chi2[k] * std::max(inflation * inflation, of_blocks));
  }
  gather.hold(serial);
  return serial.matrix;
}

/// B of the sandwich from the traces' scores.
MatrixXd between_traces(const LugreGather& gather, const std::vector<TraceSums>& sums,
                        const VectorXd& scale, const Eigen::LLT<MatrixXd>& root) {
  MatrixXd between = MatrixXd::Zero(gather.size(), gather.size());
  for (std::size_t k = 0; k < sums.size(); ++k) {
    auto one = gather.empty();
    gather.add(k, sums[k], one);
    gather.hold(one);
    const VectorXd score = as_if_not_fitted(scale.asDiagonal() * one.matrix * scale.asDiagonal(),
                                            scale.asDiagonal() * one.gradient, root);
    const VectorXd whole = scale.cwiseInverse().asDiagonal() * score;
    between += whole * whole.transpose();
  }
  return between;
}

/// Friction of the model goes with all parameters but v_s: what a trace's force does when they all
/// grow by one and the same share.
VectorXd all_larger(const LugreGather& gather, const LugreFit& fit) {
  VectorXd direction = VectorXd::Zero(gather.size());
  if (!gather.problem().hold_bristles)
    direction[kLugreSigma0] = direction[kLugreSigma1] = 1;  // logarithms
  for (const auto i : {kLugreViscous, kLugreStatic, kLugreDynamic}) direction[i] = fit.values[i];
  return direction;
}

/// B of the sandwich as if each trace were off by a share of its friction, and the shares of all
/// traces were of one scatter: where few traces say what a parameter is, theirs alone says little
/// of how they scatter.
MatrixXd pooled_traces(const LugreGather& gather, const std::vector<TraceSums>& sums,
                       const LugreFit& fit, const VectorXd& scale,
                       const Eigen::LLT<MatrixXd>& root) {
  const VectorXd larger = all_larger(gather, fit);
  MatrixXd pooled = MatrixXd::Zero(gather.size(), gather.size());
  double squares = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    auto one = gather.empty();
    gather.add(k, sums[k], one);
    gather.hold(one);
    const VectorXd score = as_if_not_fitted(scale.asDiagonal() * one.matrix * scale.asDiagonal(),
                                            scale.asDiagonal() * one.gradient, root);
    const VectorXd moved = one.matrix * larger;
    const double weight = larger.dot(moved);
    if (!(weight > 0)) continue;
    const double share = larger.dot(scale.cwiseInverse().cwiseProduct(score)) / weight;
    squares += share * share;
    pooled += moved * moved.transpose();
  }
  return squares / static_cast<double>(sums.size()) * pooled;
}

}  // namespace

Condition lugre_condition(const LugreNormal& normal) {
  const VectorXd scale = column_scale(normal.matrix);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * normal.matrix *
                                                      scale.asDiagonal());
  Condition result;
  result.singular = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
  result.directions = eigen.eigenvectors().rowwise().reverse();
  const double least = result.singular[result.singular.size() - 1];
  result.number = least > 0 ? result.singular[0] / least : HUGE_VAL;
  const VectorXd weakest = result.directions.rightCols(1).cwiseAbs();
  std::vector<Index> order(static_cast<std::size_t>(weakest.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return weakest[a] > weakest[b]; });
  result.first = static_cast<std::size_t>(order[0]);
  result.second = static_cast<std::size_t>(order.size() > 1 ? order[1] : order[0]);
  return result;
}

void add_uncertainty(const LugreGather& gather, const std::vector<TraceSums>& sums,
                     const LugreNormal& normal, LugreFit& fit) {
  if (!(fit.condition.number < kMaxCondition)) return;
  const VectorXd scale = column_scale(normal.matrix);
  const MatrixXd scaled = scale.asDiagonal() * normal.matrix * scale.asDiagonal();
  const auto size = gather.size();
  const MatrixXd inverse =
      scale.asDiagonal() * scaled.ldlt().solve(MatrixXd::Identity(size, size)) * scale.asDiagonal();
  const MatrixXd within = (inverse * within_traces(gather, sums, fit) * inverse)
                              .topLeftCorner(kLugreColumns, kLugreColumns);
  fit.covariance = within;
  // Without oscillations both bristle parameters stay where they are.
  const std::size_t unknowns = kLugreSize - (gather.problem().hold_bristles ? 2 : 0);
  if (sums.size() <= unknowns + 1) return;
  const Eigen::LLT<MatrixXd> root(scaled);
  const auto spread = [&](const MatrixXd& between) -> VectorXd {
    return (inverse * between * inverse).diagonal().head(kLugreColumns);
  };
  const VectorXd widest = spread(between_traces(gather, sums, scale, root))
                              .cwiseMax(spread(pooled_traces(gather, sums, fit, scale, root)))
                              .cwiseMax(within.diagonal());
  const VectorXd wider = widest.cwiseQuotient(within.diagonal()).cwiseSqrt();
  if ((wider.array() > kClearlyWider).any()) fit.dof = static_cast<double>(sums.size() - unknowns);
  fit.covariance = wider.asDiagonal() * within * wider.asDiagonal();
}

MatrixXd clustered_covariance(const MatrixXd& matrix, const std::vector<Cluster>& clusters,
                              const MatrixXd& known, double variance) {
  const VectorXd scale = column_scale(matrix);
  const auto scaled = [&](const MatrixXd& m) -> MatrixXd {
    return scale.asDiagonal() * m * scale.asDiagonal();
  };
  const MatrixXd whole = scaled(matrix);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(whole);
  const double least = eigen.eigenvalues()[0];
  if (!(least > 0) || eigen.eigenvalues().reverse()[0] > kMaxCondition * kMaxCondition * least)
    return {};
  const Eigen::LLT<MatrixXd> root(whole);
  MatrixXd between = scaled(known);
  for (const auto& cluster : clusters) {
    const VectorXd score =
        as_if_not_fitted(scaled(cluster.matrix), scale.asDiagonal() * cluster.score, root);
    between += score * score.transpose();
  }
  const MatrixXd inverse = root.solve(MatrixXd::Identity(matrix.rows(), matrix.cols()));
  const MatrixXd spread = inverse * between * inverse;
  const MatrixXd within = variance * inverse;
  const VectorXd wider = spread.diagonal().cwiseQuotient(within.diagonal()).cwiseMax(1).cwiseSqrt();
  return scaled(wider.asDiagonal() * within * wider.asDiagonal());
}

}  // namespace tactelier
