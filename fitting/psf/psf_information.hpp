#pragma once
// The normal equations of a point-spread fit as one matrix: shared parameters, slope and intercept
// of each tactel, scales of presses where they have any.

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "fitting/psf/psf_scatter.hpp"

namespace tactelier {

/// Parameters that are free at the solution.
std::vector<int> free_columns(const PsfProblem& problem, const PsfFit& fit);

Eigen::MatrixXd whole_information(const PsfProblem& problem, const PsfFit& fit);

/// Its rows and columns of those parameters.
Eigen::MatrixXd picked(const Eigen::MatrixXd& all, const std::vector<int>& columns);

/// What one more parameter does to a group's (slope, intercept, share).
using PsfDirection = std::function<Eigen::Vector3d(const PsfGroupTerm&)>;

/// Of further parameters, 0 so far: what they have in common with all others (a column each), with
/// each other, and the score that each press's rows add to all and to them.
struct PsfTied {
  Eigen::MatrixXd cross, information;
  Eigen::MatrixXd score_of_all, score;  // a column for each press
};
PsfTied tied_directions(const PsfProblem& problem, const PsfFit& fit,
                        std::span<const PsfDirection> by);

}  // namespace tactelier
