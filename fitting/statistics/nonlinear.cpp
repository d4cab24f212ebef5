#include "fitting/statistics/nonlinear.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <vector>

namespace tactelier {
namespace {

class StopOnRequest : public ceres::IterationCallback {
 public:
  explicit StopOnRequest(const Job& job) : job_(job) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& /*summary*/) override {
    return job_.stopped() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const Job& job_;
};

}  // namespace

Result<Solution> solve(ceres::Problem& problem, const Job& job, const SolveOptions& options) {
  StopOnRequest stop(job);
  ceres::Solver::Options solver;
  solver.max_num_iterations = options.max_iterations;
  solver.function_tolerance = options.tolerance;
  solver.gradient_tolerance = options.tolerance;
  solver.parameter_tolerance = options.tolerance;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.num_threads = 1;
  solver.logging_type = ceres::SILENT;
  solver.callbacks.push_back(&stop);
  ceres::Solver::Summary summary;
  ceres::Solve(solver, &problem, &summary);
  if (job.stopped()) return Job::cancelled();
  if (!summary.IsSolutionUsable())
    return fail(ErrorCode::kUnidentifiable, "the fit found no solution: {}", summary.message);
  return Solution{summary.final_cost,
                  static_cast<int>(summary.num_successful_steps + summary.num_unsuccessful_steps),
                  summary.termination_type == ceres::CONVERGENCE};
}

Result<Linearization> linearize(ceres::Problem& problem, std::span<double* const> blocks) {
  ceres::Problem::EvaluateOptions options;
  options.parameter_blocks.assign(blocks.begin(), blocks.end());
  options.apply_loss_function = false;
  options.num_threads = 1;
  std::vector<double> residuals;
  ceres::CRSMatrix sparse;
  if (!problem.Evaluate(options, nullptr, &residuals, nullptr, &sparse))
    return fail(ErrorCode::kUnidentifiable,
                "the model can't be evaluated at the solution (a residual is not finite)");
  Linearization result;
  result.residuals =
      Eigen::Map<Eigen::VectorXd>(residuals.data(), static_cast<Eigen::Index>(residuals.size()));
  result.jacobian = Eigen::MatrixXd::Zero(sparse.num_rows, sparse.num_cols);
  for (int row = 0; row < sparse.num_rows; ++row) {
    const auto begin = static_cast<std::size_t>(sparse.rows[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(sparse.rows[static_cast<std::size_t>(row) + 1]);
    for (std::size_t k = begin; k < end; ++k)
      result.jacobian(row, sparse.cols[k]) = sparse.values[k];
  }
  return result;
}

FitCovariance covariance_of(const Linearization& at, std::span<const int> held) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < at.jacobian.cols(); ++j)
    if (std::find(held.begin(), held.end(), static_cast<int>(j)) == held.end()) free.push_back(j);
  FitCovariance result;
  result.chi2 = at.residuals.squaredNorm();
  result.dof = static_cast<double>(at.residuals.size()) - static_cast<double>(free.size());
  if (free.empty()) return result;
  const Eigen::MatrixXd jacobian = at.jacobian(Eigen::all, free);
  result.condition = condition(jacobian);
  const Eigen::MatrixXd part = covariance_from(result.condition);
  if (part.size() == 0) return result;
  result.covariance = Eigen::MatrixXd::Zero(at.jacobian.cols(), at.jacobian.cols());
  result.covariance(free, free) = part;
  return result;
}

}  // namespace tactelier
