#include "fitting/psf/press_scales.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "fitting/psf/press_history.hpp"
#include "fitting/psf/psf_choice.hpp"
#include "fitting/psf/psf_scatter.hpp"
#include "fitting/psf/weighted_fit.hpp"

namespace tactelier {
namespace {

/// Root mean square of the presses' scales, without what goes with their place as a plane:
/// (scale_prior()).
double scatter_of_scales(const PsfProblem& problem, const PsfFit& fit) {
  std::vector<std::size_t> used;
  for (std::size_t p = 0; p < problem.presses.size(); ++p)
    if (problem.presses[p].used) used.push_back(p);
  const auto n = static_cast<Eigen::Index>(used.size());
  Eigen::MatrixXd plane(n, 3);
  Eigen::VectorXd scales(n);
  double variance = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto p = used[static_cast<std::size_t>(i)];
    const auto& press = problem.presses[p];
    const double pitch_m = problem.layout.pitch_m();
    plane.row(i) << 1, press.x_m / pitch_m, press.y_m / pitch_m;
    scales(i) = fit.state.log_scale[p];
    const double precision = std::pow(problem.press_scatter, -2);
    variance += 1 / (fit.normal.presses[p].information + precision) / static_cast<double>(n);
  }
  const Eigen::VectorXd left = scales - plane * plane.colPivHouseholderQr().solve(scales);
  return std::sqrt(left.squaredNorm() / static_cast<double>(n - 3) + variance);
}

}  // namespace

bool presses_scatter(const PsfProblem& problem, const PsfFit& best) {
  constexpr double kShows = 0.01;
  constexpr std::size_t kMinPresses = 8;
  return problem.presses.size() >= kMinPresses && scatter_of(problem, best).total > kShows;
}

Result<PsfFit> with_press_scales(PsfData& data, PsfFit fit, double& relative, const Job& job) {
  constexpr double kOwn = 0.015;  // sharper readings would outweigh the scales' prior by misfit
  constexpr int kTurns = 6;
  auto& problem = data.problem;
  problem.press_scatter = relative = scatter_of(problem, fit).total;
  PressHistory history;
  for (int turn = 0; turn < kTurns; ++turn) {
    reweight(data, fit.state, fit.shares.value, relative);
    auto next = fit_weighted(data, fit.model, std::move(fit.state), relative, job);
    if (next && !fit.model.ghosting) next = with_ghosting(problem, std::move(*next), job);
    if (!next) return next;
    fit = std::move(*next);
    relative = std::max(kOwn, std::sqrt(scatter_of(problem, fit).own_variance()));
    problem.press_scatter = scatter_of_scales(problem, fit);
    history.refine(fit, problem);
  }
  return fit;
}

}  // namespace tactelier
