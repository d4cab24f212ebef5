#include "fitting/psf/psf_ripple.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

// A filter of first order at the rate of the steps leaves two thirds of the swing or more.
constexpr double kMostKept = 1.5;
constexpr double kLeast = 2e-3;         // of the force: less does nothing
constexpr std::uint32_t kScans = 0;     // PsfPress::way
constexpr double kRipplesMost = 0.75;   // quantile of presses: one speed of two
constexpr double kEven_u = 0.28867513;  // standard, of what lies anywhere between 0 and 1

/// Half of the hysteresis, in newtons of a tactel that a press is on.
double crest_N(const PsfProblem& problem, const PsfFit& fit) {
  std::vector<double> largest_N;
  for (const auto& tactel : problem.tactels) {
    double most_N = 0;
    for (const auto& group : tactel.groups)
      most_N = std::max(most_N, fit.shares.at(group.press, static_cast<std::size_t>(tactel.index)) *
                                    problem.presses[group.press].peak_N);
    largest_N.push_back(most_N);
  }
  return problem.ripple.half_hysteresis * median(largest_N);
}

double most_N(const PsfPress& press, double force_N, double cap_N) {
  return std::clamp(kMostKept * press.ripple_at(force_N), 0.0, cap_N);
}

/// `cap_for(tactel, press, number of the press)`: what the press is raised by at most, N.
template <typename CapOf>
void raise_forces(double part, CapOf&& cap_for, PsfProblem& problem) {
  problem.ripple.part = part;
  for (auto& tactel : problem.tactels)
    for (const auto& group : tactel.groups) {
      const auto& press = problem.presses[group.press];
      const double cap_N = cap_for(tactel, press, group.press);
      for (std::size_t r = group.begin; r < group.end; ++r) {
        auto& row = tactel.rows[r];
        row.force_N -= row.raised_N;
        row.raised_N = part * most_N(press, row.force_N, cap_N);
        row.force_N += row.raised_N;
      }
    }
}

double cap_of(double crest_N, double share) {
  return share > 0 ? crest_N / share : std::numeric_limits<double>::infinity();
}

}  // namespace

double clear_ripple(const PsfProblem& problem) {
  std::vector<double> parts;
  for (const auto& press : problem.presses)
    if (press.way == kScans && press.peak_N > 0)
      parts.push_back(press.ripple_at(press.peak_N) / press.peak_N);
  return parts.empty() ? 0 : quantile(parts, kRipplesMost);
}

double most_raised(const PsfProblem& problem) {
  double sum = 0, presses = 0;
  for (const auto& press : problem.presses) {
    if (press.way != kScans || !(press.peak_N > 0)) continue;
    const double cap_N = problem.ripple.half_hysteresis * press.peak_N;
    sum += most_N(press, press.peak_N, cap_N) / press.peak_N;
    ++presses;
  }
  return presses > 0 ? sum / presses : 0;
}

void follow_crests(double hysteresis, PsfProblem& problem) {
  const double most = std::min(kMostKept * clear_ripple(problem), hysteresis / 2);
  if (!(most > kLeast)) return;
  problem.ripple = {0, kEven_u, hysteresis / 2};
  raise_forces(
      0.5,
      [&](const PsfTactel&, const PsfPress& press, std::uint32_t) {
        return hysteresis / 2 * press.peak_N;
      },
      problem);
}

std::optional<RippleKept> refined_ripple(const PsfProblem& problem, const PsfFit& fit,
                                         std::span<const PsfDirection> history) {
  auto ripple = problem.ripple;
  if (!(ripple.u > 0)) return {};
  const double top_N = crest_N(problem, fit);
  // As a scale of the whole press: its course within a press is that of threshold and hysteresis.
  std::vector<PsfDirection> directions{[&](const PsfGroupTerm& term) -> Eigen::Vector3d {
    const auto& press = problem.presses[term.press];
    if (press.way != kScans || !(press.peak_N > 0)) return Eigen::Vector3d::Zero();
    const double raised_N = most_N(press, press.peak_N, cap_of(top_N, term.share));
    return {0, 0, term.share * raised_N / press.peak_N};
  }};
  // Other ways of pressing differ by more than their ripple.
  std::set<std::uint32_t> ways;
  for (const auto& press : problem.presses) ways.insert(press.way);
  ways.erase(kScans);
  for (const auto way : ways)
    directions.emplace_back([&problem, way](const PsfGroupTerm& term) -> Eigen::Vector3d {
      return {0, 0, problem.presses[term.press].way == way ? term.share : 0};
    });
  directions.insert(directions.end(), history.begin(), history.end());
  const auto step = added_parameters(problem, fit, directions);
  if (step.value.size() == 0 || !step.value.allFinite()) return {};
  const double known = 1 / (kEven_u * kEven_u);
  const double told = 1 / std::max(step.covariance(0, 0), step.by_presses(0, 0));
  const double part = (known * 0.5 + told * (ripple.part + step.value(0))) / (known + told);
  ripple.u = 1 / std::sqrt(known + told);
  ripple.part = std::clamp(part, 0.0, 1.0);
  return ripple;
}

void keep_ripple(const PsfFit& fit, const RippleKept& kept, PsfProblem& problem) {
  const double top_N = crest_N(problem, fit);
  problem.ripple = kept;
  raise_forces(
      kept.part,
      [&](const PsfTactel& tactel, const PsfPress&, std::uint32_t press) {
        return cap_of(top_N, fit.shares.at(press, static_cast<std::size_t>(tactel.index)));
      },
      problem);
}

PsfDirection ripple_direction(const PsfProblem& problem, const PsfFit& fit) {
  return
      [&problem, &fit, top_N = crest_N(problem, fit)](const PsfGroupTerm& term) -> Eigen::Vector3d {
        const auto& press = problem.presses[term.press];
        const double cap_N = cap_of(top_N, term.share);
        if (kMostKept * press.ripple_at(press.peak_N) > cap_N)
          return {0, -fit.state.slope[term.tactel] * term.share * cap_N, 0};
        return {0, -fit.state.slope[term.tactel] * term.share * kMostKept * press.ripple_N,
                term.share * kMostKept * press.ripple_growth};
      };
}

}  // namespace tactelier
