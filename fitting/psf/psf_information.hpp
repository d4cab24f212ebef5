#pragma once
// The normal equations of a point-spread fit as one matrix: shared parameters, slope and intercept
// of each tactel, scales of presses where they have any.

#include <Eigen/Core>
#include <vector>

#include "fitting/psf/psf_scatter.hpp"

namespace tactelier {

/// Parameters that are free at the solution.
std::vector<int> free_columns(const PsfProblem& problem, const PsfFit& fit);

Eigen::MatrixXd whole_information(const PsfProblem& problem, const PsfFit& fit);

/// Its rows and columns of those parameters.
Eigen::MatrixXd picked(const Eigen::MatrixXd& all, const std::vector<int>& columns);

}  // namespace tactelier
