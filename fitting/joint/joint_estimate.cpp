#include "fitting/joint/joint_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMaxCondition = 1e6;  // ID-01
constexpr double kMaxMisfit = 2;       // chi^2 per degree of freedom
constexpr double kMaxApart = 4;        // combined standard uncertainties, joint and stage
constexpr double kMinApart = 0.01;     // of the value: less is no disagreement whatever u says
constexpr double kMinRatio = 2;        // of neighbouring relaxation times
constexpr std::size_t kFewPresses = 4;

using Traces = std::vector<const JointTrace*>;
using Eigen::Index;

/// k, damping, g_inf, g.., log tau.. of a fit, and their slopes by the fit's own parameters.
struct Turned {
  Eigen::VectorXd values;
  Eigen::MatrixXd slopes;
};

Turned turned(const JointValues& at) {
  const auto m = static_cast<Index>(at.branches());
  Turned result{Eigen::VectorXd(3 + 2 * m), Eigen::MatrixXd::Zero(3 + 2 * m, 4 + 2 * m)};
  double sum = 1;
  for (const double ratio : at.ratio) sum += ratio;
  result.values[0] = at.k;
  result.slopes(0, 0) = at.k;  // fitted as log k
  result.values[1] = at.damping;
  result.slopes(1, 2) = 1;
  for (Index i = 0; i <= m; ++i) {
    const double part = i == 0 ? 1 : at.ratio[static_cast<std::size_t>(i - 1)];
    result.values[2 + i] = part / sum;
    for (Index j = 0; j < m; ++j)
      result.slopes(2 + i, 4 + j) = ((i == j + 1 ? 1 : 0) - part / sum) / sum;
  }
  for (Index j = 0; j < m; ++j) {
    result.values[3 + m + j] = std::log(at.tau_s[static_cast<std::size_t>(j)]);
    result.slopes(3 + m + j, 4 + m + j) = 1;
  }
  return result;
}

/// Squares of how much the numbers change when one press after the other is left out.
Result<Eigen::VectorXd> jackknife(const Traces& traces, const JointFit& fit, const Job& job) {
  std::vector<Eigen::VectorXd> without;
  for (std::size_t out = 0; out < traces.size() && traces.size() >= kFewPresses; ++out) {
    auto rest = traces;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
    const auto one = fit_joint(rest, fit.model, fit.values, job, fit.scatter);
    if (!one && one.error().code == ErrorCode::kCancelled) return fail(one.error());
    if (one && one->converged) without.push_back(turned(one->values).values);
  }
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(turned(fit.values).values.size());
  if (without.size() < kFewPresses) return squares;
  const auto n = static_cast<double>(without.size());
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(squares.size());
  for (const auto& one : without) mean += one / n;
  for (const auto& one : without) squares += (one - mean).cwiseAbs2() * ((n - 1) / n);
  return squares;
}

bool apart(const Estimate& joint, const Estimate& stage, double size) {
  const double off = std::abs(joint.value - stage.value);
  return off > kMaxApart * std::hypot(joint.std, stage.std) && off > kMinApart * std::abs(size);
}

class Refinement {
 public:
  Refinement(const std::vector<JointTrace>& traces, const JointStart& start, const Job& job)
      : start_(start), job_(job) {
    for (const auto& trace : traces) traces_.push_back(&trace);
  }

  Result<JointEstimate> run() {
    auto fit = fit_joint(traces_, start_.model, start_.values, job_);
    if (!fit && fit.error().code == ErrorCode::kCancelled) return fail(fit.error());
    if (!fit) {
      result_.refusal = fit.error().message;
      return result_;
    }
    result_.fit = std::move(*fit);
    if (result_.refusal = unusable(); !result_.refusal.empty()) return result_;
    if (auto compared = compare_models(); !compared) return fail(compared.error());
    if (auto done = intervals(); !done) return fail(done.error());
    result_.refusal = disagreement();
    return result_;
  }

 private:
  std::string unusable() const {
    const auto& fit = result_.fit;
    if (!fit.converged) return "the joint fit did not converge";
    if (fit.covariance.size() == 0 || fit.condition.number > kMaxCondition)
      return fmt::format("the presses do not separate what they share (cond {:.2g})",
                         fit.condition.number);
    if (fit.chi2 / fit.dof > kMaxMisfit)
      return fmt::format("one set of numbers does not describe all presses (χ²/ν = {:.3g})",
                         fit.chi2 / fit.dof);
    const auto& values = fit.values;
    for (std::size_t j = 0; j < values.branches(); ++j) {
      if (!(values.ratio[j] > 0)) return "a branch came out with negative stiffness";
      if (j > 0 && values.tau_s[j] < kMinRatio * values.tau_s[j - 1])
        return "two relaxation times ran into each other";
    }
    return {};
  }

  /// Of the two rate models, equally large: both know the relaxation by now.
  Result<void> compare_models() {
    const bool hunt_crossley = start_.model == RateModel::kHuntCrossley;
    auto values = result_.fit.values;
    values.damping = 0;
    const auto other =
        fit_joint(traces_, hunt_crossley ? RateModel::kKelvinVoigt : RateModel::kHuntCrossley,
                  values, job_, result_.fit.scatter);
    if (!other && other.error().code == ErrorCode::kCancelled) return fail(other.error());
    if (other) result_.delta_chi2 = other->chi2 - result_.fit.chi2;
    if (result_.delta_chi2 < 0)
      result_.refusal = "the other rate model describes the presses better";
    return {};
  }

  Result<void> intervals() {
    const auto& fit = result_.fit;
    const auto at = turned(fit.values);
    const double inflation = serial_inflation(std::clamp(fit.lag1, 0.0, 0.99));
    const double scale = inflation * inflation * std::max(1.0, fit.chi2 / fit.dof);
    const Eigen::MatrixXd within = scale * at.slopes * fit.covariance * at.slopes.transpose();
    const auto between = jackknife(traces_, fit, job_);
    if (!between) return fail(between.error());
    const Eigen::VectorXd wider =
        between->cwiseMax(within.diagonal()).cwiseQuotient(within.diagonal()).cwiseSqrt();
    result_.covariance = wider.asDiagonal() * within * wider.asDiagonal();
    const auto estimate = [&](Index i) {
      return Estimate{at.values[i], std::sqrt(result_.covariance(i, i)),
                      wider[i] > 1 ? static_cast<double>(traces_.size()) - 1 : kManyDegrees};
    };
    result_.k = estimate(0);
    result_.damping = estimate(1);
    const auto m = static_cast<Index>(fit.values.branches());
    for (Index i = 0; i <= m; ++i) result_.g.push_back(estimate(2 + i));
    for (Index j = 0; j < m; ++j) result_.log_tau.push_back(estimate(3 + m + j));
    name_rows();
    result_.method = fmt::format(
        "joint fit of {} presses at one place: within them (serial correlation included) or "
        "between them (jackknife), the wider",
        traces_.size());
    return {};
  }

  /// Rows of log tau become rows of tau.
  void name_rows() {
    const auto m = static_cast<Index>(result_.fit.values.branches());
    result_.names = {"k", start_.model == RateModel::kHuntCrossley ? "dissipation" : "c_n",
                     "g_inf"};
    for (Index j = 0; j < m; ++j) result_.names.push_back(fmt::format("g[{}]", j));
    for (Index j = 0; j < m; ++j) {
      result_.names.push_back(fmt::format("tau[{}]", j));
      const double tau_s = result_.fit.values.tau_s[static_cast<std::size_t>(j)];
      result_.covariance.row(3 + m + j) *= tau_s;
      result_.covariance.col(3 + m + j) *= tau_s;
    }
  }

  std::string disagreement() const {
    if (!result_.refusal.empty()) return result_.refusal;
    const auto differs = [](const std::string& name, const Estimate& joint, const Estimate& stage) {
      return fmt::format("{} differs from its stage's by more than chance: {:.4g} and {:.4g}", name,
                         joint.value, stage.value);
    };
    for (std::size_t i = 0; i < start_.g.size(); ++i)
      if (apart(result_.g[i], start_.g[i], start_.g[i].value))
        return differs(i == 0 ? "g_inf" : fmt::format("g[{}]", i - 1), result_.g[i], start_.g[i]);
    for (std::size_t j = 0; j < start_.log_tau.size(); ++j)
      if (apart(result_.log_tau[j], start_.log_tau[j], 1))
        return differs(fmt::format("log tau[{}]", j), result_.log_tau[j], start_.log_tau[j]);
    return {};
  }

  Traces traces_;
  const JointStart& start_;
  const Job& job_;
  JointEstimate result_;
};

}  // namespace

Result<JointEstimate> estimate_joint(const std::vector<JointTrace>& traces, const JointStart& start,
                                     const Job& job) {
  return Refinement(traces, start, job).run();
}

}  // namespace tactelier
