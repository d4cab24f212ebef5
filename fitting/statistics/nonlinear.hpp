#pragma once
// Our one way of using Ceres (docs/theory/statistics.md 9): tolerances tight enough to compare
// with oracles, covariance through the column-scaled SVD, no silent loss of weak directions.
// Residuals are whitened in the cost functor, so cost = chi^2 / 2.

#include <Eigen/Core>
#include <span>
#include <string>

#include "fitting/statistics/condition.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace ceres {
class Problem;
}

namespace tactelier {

struct SolveOptions {
  int max_iterations = 200;
  double tolerance = 1e-14;  // of function, gradient and parameters
};

struct Solution {
  double cost = 0;  // 1/2 sum rho(r^2)
  int iterations = 0;
  bool converged = false;
};

/// Solves in place, single-threaded. Fails with kUnidentifiable when no usable solution was found,
/// with kCancelled when stopped.
Result<Solution> solve(ceres::Problem& problem, const Job& job = {},
                       const SolveOptions& options = {});

/// Residuals and Jacobian at the present parameters, without robust loss. Columns in the order of
/// `blocks`, which must be free (not constant) blocks of the problem.
struct Linearization {
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;  // n x p, dense: for problems of up to some ten thousand residuals
};
Result<Linearization> linearize(ceres::Problem& problem, std::span<double* const> blocks);

struct FitCovariance {
  Condition condition;
  Eigen::MatrixXd covariance;  // p x p; empty when rank deficient
  double chi2 = 0;             // sum r^2
  double dof = 0;              // residuals - parameters
};

/// (J^T J)^-1 of unit-variance residuals. Parameters that rest on a bound belong held: name them by
/// their column in `held` and they are left out as if constant (their rows are 0).
FitCovariance covariance_of(const Linearization& at, std::span<const int> held = {});

}  // namespace tactelier
