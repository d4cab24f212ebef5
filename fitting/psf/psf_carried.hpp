#pragma once
// What the point-spread fit takes as known and is not: offsets, what rubber remembers, a ghosting
// that was measured apart, an offset of the force, a spread without tails. All that is fitted goes
// along with them.

#include <Eigen/Core>
#include <vector>

#include "fitting/psf/psf_fit.hpp"

namespace tactelier {

/// Adds their uncertainties to the covariance of the whole list. `columns`: the free parameters, of
/// which `inverse` is the inverse information.
void add_carried(const PsfProblem& problem, const PsfFit& fit, const std::vector<int>& columns,
                 const Eigen::MatrixXd& inverse, Eigen::MatrixXd& covariance);

/// That a part of the force spreads twice as wide (PsfTails), as far as the readings leave it open.
struct CarriedTails {
  double u = 0;           // standard, of that part; 0: not asked
  Eigen::VectorXd along;  // what the whole list does where it is u
};
/// Adds it to the covariance.
CarriedTails add_tails(const PsfProblem& problem, const PsfFit& fit,
                       const std::vector<int>& columns, const Eigen::MatrixXd& inverse,
                       Eigen::MatrixXd& covariance);

}  // namespace tactelier
