#include "fitting/stiffness/stiffness_press.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string>

#include "fitting/statistics/serial.hpp"
#include "fitting/stiffness/line_bend.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxGroups = 40;
constexpr double kGroupLengths = 5;  // correlation lengths per group
constexpr double kRestSlope =
    30;  // steeper than this times the loading branch: a rest, not unloading
constexpr double kPlateau = 0.005;  // of the travel: still at the deepest point

std::string depths_text(std::span<const double> depth_m) {
  std::string text;
  const std::size_t shown = std::min<std::size_t>(depth_m.size(), 8);
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{:.3g}", i == 0 ? "" : ", ", depth_m[i] * 1e3);
  if (depth_m.size() > shown) text += fmt::format(", ... {:.3g}", depth_m.back() * 1e3);
  return text.empty() ? "none" : text + " mm";
}

std::size_t distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(
      std::distance(values.begin(), std::unique(values.begin(), values.end())));
}

LoadingBranch below_surface(const LoadingBranch& branch) {
  if (!branch.from_contact) return branch;
  LoadingBranch kept{{}, {}, branch.from_contact, branch.independent};
  for (std::size_t i = 0; i < branch.depth_m.size(); ++i) {
    if (!(branch.depth_m[i] > 0)) continue;
    kept.depth_m.push_back(branch.depth_m[i]);
    kept.force_N.push_back(branch.force_N[i]);
  }
  return kept;
}

std::vector<double> residuals_of(const LineFit& line, const LoadingBranch& branch) {
  std::vector<double> residuals(branch.depth_m.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = line.residual(branch.depth_m[i], branch.force_N[i]);
  return residuals;
}

/// Thousands of rows at rest along a bend tell a line no better than eight of them.
Estimate with_error(const LoadingBranch& branch, const LineFit& line, double value, double u,
                    double parameters) {
  if (!branch.independent) return widened(value, u, residuals_of(line, branch), parameters);
  const double bend = beyond_line(branch.depth_m, residuals_of(line, branch), parameters);
  return {value, u * bend, bend > 1 ? kBendParts - parameters : line.dof};
}

double variance(std::span<const double> values) {
  double mean = 0;
  double squares = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares;
}

/// k through the contact point. Shifting the contact by e changes k by e times the derivative of
/// sum((x - e) F) / sum((x - e)^2) at 0.
Result<Estimate> through_contact(const LoadingBranch& branch, double u_z0_m) {
  const auto line = fit_line_through_origin(branch.depth_m, branch.force_N);
  if (!line) return fail(line.error());
  Estimate k = with_error(branch, *line, line->slope, line->u_slope, 1);
  double x = 0;
  double xx = 0;
  double force = 0;
  for (std::size_t i = 0; i < branch.depth_m.size(); ++i) {
    x += branch.depth_m[i];
    xx += branch.depth_m[i] * branch.depth_m[i];
    force += branch.force_N[i];
  }
  k.std = std::hypot(k.std, u_z0_m * (2 * line->slope * x - force) / xx);
  return k;
}

}  // namespace

Estimate widened(double value, double u, std::span<const double> residuals, double parameters) {
  const double rho = lag1(residuals);
  const double dof = effective_count(residuals.size(), rho) - parameters;
  return {value, u * serial_inflation(rho), std::max(1.0, dof)};
}

Result<LoadingFit> fit_loading(const LoadingBranch& branch, double u_z0_m,
                               std::optional<double> thickness_m) {
  const LoadingBranch rows = below_surface(branch);
  LoadingFit fit;
  fit.readings = rows.depth_m.size();
  if (fit.readings > 0) {
    fit.max_depth_m = *std::max_element(rows.depth_m.begin(), rows.depth_m.end());
    fit.peak_force_N = *std::max_element(rows.force_N.begin(), rows.force_N.end());
  }
  const bool shallow =
      rows.from_contact && thickness_m && fit.max_depth_m < kMinStrain * *thickness_m;
  if (distinct(rows.depth_m) < kMinDepths || shallow)
    return fail(ErrorCode::kUnidentifiable,
                "ST-01 Depths {}: too few or too small for a stiffness.",
                depths_text(rows.depth_m));
  const auto line = fit_line(rows.depth_m, rows.force_N);
  if (!line) return fail(line.error(), "ST-01");
  fit.line = *line;
  fit.k_affine = with_error(rows, *line, line->slope, line->u_slope, 2);
  fit.intercept = with_error(rows, *line, line->intercept, line->u_intercept, 2);
  fit.intercept.std = std::hypot(fit.intercept.std, line->slope * u_z0_m);
  const double total = variance(rows.force_N);
  fit.r2 = total > 0 ? 1 - line->rss / total : 0;
  if (!rows.from_contact) return fit;
  const auto k = through_contact(rows, u_z0_m);
  if (!k) return fail(k.error(), "ST-01");
  fit.k_punch = *k;
  return fit;
}

namespace {

/// Lag-1 correlation of AR(1) noise on top of something smooth, from its steps: the steps of AR(1)
/// have lag-1 correlation -(1 - rho)/2, and what is smooth hardly shows in them.
double correlation_of_steps(std::span<const double> residuals) {
  std::vector<double> steps(residuals.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = residuals[i + 1] - residuals[i];
  return 1 + 2 * lag1(steps);
}

/// Lag-1 correlation of the noise alone: of the residuals of a cubic, unless their steps say that
/// most of it is a bend that the cubic could not follow.
double noise_correlation(const LoadingBranch& branch) {
  const auto n = static_cast<Eigen::Index>(branch.depth_m.size());
  const Eigen::Map<const Eigen::VectorXd> depth(branch.depth_m.data(), n);
  const Eigen::Map<const Eigen::VectorXd> force(branch.force_N.data(), n);
  const double low = depth.minCoeff();
  const double range = depth.maxCoeff() - low;
  if (!(range > 0)) return 0;
  const Eigen::VectorXd x = (depth.array() - low) * (2 / range) - 1;
  Eigen::MatrixXd design(n, 4);
  design.col(0).setOnes();
  for (int power = 1; power < 4; ++power) design.col(power) = design.col(power - 1).cwiseProduct(x);
  const Eigen::VectorXd fitted = force - design * design.householderQr().solve(force);
  const std::span<const double> residuals(fitted.data(), branch.depth_m.size());
  const double doubt = 4 / std::sqrt(static_cast<double>(residuals.size()));
  return std::min(lag1(residuals), correlation_of_steps(residuals) + doubt);
}

}  // namespace

LoadingBranch grouped(const LoadingBranch& all_rows) {
  const LoadingBranch branch = below_surface(all_rows);
  if (branch.independent || branch.depth_m.size() < 2 * kMinLinearReadings) return branch;
  const std::size_t n = branch.depth_m.size();
  const double length = correlation_length(noise_correlation(branch));
  const auto size = static_cast<std::size_t>(std::ceil(kGroupLengths * length));
  const std::size_t groups = std::min(n / size, kMaxGroups);
  LoadingBranch means{{}, {}, branch.from_contact, true};
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t begin = g * n / groups;
    const std::size_t end = (g + 1) * n / groups;
    double depth_m = 0;
    double force_N = 0;
    for (std::size_t i = begin; i < end; ++i) {
      depth_m += branch.depth_m[i];
      force_N += branch.force_N[i];
    }
    means.depth_m.push_back(depth_m / static_cast<double>(end - begin));
    means.force_N.push_back(force_N / static_cast<double>(end - begin));
  }
  return means;
}

namespace {

double runs_p(const LoadingBranch& branch, std::size_t count) {
  const auto end = static_cast<std::ptrdiff_t>(count);
  const LoadingBranch part{{branch.depth_m.begin(), branch.depth_m.begin() + end},
                           {branch.force_N.begin(), branch.force_N.begin() + end},
                           branch.from_contact,
                           true};
  const auto line = fit_line(part.depth_m, part.force_N);
  return line ? runs_test(residuals_of(*line, part)).p : 1;
}

}  // namespace

Linearity check_linearity(const LoadingBranch& branch) {
  const LoadingBranch groups = grouped(branch);
  const std::size_t n = groups.depth_m.size();
  Linearity result;
  if (branch.depth_m.empty()) return result;
  if (n > 1)
    result.resolution_m =
        std::abs(groups.depth_m.back() - groups.depth_m.front()) / static_cast<double>(n - 1);
  result.readings = n;
  if (n < kMinLinearReadings) return result;
  result.runs_p = runs_p(groups, n);
  result.to_the_end = result.runs_p >= kRunsTestLimit;
  if (result.to_the_end) {
    result.linear_to_m = *std::max_element(branch.depth_m.begin(), branch.depth_m.end());
    return result;
  }
  for (std::size_t count = n - 1; count >= kMinLinearReadings; --count)
    if (runs_p(groups, count) >= kRunsTestLimit) {
      result.linear_to_m = groups.depth_m[count - 1];
      return result;
    }
  return result;
}

namespace {

struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

/// From the first row below `high` to the first below `low`, both at or after `from`.
Window falling_window(std::span<const double> force_N, std::size_t from, double high_N,
                      double low_N) {
  Window window{from, from};
  while (window.begin < force_N.size() && force_N[window.begin] > high_N) ++window.begin;
  window.end = window.begin;
  while (window.end < force_N.size() && force_N[window.end] >= low_N) ++window.end;
  return window;
}

Result<UnloadingFit> slope_from(const UnloadingBranch& branch, std::size_t start) {
  UnloadingFit fit;
  fit.start_N = branch.force_N[start];
  fit.high = kUnloadingHigh;
  fit.low = kUnloadingLow;
  // The last row still above the window: later than `start` when the load was held.
  std::size_t last = start;
  for (std::size_t i = start; i < branch.force_N.size(); ++i)
    if (branch.force_N[i] > fit.high * fit.start_N) last = i;
  const Window window =
      falling_window(branch.force_N, last, fit.high * fit.start_N, fit.low * fit.start_N);
  fit.readings = window.size();
  if (fit.readings < kMinUnloading)
    return fail(ErrorCode::kUnidentifiable,
                "UNLOADING {} readings between {:.2f} and {:.2f} of the peak load, at least {} "
                "needed: record the unloading, slower or at a higher rate.",
                fit.readings, fit.low, fit.high, kMinUnloading);
  const auto travel_m = branch.travel_m.subspan(window.begin, window.size());
  const auto force_N = branch.force_N.subspan(window.begin, window.size());
  const auto line = fit_line(travel_m, force_N);
  if (!line)
    return fail(ErrorCode::kUnidentifiable, "UNLOADING the travel does not fall with the load.");
  std::vector<double> residuals(travel_m.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = line->residual(travel_m[i], force_N[i]);
  fit.slope = widened(line->slope, line->u_slope, residuals, 2);
  return fit;
}

/// Last row that is still at the deepest point.
std::size_t end_of_plateau(std::span<const double> travel_m) {
  const auto [low, high] = std::minmax_element(travel_m.begin(), travel_m.end());
  const double limit_m = *high - kPlateau * (*high - *low);
  std::size_t last = 0;
  for (std::size_t i = 0; i < travel_m.size(); ++i)
    if (travel_m[i] >= limit_m) last = i;
  return last;
}

}  // namespace

Result<UnloadingFit> fit_unloading(const UnloadingBranch& branch) {
  if (branch.force_N.empty() || !(branch.force_N.front() > 0))
    return fail(ErrorCode::kUnidentifiable, "UNLOADING no load to come down from.");
  auto fit = slope_from(branch, 0);
  const auto [low, high] = std::minmax_element(branch.travel_m.begin(), branch.travel_m.end());
  const double secant = branch.force_N.front() / std::max(*high - *low, 1e-12);
  // While the force relaxes at rest it falls without any travel: start again after the rest.
  if (!fit || !(fit->slope.value > 0) || fit->slope.value > kRestSlope * secant) {
    const std::size_t plateau = end_of_plateau(branch.travel_m);
    if (plateau > 0 && branch.force_N[plateau] > 0) fit = slope_from(branch, plateau);
  }
  if (fit && !(fit->slope.value > 0))
    return fail(ErrorCode::kUnidentifiable, "UNLOADING the load does not fall with the travel.");
  return fit;
}

}  // namespace tactelier
