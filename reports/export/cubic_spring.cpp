#include "reports/export/cubic_spring.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr int kDepths = 200;

/// Of the columns in `set` (a bit each), the others 0; nothing where one comes out negative.
bool solve(const Eigen::MatrixXd& columns, const Eigen::VectorXd& force_N, unsigned set,
           Eigen::Vector3d& solution) {
  std::vector<Eigen::Index> used;
  for (Eigen::Index i = 0; i < 3; ++i)
    if ((set >> i & 1U) != 0) used.push_back(i);
  const Eigen::VectorXd found = columns(Eigen::all, used).colPivHouseholderQr().solve(force_N);
  solution.setZero();
  for (std::size_t i = 0; i < used.size(); ++i) solution(used[i]) = found(Eigen::Index(i));
  return solution.minCoeff() >= 0;
}

}  // namespace

double CubicSpring::depth_m(double wanted_N) const {
  double low_m = 0, high_m = wanted_N / k_N_per_m;  // no softer than its first slope
  for (int i = 0; i < 200 && high_m - low_m > 1e-15; ++i) {
    const double middle_m = (low_m + high_m) / 2;
    (force_N(middle_m) < wanted_N ? low_m : high_m) = middle_m;
  }
  return (low_m + high_m) / 2;
}

FittedSpring fit_cubic_spring(const std::function<double(double)>& force_N, double depth_m) {
  Eigen::MatrixXd columns(kDepths, 3);
  Eigen::VectorXd forces_N(kDepths);
  for (int i = 0; i < kDepths; ++i) {
    const double x = (i + 1.0) / kDepths;
    columns.row(i) << x, x * x, x * x * x;
    forces_N(i) = force_N(x * depth_m);
  }
  Eigen::Vector3d best = Eigen::Vector3d::Zero(), solution;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < 8; set += 2) {  // k always
    if (!solve(columns, forces_N, set, solution)) continue;
    const double squares = (columns * solution - forces_N).squaredNorm();
    if (squares < least) best = solution;
    least = std::min(least, squares);
  }
  const double worst_N = (columns * best - forces_N).cwiseAbs().maxCoeff();
  return {{best(0) / depth_m, best(1) / (depth_m * depth_m), best(2) / std::pow(depth_m, 3)},
          worst_N / forces_N(kDepths - 1)};
}

}  // namespace tactelier
