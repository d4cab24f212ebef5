#pragma once
// What presses do differently from one to the next, beyond the noise of readings, and what it does
// to the fitted parameters. Three kinds, each a spread of relative errors or of places:
//   a press's scale   all readings of a press alike (how the tip lay, the force sensor's gain)
//   a reading's scale one tactel in one press (rubber that remembers)
//   a press's place   the stage's steps: it stands elsewhere than it says

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "fitting/psf/psf_fit.hpp"

namespace tactelier {

/// Everything one (tactel, press) pair adds, at the solution.
struct PsfGroupTerm {
  std::size_t tactel = 0;
  std::uint32_t press = 0;
  std::uint32_t group = 0;  // of the tactel's groups
  PsfGroupSums sums;
  Eigen::VectorXd by;  // share by shared parameters
  double share = 0;    // which is also what it changes by a unit of the press's scale
};

std::vector<PsfGroupTerm> psf_group_terms(const PsfProblem& problem, const PsfFit& fit);

/// chi^2/dof of the rows that read least, at least 1: no scatter of presses is in it.
double noise_of_weak_rows(const PsfProblem& problem, const PsfFit& fit);

struct PsfScatter {
  double total = 0;       // of a reading between presses, relative: both scales together
  double of_press = 0;    // the part that all readings of a press share
  double place_m = 0;     // of each axis; 0 where the fit takes the places as stated
  double in_weights = 0;  // variance of a reading's scale that rows' weights hold already
  double dof = 0;

  double own_variance() const { return total * total - of_press * of_press; }
  double beyond_weights() const { return std::max(0.0, own_variance() - in_weights); }
  /// For how many groups, a tactel in a press each, `groups` of `presses` presses count: m that
  /// share a part rho of their variance are m / (1 + (m - 1) rho) (docs/theory/statistics.md).
  double independent_groups(double groups, double presses) const;
};

/// `parameters`: scales that were fitted to the same groups; `noise_factor`: chi^2/dof of the rows,
/// which counts for nothing where rows hide the scatter: noise_of_weak_rows() then.
PsfScatter find_psf_scatter(const std::vector<PsfGroupTerm>& terms, const PsfProblem& problem,
                            const PsfFit& fit, std::size_t parameters, double noise_factor);

/// The same with all that is free and the rows' own chi^2/dof.
PsfScatter scatter_of(const PsfProblem& problem, const PsfFit& fit);

/// Adds to `scores`, the covariance of the score over the parameters `columns` of the whole list,
/// what the scatter does to it.
void add_psf_scatter(const std::vector<PsfGroupTerm>& terms, const PsfProblem& problem,
                     const PsfFit& fit, const std::vector<int>& columns, const PsfScatter& scatter,
                     Eigen::MatrixXd& scores);

/// Positions of a tactel's own parameters in the whole list (shared ones first).
inline Eigen::Index slope_column(const PsfFit& fit, std::size_t tactel) {
  return fit.normal.shared.rows() + 2 * static_cast<Eigen::Index>(tactel);
}
inline Eigen::Index intercept_column(const PsfFit& fit, std::size_t tactel) {
  return slope_column(fit, tactel) + 1;
}
/// Of a press's scale, behind those; only where presses have one.
inline Eigen::Index scale_column(const PsfFit& fit, std::size_t press) {
  return slope_column(fit, fit.normal.locals.size()) + static_cast<Eigen::Index>(press);
}
/// Length of the whole list.
inline Eigen::Index psf_parameters(const PsfFit& fit) {
  return scale_column(fit, fit.normal.presses.size());
}

}  // namespace tactelier
