#include "fitting/relaxation/prony_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fitting/relaxation/zeroed_prony.hpp"
#include "fitting/statistics/criteria.hpp"
#include "fitting/statistics/serial.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kGridPoints = 10;
constexpr std::size_t kStarts = 8;
constexpr double kMinRatio = 3;  // of neighbouring relaxation times
constexpr double kAddedBy = 10;  // fall of AICc that a branch has to earn
constexpr double kMaxULogTau = 0.5;
constexpr int kIterations = 60;
constexpr double kNearBound = 1.02;
constexpr int kScaleRounds = 30;
constexpr double kScaleTolerance = 1e-7;

/// Whitened columns depth, branches and the branches' slopes by log tau at given times.
struct Columns {
  MatrixXd linear;  // depth, branch 1 ...
  MatrixXd slopes;  // of branch 1 ...
};

class Trace {
 public:
  explicit Trace(std::span<const HoldTrace> traces) : traces_(traces) {
    for (const auto& trace : traces)
      for (const double sigma_N : trace.sigma_N) rows_ += sigma_N > 0 ? 1 : 0;
    target_.resize(static_cast<Index>(rows_));
    Index row = 0;
    for (const auto& trace : traces)
      for (std::size_t i = 0; i < trace.time_s.size(); ++i)
        if (trace.sigma_N[i] > 0) target_[row++] = trace.force_N[i] / trace.sigma_N[i];
  }

  std::size_t rows() const { return rows_; }
  const VectorXd& target() const { return target_; }

  Columns columns(const std::vector<double>& log_tau) const {
    const auto n = static_cast<Index>(rows_);
    const auto m = static_cast<Index>(log_tau.size());
    Columns result{MatrixXd(n, 1 + m), MatrixXd(n, m)};
    Index row = 0;
    for (const auto& trace : traces_) add(trace, log_tau, row, result);
    return result;
  }

 private:
  static void add(const HoldTrace& trace, const std::vector<double>& log_tau, Index& row,
                  Columns& result) {
    std::vector<PronyBranchState> branches;
    for (const double x : log_tau) branches.emplace_back(std::exp(x));
    double time_s = trace.begin_s, depth_m = 0;
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      const double now_m = trace.scale * trace.depth_m[i];
      for (auto& branch : branches) branch.step(trace.time_s[i] - time_s, now_m - depth_m);
      time_s = trace.time_s[i];
      depth_m = now_m;
      if (!(trace.sigma_N[i] > 0)) continue;
      const double weight = 1 / trace.sigma_N[i];
      result.linear(row, 0) = depth_m * weight;
      for (std::size_t b = 0; b < branches.size(); ++b) {
        result.linear(row, static_cast<Index>(1 + b)) = branches[b].value_m() * weight;
        result.slopes(row, static_cast<Index>(b)) = branches[b].slope_m() * weight;
      }
      ++row;
    }
  }

  std::span<const HoldTrace> traces_;
  std::size_t rows_ = 0;
  VectorXd target_;
};

/// Stiffnesses that fit best at given times.
struct Solved {
  std::vector<double> log_tau;
  Columns columns;
  VectorXd k;
  VectorXd residual;
  double chi2 = HUGE_VAL;
};

Solved solve_at(const Trace& trace, std::vector<double> log_tau) {
  Solved at;
  at.columns = trace.columns(log_tau);
  at.log_tau = std::move(log_tau);
  at.k = at.columns.linear.colPivHouseholderQr().solve(trace.target());
  at.residual = at.columns.linear * at.k - trace.target();
  at.chi2 = at.residual.squaredNorm();
  return at;
}

bool in_order(const std::vector<double>& log_tau, double low, double high) {
  for (std::size_t i = 0; i < log_tau.size(); ++i) {
    if (!(log_tau[i] >= low && log_tau[i] <= high)) return false;
    if (i > 0 && log_tau[i] - log_tau[i - 1] < std::log(kMinRatio) - 1e-9) return false;
  }
  return true;
}

MatrixXd jacobian(const Solved& at) {
  const Index m = at.columns.slopes.cols();
  MatrixXd matrix(at.columns.linear.rows(), 1 + 2 * m);
  matrix.leftCols(1 + m) = at.columns.linear;
  for (Index b = 0; b < m; ++b) matrix.col(1 + m + b) = at.columns.slopes.col(b) * at.k[1 + b];
  return matrix;
}

/// Gauss-Newton on the times alone: the stiffnesses are solved at every point (variable
/// projection), and the full Jacobian's last columns give the step.
Solved polish(const Trace& trace, Solved at, double low, double high) {
  const auto m = at.log_tau.size();
  for (int i = 0; i < kIterations; ++i) {
    const VectorXd step = -jacobian(at).colPivHouseholderQr().solve(at.residual);
    double factor = 1;
    std::optional<Solved> better;
    for (int halving = 0; halving < 12 && !better; ++halving, factor /= 2) {
      auto next = at.log_tau;
      for (std::size_t b = 0; b < m; ++b)
        next[b] = std::clamp(
            next[b] + factor * std::clamp(step[static_cast<Index>(1 + m + b)], -1.0, 1.0), low,
            high);
      if (!in_order(next, low, high)) continue;
      auto tried = solve_at(trace, next);
      if (tried.chi2 <= at.chi2) better = std::move(tried);
    }
    if (!better) break;
    const double gained = at.chi2 - better->chi2;
    at = std::move(*better);
    if (gained <= 1e-14 * at.chi2) break;
  }
  return at;
}

/// All choices of `branches` grid points in rising order.
void choose(const std::vector<double>& grid, std::size_t branches, std::size_t from,
            std::vector<double>& chosen, std::vector<std::vector<double>>& all) {
  if (chosen.size() == branches) {
    all.push_back(chosen);
    return;
  }
  for (std::size_t i = from; i < grid.size(); ++i) {
    chosen.push_back(grid[i]);
    choose(grid, branches, i + 1, chosen, all);
    chosen.pop_back();
  }
}

/// The best of the best starts of a grid: with two branches the cost has several minima.
Solved best_on_grid(const Trace& trace, std::size_t branches, double low, double high) {
  std::vector<double> grid;
  for (int i = 0; i < kGridPoints; ++i)
    grid.push_back(low + (high - low) * (i + 0.5) / kGridPoints);
  std::vector<std::vector<double>> starts;
  std::vector<double> chosen;
  choose(grid, branches, 0, chosen, starts);
  std::vector<Solved> found;
  for (const auto& start : starts) {
    if (!in_order(start, low, high)) continue;
    auto at = solve_at(trace, start);
    // A falling force has branches of positive stiffness; start among those.
    if (at.k.tail(at.k.size() - 1).minCoeff() > 0) found.push_back(std::move(at));
  }
  const auto better = [](const Solved& a, const Solved& b) { return a.chi2 < b.chi2; };
  std::sort(found.begin(), found.end(), better);
  if (found.size() > kStarts) found.resize(kStarts);
  for (auto& start : found) start = polish(trace, std::move(start), low, high);
  std::sort(found.begin(), found.end(), better);
  return found.empty() ? Solved{} : std::move(found.front());
}

}  // namespace

bool TauWindow::ends_at(double tau_s) const {
  return tau_s < kNearBound * low_s || tau_s * kNearBound > high_s;
}

double PronyFit::u_log_tau(std::size_t branch) const {
  if (covariance.size() == 0) return std::numeric_limits<double>::infinity();
  const auto at = static_cast<Index>(1 + k.size() + branch);
  return std::sqrt(covariance(at, at));
}

Result<PronyFit> fit_prony(std::span<const HoldTrace> traces, std::size_t branches,
                           TauWindow window, std::span<const double> start_tau_s) {
  const Trace trace(traces);
  if (trace.rows() < 2 * branches + 3)
    return fail(ErrorCode::kUnidentifiable, "{} readings of the hold, {} needed", trace.rows(),
                2 * branches + 3);
  const double low = std::log(window.low_s), high = std::log(window.high_s);
  if (branches > 0 && !(high - low > std::log(kMinRatio) * static_cast<double>(branches - 1)))
    return fail(ErrorCode::kUnidentifiable,
                "relaxation times between {:.2g} s and {:.2g} s leave no room for {} branches",
                window.low_s, window.high_s, branches);
  std::vector<double> start;
  for (const double tau_s : start_tau_s) start.push_back(std::log(tau_s));
  auto at = start.size() == branches ? polish(trace, solve_at(trace, start), low, high)
                                     : best_on_grid(trace, branches, low, high);
  if (!std::isfinite(at.chi2))
    return fail(ErrorCode::kUnidentifiable, "no {} branches of positive stiffness fit", branches);
  PronyFit fit;
  fit.k_inf = at.k[0];
  for (std::size_t b = 0; b < branches; ++b) {
    fit.k.push_back(at.k[static_cast<Index>(1 + b)]);
    fit.tau_s.push_back(std::exp(at.log_tau[b]));
    fit.at_bound = fit.at_bound || window.ends_at(fit.tau_s.back());
  }
  fit.chi2 = at.chi2;
  fit.rows = trace.rows();
  fit.lag1 = lag1({at.residual.data(), static_cast<std::size_t>(at.residual.size())});
  const MatrixXd full = jacobian(at);
  fit.condition = condition(full);
  fit.covariance = covariance_from(full);
  return fit;
}

double prony_aicc(const PronyFit& fit) {
  return criteria_known_noise(fit.chi2, 1 + 2 * fit.k.size(), static_cast<double>(fit.rows)).aicc;
}

namespace {

/// Force of every compared row over the fit's, weighted: the scale that a trace still lacks.
double missing_scale(const HoldTrace& trace, const PronyFit& fit) {
  const Trace one({&trace, 1});
  std::vector<double> log_tau;
  for (const double tau_s : fit.tau_s) log_tau.push_back(std::log(tau_s));
  VectorXd k(1 + static_cast<Index>(fit.k.size()));
  k[0] = fit.k_inf;
  for (std::size_t b = 0; b < fit.k.size(); ++b) k[static_cast<Index>(1 + b)] = fit.k[b];
  const VectorXd force = one.columns(log_tau).linear * k;
  return force.dot(one.target()) / force.squaredNorm();
}

}  // namespace

Result<PronyFit> fit_scaled_prony(std::vector<HoldTrace> traces, std::size_t branches,
                                  TauWindow window) {
  auto fit = fit_prony(traces, branches, window);
  for (int i = 0; fit && i < kScaleRounds && traces.size() > 1; ++i) {
    double largest = 0, mean = 0;
    for (auto& trace : traces) {
      const double factor = missing_scale(trace, *fit);
      largest = std::max(largest, std::abs(factor - 1));
      trace.scale *= factor;
      mean += trace.scale / static_cast<double>(traces.size());
    }
    for (auto& trace : traces) trace.scale /= mean;
    fit = fit_prony(traces, branches, window, fit->tau_s);
    if (largest < kScaleTolerance) break;
  }
  const bool open = std::any_of(traces.begin(), traces.end(), [](const HoldTrace& trace) {
    return trace.u_zero_m > 0 || trace.u_drift_m_per_s > 0;
  });
  return fit && open ? fit_zeroed_prony(traces, std::move(*fit), window) : fit;
}

std::size_t count_branches(std::span<const HoldTrace> traces, TauWindow window) {
  const std::vector<HoldTrace> all(traces.begin(), traces.end());
  std::size_t best = 0;
  auto before = fit_scaled_prony(all, 0, window);
  if (!before) return 0;
  for (std::size_t branches = 1; branches <= kMaxBranches; ++branches) {
    auto fit = fit_scaled_prony(all, branches, window);
    if (!fit || prony_aicc(*before) - prony_aicc(*fit) < kAddedBy) break;
    bool known = true;
    for (std::size_t b = 0; b < branches; ++b)
      known = known && fit->u_log_tau(b) < kMaxULogTau && fit->k[b] > 0;
    if (!known && !fit->at_bound) break;
    best = branches;
    before = std::move(fit);
  }
  return best;
}

}  // namespace tactelier
