#include "fitting/psf/psf_ripple.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

// A filter of first order at the rate of the steps leaves two thirds of the swing or more.
constexpr double kMostKept = 1.5;
constexpr double kLeast = 2e-3;  // of the force: less does nothing

}  // namespace

double median_ripple(const PsfProblem& problem) {
  std::vector<double> parts;
  for (const auto& press : problem.presses)
    if (press.peak_N > 0) parts.push_back(press.ripple_at(press.peak_N) / press.peak_N);
  return parts.empty() ? 0 : median(parts);
}

void follow_crests(double hysteresis, PsfProblem& problem) {
  const double ripple = median_ripple(problem);
  if (!(ripple > kLeast)) return;
  const double most = std::min(kMostKept, hysteresis / (2 * ripple));
  if (!(most * ripple > kLeast)) return;
  problem.ripple = {most / 2, most / std::sqrt(12.0)};
  for (auto& tactel : problem.tactels)
    for (const auto& group : tactel.groups)
      for (std::size_t r = group.begin; r < group.end; ++r) {
        auto& row = tactel.rows[r];
        row.force_N += problem.ripple.part * problem.presses[group.press].ripple_at(row.force_N);
      }
}

PsfDirection ripple_direction(const PsfProblem& problem, const PsfFit& fit) {
  return [&problem, &fit](const PsfGroupTerm& term) -> Eigen::Vector3d {
    const auto& press = problem.presses[term.press];
    return {0, -fit.state.slope[term.tactel] * term.share * press.ripple_N,
            term.share * press.ripple_growth};
  };
}

}  // namespace tactelier
