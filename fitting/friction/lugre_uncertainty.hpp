#pragma once
// How well the LuGre fit knows its six parameters.

#include "fitting/friction/lugre_normal.hpp"

namespace tactelier {

/// Singular values of the column-scaled Jacobian from its normal matrix.
Condition lugre_condition(const LugreNormal& normal);

/// Fills fit.covariance: A^-1 B A^-1 twice, B from each trace's residuals as they follow one
/// another and from how the traces differ as wholes, the wider of the two for every parameter.
/// Lowers fit.dof where it is the latter. Needs fit.condition and fit.trace_chi2.
void add_uncertainty(const LugreGather& gather, const std::vector<TraceSums>& sums,
                     const LugreNormal& normal, LugreFit& fit);

}  // namespace tactelier
