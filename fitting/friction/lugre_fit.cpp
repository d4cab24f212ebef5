#include "fitting/friction/lugre_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fitting/friction/lugre_sums.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostIterations = 100;
constexpr double kFirstDamping = 1e-4;
constexpr double kMostDamping = 1e10;
constexpr double kStepTolerance = 1e-10;  // of a step measured in standard errors squared
constexpr double kLongestLogStep = 1.0;
constexpr double kMostFriction = 3;
constexpr double kLeastLeft = 1e-2;  // of a direction that other traces show too
constexpr Index kSix = static_cast<Index>(kLugreSize);

/// Where the search stands: logarithms where the fit uses them.
struct Point {
  VectorXd shared;  // six, then offsets
  std::vector<double> unknowns;
};

LugreValues values_of(const VectorXd& shared) {
  return {std::exp(shared[0]), std::exp(shared[1]), shared[2],
          shared[3],           shared[4],           std::exp(shared[5])};
}

/// A level g that is positive at every speed, and coefficients within the model's bounds.
bool allowed(const VectorXd& shared) {
  return shared.allFinite() && shared[3] > 0 && shared[4] > 0 && shared[3] <= kMostFriction &&
         shared[4] <= kMostFriction && shared.head(2).maxCoeff() < 30;
}

/// The normal equations with each trace's own unknown eliminated.
struct Normal {
  MatrixXd matrix;
  VectorXd gradient;
  double chi2 = 0;
};

class Search {
 public:
  Search(const LugreProblem& problem, const Job& job) : problem_(problem), job_(job) {
    size_ = kSix + static_cast<Index>(problem.offsets);
  }

  Result<LugreFit> run(const LugreValues& start) {
    Point at = first(start);
    if (!allowed(at.shared))
      return fail(ErrorCode::kUnidentifiable, "friction: no usable start of the fit");
    auto sums = pass(at, true);
    Normal normal = gather(sums);
    double damping = kFirstDamping;
    int iterations = 0;
    bool converged = false;
    while (iterations < kMostIterations && !converged && damping < kMostDamping) {
      if (job_.stopped()) return Job::cancelled();
      ++iterations;
      const VectorXd step = shared_step(normal, damping);
      const Point next = moved(at, sums, step);
      const double predicted = step.dot(normal.matrix * step);
      const double chi2 = allowed(next.shared) ? chi2_at(next) : HUGE_VAL;
      if (!(chi2 <= normal.chi2 * (1 + 1e-13))) {
        damping *= 10;
        converged = predicted < kStepTolerance * 1e-6;
        continue;
      }
      const double gained = normal.chi2 - chi2;
      at = next;
      sums = pass(at, true);
      normal = gather(sums);
      damping = std::max(1e-12, damping / 10);
      converged = predicted < kStepTolerance && gained < kStepTolerance * std::max(1.0, chi2);
    }
    return finish(at, sums, normal, iterations, converged);
  }

 private:
  Point first(const LugreValues& start) const {
    Point at;
    at.shared = VectorXd::Zero(size_);
    at.shared.head(6) << std::log(start[0]), std::log(std::max(start[1], 1e-6)), start[2], start[3],
        start[4], std::log(start[5]);
    for (const auto& trace : problem_.traces) {
      double mean_N = 0;
      const std::size_t n = std::min<std::size_t>(trace.force_N.size(), 5);
      for (std::size_t i = 0; i < n; ++i) mean_N += trace.force_N[i] / static_cast<double>(n);
      const auto here = at_load(start, trace, problem_.proportional);
      at.unknowns.push_back(trace.unknown == TraceUnknown::kStart    ? mean_N / here[kLugreSigma0]
                            : trace.unknown == TraceUnknown::kOffset ? mean_N
                                                                     : 0);
    }
    return at;
  }

  TraceState state_of(const Point& at, std::size_t k) const {
    const int offset = problem_.traces[k].offset;
    return {values_of(at.shared), offset >= 0 ? at.shared[kSix + offset] : 0, at.unknowns[k]};
  }

  std::vector<TraceSums> pass(const Point& at, bool with_slopes) const {
    std::vector<TraceSums> sums;
    sums.reserve(problem_.traces.size());
    for (std::size_t k = 0; k < problem_.traces.size(); ++k)
      sums.push_back(
          sum_trace(problem_.traces[k], state_of(at, k), problem_.proportional, with_slopes));
    return sums;
  }

  double chi2_at(const Point& at) const {
    double chi2 = 0;
    for (const auto& sums : pass(at, false)) chi2 += sums.chi2();
    return std::isfinite(chi2) ? chi2 : HUGE_VAL;
  }

  /// A trace's columns among the shared ones.
  Index column(std::size_t k, Index local) const {
    return local < kSix ? local : kSix + problem_.traces[k].offset;
  }

  bool has_unknown(std::size_t k, const TraceSums& sums) const {
    return problem_.traces[k].unknown != TraceUnknown::kNothing &&
           sums.products(kTraceUnknown, kTraceUnknown) > 0;
  }

  /// A trace's share of matrix and gradient, its own unknown eliminated (Schur complement).
  void add(std::size_t k, const TraceSums& sums, Normal& normal, double factor = 1) const {
    const auto& p = sums.products;
    const bool own = has_unknown(k, sums);
    const double left = own ? 1 / p(kTraceUnknown, kTraceUnknown) : 0;
    const Index columns = problem_.traces[k].offset >= 0 ? kTraceOffset + 1 : kTraceOffset;
    for (Index i = 0; i < columns; ++i) {
      const double taken = own ? p(i, kTraceUnknown) * left : 0;
      normal.gradient[column(k, i)] +=
          factor * (p(i, kTraceResidual) - taken * p(kTraceUnknown, kTraceResidual));
      for (Index j = 0; j < columns; ++j)
        normal.matrix(column(k, i), column(k, j)) +=
            factor * (p(i, j) - taken * p(kTraceUnknown, j));
    }
    normal.chi2 += sums.chi2();
  }

  Normal empty() const { return {MatrixXd::Zero(size_, size_), VectorXd::Zero(size_), 0}; }

  Normal gather(const std::vector<TraceSums>& sums) const {
    Normal normal = empty();
    for (std::size_t k = 0; k < sums.size(); ++k) add(k, sums[k], normal);
    if (problem_.hold_bristles) hold(normal);
    return normal;
  }

  static void hold(Normal& normal) {
    for (const Index i : {Index{0}, Index{1}}) {
      normal.matrix.row(i).setZero();
      normal.matrix.col(i).setZero();
      normal.matrix(i, i) = 1;
      normal.gradient[i] = 0;
    }
  }

  /// Marquardt's step: the diagonal is what its columns weigh, so that units don't matter.
  VectorXd shared_step(const Normal& normal, double damping) const {
    const VectorXd scale = normal.matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    MatrixXd scaled = scale.asDiagonal() * normal.matrix * scale.asDiagonal();
    scaled.diagonal().array() += damping;
    VectorXd step =
        -(scale.asDiagonal() * scaled.ldlt().solve(scale.asDiagonal() * normal.gradient));
    for (const Index i : {Index{0}, Index{1}, Index{5}})
      step[i] = std::clamp(step[i], -kLongestLogStep, kLongestLogStep);
    return step;
  }

  Point moved(const Point& at, const std::vector<TraceSums>& sums, const VectorXd& step) const {
    Point next{at.shared + step, at.unknowns};
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (!has_unknown(k, sums[k])) continue;
      const auto& p = sums[k].products;
      double slope = p(kTraceUnknown, kTraceResidual);
      const Index columns = problem_.traces[k].offset >= 0 ? kTraceOffset + 1 : kTraceOffset;
      for (Index i = 0; i < columns; ++i) slope += p(kTraceUnknown, i) * step[column(k, i)];
      next.unknowns[k] -= slope / p(kTraceUnknown, kTraceUnknown);
    }
    return next;
  }

  LugreFit finish(const Point& at, const std::vector<TraceSums>& sums, const Normal& normal,
                  int iterations, bool converged) const {
    LugreFit fit;
    fit.values = values_of(at.shared);
    fit.offsets_N.assign(at.shared.data() + kSix, at.shared.data() + size_);
    fit.unknowns = at.unknowns;
    fit.chi2 = normal.chi2;
    fit.iterations = iterations;
    fit.converged = converged;
    for (const auto& sum : sums) {
      fit.samples += sum.count;
      fit.trace_chi2.push_back(sum.chi2() / std::max(1.0, sum.count));
      fit.trace_lag1.push_back(sum.lag1());
    }
    fit.dof = fit.samples - static_cast<double>(size_);
    fit.condition = condition_of(normal.matrix);
    fit.covariance = covariance(sums, normal, fit);
    return fit;
  }

  /// Singular values of the column-scaled Jacobian from its normal matrix.
  static Condition condition_of(const MatrixXd& matrix) {
    const VectorXd scale = matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * matrix *
                                                        scale.asDiagonal());
    Condition result;
    result.singular = eigen.eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
    result.directions = eigen.eigenvectors().rowwise().reverse();
    const double least = result.singular[result.singular.size() - 1];
    result.number = least > 0 ? result.singular[0] / least : HUGE_VAL;
    const VectorXd weakest = result.directions.rightCols(1).cwiseAbs();
    std::vector<Index> order(static_cast<std::size_t>(weakest.size()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return weakest[a] > weakest[b]; });
    result.first = static_cast<std::size_t>(order[0]);
    result.second = static_cast<std::size_t>(order.size() > 1 ? order[1] : order[0]);
    return result;
  }

  /// A^-1 B A^-1 twice: B from each trace's residuals as they follow one another, and from how the
  /// traces differ as wholes; the wider of the two for every parameter.
  MatrixXd covariance(const std::vector<TraceSums>& sums, const Normal& normal,
                      LugreFit& fit) const {
    const VectorXd scale = normal.matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const MatrixXd scaled = scale.asDiagonal() * normal.matrix * scale.asDiagonal();
    if (!(fit.condition.number < 1e7)) return {};
    const MatrixXd inverse = scale.asDiagonal() *
                             scaled.ldlt().solve(MatrixXd::Identity(size_, size_)) *
                             scale.asDiagonal();
    const Eigen::LLT<MatrixXd> root(scaled);
    Normal serial = empty();
    MatrixXd between = MatrixXd::Zero(size_, size_);
    double blocked = 0, in_blocks = 0;
    for (const auto& sum : sums) {
      blocked += sum.blocked;
      in_blocks += sum.in_blocks;
    }
    // Of all traces together: one alone has few blocks.
    const double of_blocks = in_blocks > 0 ? blocked / in_blocks : 1;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double inflation = serial_inflation(std::min(sums[k].lag1(), 0.9999));
      add(k, sums[k], serial, fit.trace_chi2[k] * std::max(inflation * inflation, of_blocks));
      Normal one = empty();
      add(k, sums[k], one);
      if (problem_.hold_bristles) hold(one);
      const VectorXd score = as_if_not_fitted(scale.asDiagonal() * one.matrix * scale.asDiagonal(),
                                              scale.asDiagonal() * one.gradient, root);
      const VectorXd whole = scale.cwiseInverse().asDiagonal() * score;
      between += whole * whole.transpose();
    }
    if (problem_.hold_bristles) hold(serial);
    const MatrixXd within = (inverse * serial.matrix * inverse).topLeftCorner(6, 6);
    const auto traces = static_cast<double>(sums.size());
    if (sums.size() <= kLugreSize + 1) return within;
    const MatrixXd spread = (inverse * between * inverse).topLeftCorner(6, 6);
    const VectorXd wider =
        (spread.diagonal().cwiseMax(within.diagonal()).cwiseQuotient(within.diagonal()))
            .cwiseSqrt();
    if ((wider.array() > 1.2).any()) fit.dof = traces - static_cast<double>(kLugreSize);
    return wider.asDiagonal() * within * wider.asDiagonal();
  }

  /// The fit follows a trace that weighs much, and its residuals shrink: its score as large as it
  /// would be if all were alike (Bell and McCaffrey 2002). `root` is that of the whole matrix.
  static VectorXd as_if_not_fitted(const MatrixXd& own, const VectorXd& score,
                                   const Eigen::LLT<MatrixXd>& root) {
    const MatrixXd half = root.matrixL().solve(own);
    const MatrixXd share = root.matrixL().solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(share);
    const VectorXd stretch =
        (1 - eigen.eigenvalues().array()).max(kLeastLeft).sqrt().inverse().matrix();
    const VectorXd turned = eigen.eigenvectors().transpose() * root.matrixL().solve(score);
    return root.matrixL() * (eigen.eigenvectors() * stretch.cwiseProduct(turned));
  }

  const LugreProblem& problem_;
  const Job& job_;
  Index size_ = 0;
};

}  // namespace

Result<LugreFit> fit_lugre(const LugreProblem& problem, const LugreValues& start, const Job& job) {
  if (problem.traces.empty())
    return fail(ErrorCode::kUnidentifiable, "friction: there is no trace to fit");
  return Search(problem, job).run(start);
}

}  // namespace tactelier
