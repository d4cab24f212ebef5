#include "fitting/psf/psf_carried.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/psf/press_history.hpp"
#include "fitting/psf/psf_information.hpp"
#include "fitting/psf/psf_ripple.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/psf/zero_return.hpp"

namespace tactelier {
namespace {

// Of the memory per decade: what a recovery of another form than the logarithm's leaves in the
// ghosting (docs/theory/point-spread.md 8).
constexpr double kMemoryInGhosting = 0.07;
// Standard, of the force: how much rubber nobody has looked at may spread twice as wide.
constexpr double kTails = 0.15;

/// Where ghosting was fitted beside what the rubber remembers, adds what that may leave in it; all
/// that was fitted goes with it.
void add_memory(const PsfProblem& problem, const PsfFit& fit, const std::vector<int>& columns,
                const Eigen::MatrixXd& inverse, Eigen::MatrixXd& covariance) {
  const int ghosting = psf_columns(fit.model, problem.frames).ghosting;
  const auto at = std::find(columns.begin(), columns.end(), ghosting) - columns.begin();
  if (ghosting < 0 || at == std::ssize(columns)) return;
  Eigen::VectorXd along = Eigen::VectorXd::Zero(covariance.rows());
  for (Eigen::Index i = 0; i < inverse.rows(); ++i)
    along(columns[static_cast<std::size_t>(i)]) = inverse(i, at) / inverse(at, at);
  const double u = kMemoryInGhosting * problem.memory_per_decade;
  covariance += u * u * along * along.transpose();
}

/// Adds what a ghosting that was measured apart is uncertain by: all that was fitted at its value
/// goes with it.
void add_measured_ghosting(const PsfProblem& problem, const PsfFit& fit,
                           const std::vector<int>& columns, const Eigen::MatrixXd& inverse,
                           Eigen::MatrixXd& covariance) {
  const int ghosting = psf_columns(fit.model, problem.frames).ghosting;
  if (!problem.ghosting || ghosting < 0) return;
  const auto information = whole_information(problem, fit);
  Eigen::VectorXd cross(static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index i = 0; i < cross.size(); ++i)
    cross(i) = information(columns[static_cast<std::size_t>(i)], ghosting);
  const Eigen::VectorXd follows = -(inverse * cross);
  Eigen::VectorXd along = Eigen::VectorXd::Zero(covariance.rows());
  along(ghosting) = 1;
  for (Eigen::Index i = 0; i < follows.size(); ++i)
    along(columns[static_cast<std::size_t>(i)]) = follows(i);
  covariance += problem.ghosting->std * problem.ghosting->std * along * along.transpose();
}

/// Adds what an offset that all rows of a tactel share is uncertain by. It acts as the intercept
/// does, which takes it up where it is free, so that it is in those numbers already.
void add_offsets(const PsfProblem& problem, const PsfFit& fit, const std::vector<int>& columns,
                 const Eigen::MatrixXd& inverse, Eigen::MatrixXd& covariance) {
  const auto information = whole_information(problem, fit);
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto intercept = intercept_column(fit, t);
    const double u = problem.tactels[t].u_offset_counts;
    if (!(u > 0) || problem.tactels[t].intercept_free(fit.state.intercept[t])) continue;
    const Eigen::VectorXd follows = inverse * information(columns, intercept);
    Eigen::VectorXd along = Eigen::VectorXd::Zero(covariance.rows());
    along(columns) = u * follows;
    covariance += along * along.transpose();
  }
}

/// Adds what a number beside the fit's is uncertain by, `u` standard; all that was fitted goes with
/// it.
void add_direction(const PsfProblem& problem, const PsfFit& fit, const PsfDirection& direction,
                   double u, const std::vector<int>& columns, const Eigen::MatrixXd& inverse,
                   Eigen::MatrixXd& covariance) {
  const std::array<PsfDirection, 1> one{direction};
  const Eigen::VectorXd cross = tied_directions(problem, fit, one).cross.col(0)(columns);
  Eigen::VectorXd along = Eigen::VectorXd::Zero(covariance.rows());
  along(columns) = -u * (inverse * cross);
  covariance += along * along.transpose();
}

}  // namespace

void add_carried(const PsfProblem& problem, const PsfFit& fit, const std::vector<int>& columns,
                 const Eigen::MatrixXd& inverse, Eigen::MatrixXd& covariance) {
  add_offsets(problem, fit, columns, inverse, covariance);
  add_memory(problem, fit, columns, inverse, covariance);
  add_measured_ghosting(problem, fit, columns, inverse, covariance);
  const auto add = [&](const PsfDirection& direction, double u) {
    add_direction(problem, fit, direction, u, columns, inverse, covariance);
  };
  for (std::uint32_t way = 0; way < problem.force_offsets.size(); ++way)
    if (const double u_N = problem.force_offsets[way].u_N; u_N > 0)
      add(force_offset_direction(problem, fit, way), u_N);
  if (problem.zero_return.u > 0) add(zero_return_direction(problem, fit), problem.zero_return.u);
  if (problem.ripple.u > 0) add(ripple_direction(problem, fit), problem.ripple.u);
}

CarriedTails add_tails(const PsfProblem& problem, const PsfFit& fit,
                       const std::vector<int>& columns, const Eigen::MatrixXd& inverse,
                       Eigen::MatrixXd& covariance) {
  CarriedTails carried{kTails, Eigen::VectorXd::Zero(covariance.rows())};
  if (const auto tails = psf_tails(problem, fit); tails.std > 0) {
    const double known = kTails * kTails, told = tails.std * tails.std;
    const double part = known / (known + told);
    carried.u = std::hypot(std::sqrt(part * told), part * tails.share);
  }
  const std::array wider{wider_spread(problem, fit)};
  const Eigen::VectorXd cross = tied_directions(problem, fit, wider).cross.col(0)(columns);
  carried.along(columns) = -carried.u * (inverse * cross);
  covariance += carried.along * carried.along.transpose();
  return carried;
}

}  // namespace tactelier
