#pragma once
// How well the point-spread fit knows what it found (docs/theory/point-spread.md 8): rank before
// any covariance, readings' noise, scatter between presses, and for what all presses share a
// bootstrap of whole presses.

#include <Eigen/Core>
#include <span>

#include "fitting/psf/psf_carried.hpp"
#include "fitting/psf/psf_information.hpp"
#include "fitting/statistics/condition.hpp"

namespace tactelier {

struct PsfUncertainty {
  /// Of (shared parameters, then slope and intercept of each tactel, then scales of presses where
  /// they have any). Held ones have zero rows.
  Eigen::MatrixXd covariance;  // empty when rank deficient
  Condition condition;         // of the whitened Jacobian, same columns, held ones left out
  std::vector<int> columns;    // which parameters those columns are
  double chi2_per_dof = 0;
  double dof = 0;  // independent units (tactel in a press) less parameters
  /// Of each parameter's variance, list as of the covariance; empty where scatter.dof holds for
  /// all of them.
  Eigen::VectorXd variance_dof;
  PsfScatter scatter;
  CarriedTails tails;  // in the covariance
  bool bootstrapped = false;
};

/// Behind what presses scatter by.
double psf_degrees(const PsfUncertainty& uncertainty, const PsfProblem& problem);

struct PsfBootstrapOptions {
  int resamples = 1000;
  std::uint64_t seed = 1;
};

/// Fails with kCancelled only.
Result<PsfUncertainty> psf_uncertainty(const PsfProblem& problem, const PsfFit& fit,
                                       const PsfBootstrapOptions& options, const Job& job = {});

/// How fitted scales of presses come about: gains, spread and the prior take a part of what presses
/// scatter by, and readings' noise and own scatter add to it.
struct FittedScales {
  std::vector<std::size_t> presses;  // those used, in the order of rows and columns
  Eigen::MatrixXd by_true;           // fitted scales by true ones; empty where the fit is singular
  Eigen::MatrixXd covariance;        // of all but the true scales
};
FittedScales fitted_scales(const PsfProblem& problem, const PsfFit& fit, const PsfScatter& scatter);

/// One step of a fit with further parameters, 0 so far, all others going with them. Empty where the
/// data don't tell them from the others.
struct PsfAdded {
  Eigen::VectorXd value;
  Eigen::MatrixXd covariance;  // by readings' noise alone
  Eigen::MatrixXd by_presses;  // by how presses differ in what they ask for
};
PsfAdded added_parameters(const PsfProblem& problem, const PsfFit& fit,
                          std::span<const PsfDirection> by);

/// Does a part of the force spread twice as wide as the Gaussian? One step of a fit with that share
/// as one more parameter (a score test): sees heavier or lighter tails before chi^2 does.
struct PsfTails {
  double share = 0;  // of the force
  double z = 0;      // share over its standard error, readings' noise alone
  double std = 0;    // with what presses differ in; 0: the data don't tell
};
PsfTails psf_tails(const PsfProblem& problem, const PsfFit& fit);
/// What that share does to a group.
PsfDirection wider_spread(const PsfProblem& problem, const PsfFit& fit);

/// Of the whitened Jacobian at the solution, without held parameters.
Condition psf_condition(const PsfProblem& problem, const PsfFit& fit);

}  // namespace tactelier
