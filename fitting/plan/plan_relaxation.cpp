// Holds as the relaxation stage would load them, with the force that the expected branches make of
// the planned depth, fitted by that stage itself (fitting/relaxation/relaxation_estimate.hpp).

#include <algorithm>
#include <cmath>

#include "fitting/plan/stage_plans.hpp"
#include "fitting/relaxation/relaxation_estimate.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kSettle_s = 0.02;         // hold_data.cpp: after the stage has stopped
constexpr double kGrowth = 0.04;           // of a group of samples
constexpr double kComputedZero_m = 22e-6;  // of a depth that is computed
constexpr double kShareOfRamp = 10, kShareOfSampledRamp = 3;

/// Force of the branches along a history of depth.
class ExpectedForce {
 public:
  ExpectedForce(const ExpectedSensor& expected) : expected_(expected) {
    for (const auto& branch : expected.branches) states_.emplace_back(branch.tau_s);
  }
  double step(double dt_s, double depth_m) {
    double over_k = depth_m;
    for (std::size_t b = 0; b < states_.size(); ++b) {
      states_[b].step(dt_s, depth_m - depth_m_);
      over_k += expected_.branches[b].ratio * states_[b].value_m();
    }
    depth_m_ = depth_m;
    return expected_.pad.punch_stiffness_N_per_m.value * over_k;
  }

 private:
  const ExpectedSensor& expected_;
  std::vector<PronyBranchState> states_;
  double depth_m_ = 0;
};

void add_row(double time_s, double depth_m, double force_N, double sigma_N, HoldTrace& trace) {
  trace.time_s.push_back(time_s);
  trace.depth_m.push_back(depth_m);
  trace.force_N.push_back(force_N);
  trace.sigma_N.push_back(sigma_N);
}

HoldPress expected_hold(const PlannedPress& press, const PlanBasis& basis) {
  const auto& quality = basis.quality;
  const auto& loading = press.loadings.front();
  const auto& hold = press.holds.front();
  HoldPress made;
  made.tactel = press.tactel;
  made.depth_m = hold.depth_m;
  made.at_force = hold.at_force;
  made.force_N = press.force_N;
  made.begin_s = hold.begin_s;
  made.length_s = hold.end_s - hold.begin_s;
  const double touch_s = loading.begin_s + loading.touch_s();
  made.ramp_s = hold.begin_s - touch_s;
  auto& trace = made.trace;
  trace.begin_s = touch_s;
  if (!quality.motion_measured()) trace.u_zero_m = kComputedZero_m;
  ExpectedForce force(basis.expected);
  add_row(touch_s, 0, force.step(0, 0), 0, trace);
  const double dt_s = quality.force_period_s();
  double t_s = touch_s;
  while (t_s + dt_s < hold.begin_s + kSettle_s) {
    t_s += dt_s;
    const double depth_m = loading.depth_m(t_s - loading.begin_s);
    add_row(t_s, depth_m, force.step(dt_s, depth_m), 0, trace);
  }
  while (t_s < hold.end_s) {
    const double until_s =
        std::min(hold.end_s, t_s + std::max(dt_s, kGrowth * (t_s - hold.begin_s)));
    const double samples = std::max(1.0, std::round((until_s - t_s) / dt_s));
    const double middle_s = t_s + samples * dt_s / 2;
    const double here_N = force.step(middle_s - trace.time_s.back(), hold.depth_m);
    add_row(middle_s, hold.depth_m, here_N, quality.force_noise_N / std::sqrt(samples), trace);
    t_s += samples * dt_s;
  }
  const double ramp_share = quality.motion_measured() ? kShareOfSampledRamp : kShareOfRamp;
  made.window = {std::max({2 * dt_s, made.ramp_s / ramp_share, 2 * kSettle_s}), made.length_s / 2};
  return made;
}

constexpr double kJointMean_s = 5e-3, kJointMean_m = 10e-6;

/// A loading whose every force is compared, as the joint stage does where motion is measured.
HoldTrace expected_ramp(const PlannedLoading& loading, const PlanBasis& basis) {
  const double dt_s = basis.quality.force_period_s();
  HoldTrace trace;
  trace.begin_s = loading.touch_s();
  ExpectedForce force(basis.expected);
  add_row(trace.begin_s, 0, force.step(0, 0), 0, trace);
  double t_s = trace.begin_s;
  while (t_s < loading.end_s()) {
    double next_s = t_s + kJointMean_s;
    while (next_s < loading.end_s() &&
           loading.depth_m(next_s) - loading.depth_m(t_s) < kJointMean_m)
      next_s += dt_s;
    const double depth_m = loading.depth_m(next_s);
    add_row(next_s, depth_m, force.step(next_s - t_s, depth_m),
            basis.quality.force_noise_moving_N / std::sqrt(std::max(1.0, (next_s - t_s) / dt_s)),
            trace);
    t_s = next_s;
  }
  return trace;
}

/// g_inf, g.., log tau.. of all traces together, at the expected values.
RelaxationEstimate joint_estimate(const std::vector<HoldPress>& holds, const PlanBasis& basis) {
  RelaxationEstimate result;
  std::vector<HoldTrace> traces;
  TauWindow window{0, HUGE_VAL};
  for (const auto& hold : holds) {
    traces.push_back(hold.trace);
    window.low_s = std::max(window.low_s, hold.window.low_s);
    window.high_s = std::min(window.high_s, hold.window.high_s);
  }
  for (const auto& press : basis.work.presses)
    if (press.kind == PressKind::kSpeed && press.counts && !press.loadings.empty())
      traces.push_back(expected_ramp(press.loadings.back(), basis));
  std::vector<double> tau_s;
  for (const auto& branch : basis.expected.branches) tau_s.push_back(branch.tau_s);
  for (const double tau : tau_s)
    if (window.ends_at(tau)) {
      result.refusal = fmt::format(
          "DP-03 a relaxation time of {:.2g} s lies beyond what holds of "
          "this length show ({:.2g} to {:.2g} s)",
          tau, window.low_s, window.high_s);
      return result;
    }
  const auto fit = fit_prony(traces, tau_s.size(), window, tau_s);
  if (!fit || fit->covariance.size() == 0) {
    result.refusal = "ID-01 the holds don't separate the branches";
    return result;
  }
  const auto m = static_cast<Eigen::Index>(tau_s.size());
  double k0 = fit->k_inf;
  for (const double k : fit->k) k0 += k;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(1 + 2 * m, 1 + 2 * m);
  std::vector<double> g{fit->k_inf / k0};
  for (const double k : fit->k) g.push_back(k / k0);
  for (Eigen::Index i = 0; i <= m; ++i)
    for (Eigen::Index j = 0; j <= m; ++j)
      turn(i, j) = ((i == j ? 1 : 0) - g[static_cast<std::size_t>(i)]) / k0;
  const Eigen::MatrixXd covariance = turn * fit->covariance * turn.transpose();
  const auto estimate = [&](double value, Eigen::Index i) {
    return Estimate{value, std::sqrt(covariance(i, i)), kManyDegrees};
  };
  result.branches = tau_s.size();
  result.g_inf = estimate(g[0], 0);
  for (Eigen::Index b = 0; b < m; ++b) {
    const auto n = static_cast<std::size_t>(b);
    result.g.push_back(estimate(g[n + 1], 1 + b));
    result.log_tau.push_back(estimate(std::log(fit->tau_s[n]), 1 + m + b));
  }
  return result;
}

std::vector<PlannedShare> budget_of(const Estimate& estimate) {
  return {{{"the force's noise within holds", estimate.std, estimate.dof}, true}};
}

}  // namespace

PlannedParameters plan_relaxation(const PlanBasis& basis) {
  std::vector<HoldPress> holds;
  for (const auto& press : basis.work.presses)
    if (press.kind == PressKind::kHold && press.counts && !press.holds.empty() &&
        !press.loadings.empty())
      holds.push_back(expected_hold(press, basis));
  if (holds.empty())
    return {not_planned("relaxation.g_inf", "",
                        "DP-03 no hold at a depth: nothing shows how the "
                        "force falls")};
  if (basis.expected.branches.empty())
    return {not_planned("relaxation.g_inf", "", "DP-02 no relaxation is expected of this pad")};
  const auto estimate =
      basis.quality.motion_measured() ? joint_estimate(holds, basis) : estimate_relaxation(holds);
  if (!estimate.refusal.empty()) return {not_planned("relaxation.g_inf", "", estimate.refusal)};
  PlannedParameters all{
      planned("relaxation.g_inf", "", estimate.g_inf.value, budget_of(estimate.g_inf))};
  for (std::size_t b = 0; b < estimate.branches; ++b)
    all.push_back(planned(fmt::format("relaxation.g[{}]", b), "", estimate.g[b].value,
                          budget_of(estimate.g[b])));
  for (std::size_t b = 0; b < estimate.branches; ++b)
    all.push_back(planned(fmt::format("relaxation.tau[{}]", b), "s",
                          std::exp(estimate.log_tau[b].value), budget_of(estimate.log_tau[b]),
                          true));
  return all;
}

}  // namespace tactelier
