#include "fitting/joint/joint_fit.hpp"

#include <ceres/problem.h>

#include <cmath>

#include "fitting/joint/joint_cost.hpp"
#include "fitting/statistics/nonlinear.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr int kMaxIterations = 60;
constexpr double kTolerance = 1e-10;
constexpr double kFirstScatter = 0.02;
constexpr double kMinScatter = 1e-5;
constexpr double kAlike = 1.2;  // chi^2 per degree of freedom: one stiffness describes all presses
constexpr int kRounds = 4;
constexpr double kSettled = 1.2;  // of the scatter, from round to round
constexpr std::size_t kOwnForce = 0, kLogScale = 1, kOwnSize = 2;

std::vector<double> packed(const JointValues& values) {
  std::vector<double> shared{std::log(values.k), values.hardening, values.damping,
                             values.hysteresis};
  shared.insert(shared.end(), values.ratio.begin(), values.ratio.end());
  for (const double tau_s : values.tau_s) shared.push_back(std::log(tau_s));
  return shared;
}

JointValues unpacked(const std::vector<double>& shared, std::size_t branches) {
  JointValues values{std::exp(shared[0]), shared[1], shared[2], shared[3], {}, {}};
  for (std::size_t j = 0; j < branches; ++j) {
    values.ratio.push_back(shared[4 + j]);
    values.tau_s.push_back(std::exp(shared[4 + branches + j]));
  }
  return values;
}

/// Neighbouring residuals count only within a press.
double lag1_by_trace(const Eigen::VectorXd& residuals,
                     const std::vector<const JointTrace*>& traces) {
  double lagged = 0;
  Eigen::Index first = 0;
  for (const auto* trace : traces) {
    const auto n = static_cast<Eigen::Index>(trace->rows.size());
    if (n == 0) continue;
    for (Eigen::Index i = 1; i < n; ++i) lagged += residuals[first + i] * residuals[first + i - 1];
    first += n + 1;
  }
  const double squares = residuals.squaredNorm();
  return squares > 0 ? lagged / squares : 0;
}

/// Solved for one scatter of the presses.
struct Solved {
  JointFit fit;
  std::vector<double> own;  // force and log scale, press by press
};

Result<Solved> solve_once(const std::vector<const JointTrace*>& traces, RateModel model,
                          const JointValues& start, std::vector<double> own, double scatter,
                          const Job& job) {
  auto shared = packed(start);
  Solved found{{}, std::move(own)};
  ceres::Problem problem;
  std::vector<double*> blocks{shared.data()};
  for (std::size_t t = 0; t < traces.size(); ++t) {
    if (traces[t]->rows.empty()) continue;
    double* block = &found.own[t * kOwnSize];
    problem.AddResidualBlock(joint_cost(*traces[t], model, start.branches(), scatter), nullptr,
                             shared.data(), block);
    blocks.push_back(block);
  }
  const auto solution = solve(problem, job, {kMaxIterations, kTolerance});
  if (!solution) return fail(solution.error());
  const auto at = linearize(problem, blocks);
  if (!at) return fail(at.error());
  const auto covariance = covariance_of(*at);
  auto& fit = found.fit;
  fit.model = model;
  fit.values = unpacked(shared, start.branches());
  fit.iterations = solution->iterations;
  fit.converged = solution->converged;
  fit.chi2 = covariance.chi2;
  fit.dof = covariance.dof;
  fit.condition = covariance.condition;
  fit.lag1 = lag1_by_trace(at->residuals, traces);
  fit.scatter = scatter;
  const auto n = static_cast<Eigen::Index>(start.size());
  if (covariance.covariance.size() > 0) fit.covariance = covariance.covariance.topLeftCorner(n, n);
  return found;
}

double scatter_of(const std::vector<double>& own) {
  double squares = 0;
  for (std::size_t i = kLogScale; i < own.size(); i += kOwnSize) squares += own[i] * own[i];
  const double count = static_cast<double>(own.size()) / static_cast<double>(kOwnSize);
  return std::max(kMinScatter, std::sqrt(squares / std::max(1.0, count - 1)));
}

}  // namespace

Result<JointFit> fit_joint(const std::vector<const JointTrace*>& traces, RateModel model,
                           const JointValues& start, const Job& job,
                           std::optional<double> scatter) {
  std::size_t rows = 0;
  for (const auto* trace : traces) rows += trace->rows.size();
  if (rows <= start.size() + traces.size())
    return fail(ErrorCode::kUnidentifiable, "{} readings for the joint fit, {} needed", rows,
                start.size() + traces.size() + 1);
  double used = scatter.value_or(kMinScatter);
  auto found =
      solve_once(traces, model, start, std::vector<double>(traces.size() * kOwnSize), used, job);
  const bool alike = found && found->fit.chi2 / found->fit.dof < kAlike;
  for (int round = 0; found && !scatter && !alike && round < kRounds; ++round) {
    const double next = round == 0 ? kFirstScatter : scatter_of(found->own);
    if (next > used / kSettled && next < used * kSettled) break;
    used = next;
    found = solve_once(traces, model, found->fit.values, std::move(found->own), used, job);
  }
  if (!found) return fail(found.error());
  for (std::size_t t = 0; t < traces.size(); ++t)
    found->fit.own_N.push_back(found->own[t * kOwnSize + kOwnForce]);
  return std::move(found->fit);
}

}  // namespace tactelier
