#pragma once
// Monotone curve through noisy points: c0 + sum b_m I_m(x) with b_m >= 0. A bounded linear
// least-squares problem with one optimum (docs/theory/response.md 4).

#include <Eigen/Core>
#include <span>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// min |A x - y|, x[j] >= 0 for all but the first `free` columns (Lawson and Hanson's active set).
/// Fails with kUnidentifiable when A has fewer rows than columns or the active set does not settle.
Result<Eigen::VectorXd> solve_nonnegative(const Eigen::MatrixXd& a, const Eigen::VectorXd& y,
                                          Eigen::Index free);

}  // namespace tactelier
