#pragma once
// How well the LuGre fit knows its six parameters.

#include "fitting/friction/lugre_normal.hpp"

namespace tactelier {

/// Singular values of the column-scaled Jacobian from its normal matrix.
Condition lugre_condition(const LugreNormal& normal);

/// Fills fit.covariance: A^-1 B A^-1 twice, B from each trace's residuals as they follow one
/// another, from how the traces differ as wholes, and from their scatter taken for all alike: the
/// widest for every parameter.
/// Lowers fit.dof where it is the latter. Needs fit.condition and fit.trace_chi2.
void add_uncertainty(const LugreGather& gather, const std::vector<TraceSums>& sums,
                     const LugreNormal& normal, LugreFit& fit);

/// Residuals that belong together: their part of the normal matrix, and J^T r.
struct Cluster {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd score;
};
/// The wider, for each parameter, of variance x A^-1 and A^-1 B A^-1, B from the clusters as wholes
/// with Bell and McCaffrey's correction. `known` is the part of A = `matrix` that was known
/// beforehand: it counts as it stands. Empty when rank deficient.
Eigen::MatrixXd clustered_covariance(const Eigen::MatrixXd& matrix,
                                     const std::vector<Cluster>& clusters,
                                     const Eigen::MatrixXd& known, double variance);

}  // namespace tactelier
