#include "fitting/psf/press_scales.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "fitting/psf/press_history.hpp"
#include "fitting/psf/psf_choice.hpp"
#include "fitting/psf/psf_ripple.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/psf/weighted_fit.hpp"

namespace tactelier {
namespace {

// Sharper readings would outweigh the scales' prior by misfit: 1.5 % of each of the 32 rows that a
// tactel has of a press of a stream, and of fewer rows as much of all of them.
constexpr std::uint32_t kMostRows = 32;
const double kOwn = 0.015 / std::sqrt(kMostRows);

/// Of one row.
double least_of_a_row(const PsfProblem& problem) {
  std::uint32_t most = 1;
  for (const auto& tactel : problem.tactels)
    for (const auto& group : tactel.groups) most = std::max(most, group.end - group.begin);
  return kOwn * std::sqrt(std::min(most, kMostRows));
}

}  // namespace

double scatter_of_scales(const PsfProblem& problem, const PsfFit& fit) {
  constexpr double kLeast = 1e-3;
  const auto scales = fitted_scales(problem, fit, scatter_of(problem, fit));
  if (scales.by_true.size() == 0) return problem.press_scatter;
  const auto n = std::ssize(scales.presses);
  const double pitch_m = problem.layout.pitch_m();
  Eigen::MatrixXd plane(n, 3);
  Eigen::VectorXd fitted(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto p = scales.presses[static_cast<std::size_t>(i)];
    plane.row(i) << 1, problem.presses[p].x_m / pitch_m, problem.presses[p].y_m / pitch_m;
    fitted(i) = fit.state.log_scale[p];
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(plane);
  const auto left = [&](const Eigen::MatrixXd& of) -> Eigen::MatrixXd {
    return of - plane * qr.solve(of);
  };
  const double beyond_noise = left(fitted).squaredNorm() - left(scales.covariance).trace();
  return std::max(kLeast,
                  std::sqrt(std::max(0.0, beyond_noise) / left(scales.by_true).squaredNorm()));
}

bool presses_scatter(const PsfProblem& problem, const PsfFit& best, double known) {
  constexpr double kShows = 0.01;
  constexpr std::size_t kMinPresses = 8;
  const double shows = known > 0 ? kShows : kOwn;
  return problem.presses.size() >= kMinPresses && scatter_of(problem, best).total > shows;
}

Result<PsfFit> with_press_scales(PsfData& data, PsfFit fit, double& relative, const Job& job) {
  constexpr int kTurns = 6;
  auto& problem = data.problem;
  const double least = least_of_a_row(problem);
  problem.press_scatter = relative = scatter_of(problem, fit).total;
  const bool moving = data.force_rate_N_per_s > 0;
  PressHistory history(moving);
  for (int turn = 0; turn < kTurns; ++turn) {
    reweight(data, fit.state, fit.shares.value, relative);
    auto next = fit_weighted(data, fit.model, std::move(fit.state), relative, job);
    if (next && !fit.model.ghosting) next = with_ghosting(problem, std::move(*next), job);
    if (!next) return next;
    fit = std::move(*next);
    relative = std::max(least, std::sqrt(scatter_of(problem, fit).own_variance()));
    problem.press_scatter = scatter_of_scales(problem, fit);
    // Both are steps from the fit to the presses as they were fitted.
    const auto kept = refined_ripple(problem, fit, history_directions(problem, fit, moving));
    history.refine(fit, problem);
    if (kept) keep_ripple(fit, *kept, problem);
  }
  return fit;
}

}  // namespace tactelier
