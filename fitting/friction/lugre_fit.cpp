#include "fitting/friction/lugre_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "fitting/friction/lugre_normal.hpp"
#include "fitting/friction/lugre_uncertainty.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 100;
constexpr double kFirstDamping = 1e-4;
constexpr double kMaxDamping = 1e10;
constexpr double kStepTolerance = 1e-10;  // of a step measured in standard errors squared
constexpr double kLongestLogStep = 1.0;
constexpr double kMaxFriction = 3;

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
  return shared.allFinite() && shared[3] > 0 && shared[4] > 0 && shared[3] <= kMaxFriction &&
         shared[4] <= kMaxFriction && shared.head(2).maxCoeff() < 30;
}

class Search {
 public:
  Search(const LugreProblem& problem, const Job& job)
      : problem_(problem), gather_(problem), job_(job) {}

  Result<LugreFit> run(const LugreValues& start) {
    Point at = first(start);
    if (!allowed(at.shared))
      return fail(ErrorCode::kUnidentifiable, "friction: no usable start of the fit");
    auto sums = pass(at);
    LugreNormal normal = gather_.all(sums);
    double damping = kFirstDamping;
    int iterations = 0;
    bool converged = false;
    while (iterations < kMaxIterations && !converged && damping < kMaxDamping) {
      if (job_.stopped()) return Job::cancelled();
      ++iterations;
      const VectorXd step = shared_step(normal, damping);
      const Point next = moved(at, sums, step);
      const double predicted = step.dot(normal.matrix * step);
      auto tried = allowed(next.shared) ? pass(next) : std::vector<TraceSums>{};
      const double chi2 = chi2_of(tried);
      if (!(chi2 <= normal.chi2 * (1 + 1e-13))) {
        damping *= 10;
        converged = predicted < kStepTolerance * 1e-6;
        continue;
      }
      const double gained = normal.chi2 - chi2;
      at = next;
      sums = std::move(tried);
      normal = gather_.all(sums);
      damping = std::max(1e-12, damping / 10);
      converged = predicted < kStepTolerance && gained < kStepTolerance * std::max(1.0, chi2);
    }
    return finish(at, sums, normal, iterations, converged);
  }

 private:
  Point first(const LugreValues& start) const {
    Point at;
    at.shared = VectorXd::Zero(gather_.size());
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
    return {values_of(at.shared), offset >= 0 ? at.shared[kLugreColumns + offset] : 0,
            at.unknowns[k]};
  }

  std::vector<TraceSums> pass(const Point& at) const {
    std::vector<TraceSums> sums;
    sums.reserve(problem_.traces.size());
    for (std::size_t k = 0; k < problem_.traces.size(); ++k)
      sums.push_back(sum_trace(problem_.traces[k], state_of(at, k), problem_.proportional));
    return sums;
  }

  /// Infinite where the step was not tried or leads nowhere.
  static double chi2_of(const std::vector<TraceSums>& tried) {
    if (tried.empty()) return HUGE_VAL;
    double chi2 = 0;
    for (const auto& sums : tried) chi2 += sums.chi2();
    return std::isfinite(chi2) ? chi2 : HUGE_VAL;
  }

  /// Marquardt's step: the diagonal is what its columns weigh, so that units don't matter.
  VectorXd shared_step(const LugreNormal& normal, double damping) const {
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
      if (!gather_.has_unknown(k, sums[k])) continue;
      const auto& p = sums[k].products;
      double slope = p(kTraceUnknown, kTraceResidual);
      const Index columns = gather_.columns(k);
      for (Index i = 0; i < columns; ++i) slope += p(kTraceUnknown, i) * step[gather_.column(k, i)];
      next.unknowns[k] -= slope / p(kTraceUnknown, kTraceUnknown);
    }
    return next;
  }

  LugreFit finish(const Point& at, const std::vector<TraceSums>& sums, const LugreNormal& normal,
                  int iterations, bool converged) const {
    LugreFit fit;
    fit.values = values_of(at.shared);
    fit.offsets_N.assign(at.shared.data() + kLugreColumns, at.shared.data() + gather_.size());
    fit.unknowns = at.unknowns;
    fit.chi2 = normal.chi2;
    fit.iterations = iterations;
    fit.converged = converged;
    for (const auto& sum : sums) {
      fit.samples += sum.count;
      fit.trace_chi2.push_back(sum.chi2() / std::max(1.0, sum.count));
      fit.trace_lag1.push_back(sum.lag1());
    }
    fit.dof = fit.samples - static_cast<double>(gather_.size());
    fit.condition = lugre_condition(normal);
    add_uncertainty(gather_, sums, normal, fit);
    return fit;
  }

  const LugreProblem& problem_;
  const LugreGather gather_;
  const Job& job_;
};

}  // namespace

Result<LugreFit> fit_lugre(const LugreProblem& problem, const LugreValues& start, const Job& job) {
  if (problem.traces.empty())
    return fail(ErrorCode::kUnidentifiable, "friction: there is no trace to fit");
  return Search(problem, job).run(start);
}

}  // namespace tactelier
