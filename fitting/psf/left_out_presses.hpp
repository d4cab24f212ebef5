#pragma once
// What the point-spread fit scatters by, from presses left out one by one: whatever the readings of
// one press have in common, and however rows were weighed, is in it. For presses of one row each,
// whose noise nothing else tells from what presses scatter by (docs/theory/point-spread.md 8).

#include "fitting/psf/psf_scatter.hpp"

namespace tactelier {

struct LeftOutPresses {
  Eigen::MatrixXd covariance;  // of the free parameters
  /// Of each one's variance, which is a sum over presses: (sum of v)^2 / sum of v^2, v being what a
  /// press of such places, forces and weights is expected to add (Satterthwaite; Bell and McCaffrey
  /// 2002, Survey Methodology 28, 169).
  Eigen::VectorXd dof;
};

/// Jackknife over presses, by one step of the fit each. `columns`: the free parameters, of which
/// `inverse` is the inverse information.
LeftOutPresses left_out_presses(const PsfProblem& problem, const PsfFit& fit,
                                const std::vector<PsfGroupTerm>& terms,
                                const std::vector<int>& columns, const Eigen::MatrixXd& inverse);

}  // namespace tactelier
