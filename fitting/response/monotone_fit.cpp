#include "fitting/response/monotone_fit.hpp"

#include <Eigen/Dense>

namespace tactelier {
namespace {

Eigen::VectorXd solve_free(const Eigen::MatrixXd& a, const Eigen::VectorXd& y,
                           const std::vector<Eigen::Index>& columns) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols());
  x(columns) = a(Eigen::all, columns).colPivHouseholderQr().solve(y);
  return x;
}

}  // namespace

Result<Eigen::VectorXd> solve_nonnegative(const Eigen::MatrixXd& a, const Eigen::VectorXd& y,
                                          Eigen::Index free) {
  if (a.rows() < a.cols())
    return fail(ErrorCode::kUnidentifiable, "{} samples for {} unknowns", a.rows(), a.cols());
  std::vector<Eigen::Index> passive;
  for (Eigen::Index j = 0; j < free; ++j) passive.push_back(j);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols());
  if (free > 0) x = solve_free(a, y, passive);
  const double tolerance = 1e-11 * a.colwise().norm().maxCoeff() * y.norm();
  for (int round = 0; round < 30 * a.cols(); ++round) {
    const Eigen::VectorXd gradient = a.transpose() * (y - a * x);
    Eigen::Index enter = -1;
    for (Eigen::Index j = free; j < a.cols(); ++j) {
      const bool inside = std::find(passive.begin(), passive.end(), j) != passive.end();
      if (!inside && gradient(j) > tolerance && (enter < 0 || gradient(j) > gradient(enter)))
        enter = j;
    }
    if (enter < 0) return x;
    passive.push_back(enter);
    Eigen::VectorXd next = solve_free(a, y, passive);
    while (true) {
      double step = 1;
      for (const auto j : passive)
        if (j >= free && next(j) <= 0) step = std::min(step, x(j) / (x(j) - next(j)));
      if (step == 1) break;
      x += step * (next - x);
      std::erase_if(passive, [&](Eigen::Index j) {
        if (j < free || x(j) > 1e-15 * x.cwiseAbs().maxCoeff()) return false;
        x(j) = 0;
        return true;
      });
      next = solve_free(a, y, passive);
    }
    x = next;
  }
  return fail(ErrorCode::kUnidentifiable, "the bounded least squares did not settle");
}

}  // namespace tactelier
