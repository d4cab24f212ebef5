#pragma once
// Which parameters can the data not tell apart? Columns of the Jacobian are divided by their norms
// before the SVD, since raw condition numbers measure units (docs/theory/statistics.md 6).

#include <Eigen/Core>
#include <cstddef>
#include <string>

namespace tactelier {

struct Condition {
  double number = 1;           // sigma_max / sigma_min of the scaled Jacobian; infinite if singular
  double raw = 1;              // the same unscaled, for reports only
  Eigen::VectorXd norms;       // of the columns, by which they were divided
  Eigen::VectorXd singular;    // of the scaled Jacobian, falling
  Eigen::MatrixXd directions;  // p x p, right singular vectors as columns
  std::size_t first = 0, second = 0;  // the two largest entries of the weakest direction

  /// Largest |entry| of parameter j in directions weaker than sigma_max / limit; 0 when there are
  /// none. How much j takes part in what the data can't separate.
  double share_in_weak(std::size_t parameter, double limit) const;
};

/// `jacobian` n x p, p >= 1. A zero column gives an infinite number with that column first.
Condition condition(const Eigen::MatrixXd& jacobian);
/// Of a Jacobian of `rows` rows with `root`^T `root` = J^T J, such as R of its QR decomposition.
Condition condition_of_root(const Eigen::MatrixXd& root, Eigen::Index rows);

/// Of a Jacobian of which J^T J is at hand, by its eigenvalues: a tenth of the time where there are
/// hundreds of columns. Numbers beyond 1e7 are rounding.
Condition condition_of_information(const Eigen::MatrixXd& information);

/// (J^T J)^-1 through the scaled SVD, J whitened. Empty (0 x 0) when the scaled Jacobian is
/// singular: a rank-deficient direction must never look certain.
Eigen::MatrixXd covariance_from(const Eigen::MatrixXd& jacobian);
/// The same where the decomposition is at hand already.
Eigen::MatrixXd covariance_from(const Condition& condition);

}  // namespace tactelier
