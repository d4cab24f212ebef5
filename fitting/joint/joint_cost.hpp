#pragma once
// The Ceres residual of one press in the joint fit.

#include <ceres/cost_function.h>

#include "fitting/joint/joint_fit.hpp"

namespace tactelier {

/// Blocks: log k, b, damping, hysteresis, ratios, log taus; then the press's own force and the
/// logarithm of its own stiffness over k. Residuals: (model - force) / sigma, by row; then that
/// logarithm over `scatter`.
ceres::CostFunction* joint_cost(const JointTrace& trace, RateModel model, std::size_t branches,
                                double scatter);

}  // namespace tactelier
