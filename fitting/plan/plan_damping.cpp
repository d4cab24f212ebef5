// Presses at several speeds (docs/theory/damping-and-relaxation.md 5): means over short segments of
// the planned motion, by the equations of motion_fit.hpp where the path is computed, of
// damping_fit.hpp where motion is measured.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/plan/stage_plans.hpp"
#include "fitting/statistics/condition.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

constexpr double kMinSpan = 5;      // DP-01, of speeds
constexpr double kMean_s = 4.5e-3;  // of a segment, at least
constexpr double kMean_m = 10e-6;
constexpr double kMicrosteps = 16;        // of the microstep error: whole periods are averaged
constexpr double kShallow = 0.1;          // of the depth: not surely in touch
constexpr double kEdgeDelay_s = 0.05e-3;  // of a plate's step edges, beside
constexpr double kMinDelay_s = 0.08e-3;   // path_estimate.cpp: shapes of edges differ
constexpr double kReleased_s = 0.25e-3, kReleasedAtDepth_s = 0.5e-3;
constexpr double kOff_m = 0.8e-6;  // of a press's own surface along a computed path
constexpr double kMostPlateSpeed_m_per_s = 0.2e-3;  // whose steps show one by one
constexpr double kOverRepeatability = 2;            // DP-02

/// Mean over a segment of one press.
struct PlannedRate {
  std::size_t press = 0;
  double depth_m = 0;
  double velocity_m_per_s = 0;
  double sigma_N = 0;
  std::vector<double> branch_m, slope_m;  // of each branch, and by log tau
};

struct RatePlan {
  std::vector<PlannedRate> rows;
  std::vector<double> speeds_m_per_s;  // by press
  double depth_m = 0;                  // mean of the rows
};

/// Branches of rubber that rested before, along one loading.
class BranchHistory {
 public:
  BranchHistory(const ExpectedSensor& expected, const PlannedLoading& loading)
      : loading_(loading), at_s_(loading.touch_s()) {
    for (const auto& branch : expected.branches) states_.emplace_back(branch.tau_s);
  }
  void go_on(double until_s, PlannedRate& row) {
    const double to_m = loading_.depth_m(until_s);
    for (auto& state : states_) {
      state.step(until_s - at_s_, to_m - depth_m_);
      row.branch_m.push_back(state.value_m());
      row.slope_m.push_back(state.slope_m());
    }
    at_s_ = until_s;
    depth_m_ = to_m;
  }

 private:
  const PlannedLoading& loading_;
  std::vector<PronyBranchState> states_;
  double at_s_;
  double depth_m_ = 0;
};

RatePlan rates_of(const PlanBasis& basis) {
  const auto& quality = basis.quality;
  RatePlan plan;
  const double dt_s = quality.force_period_s();
  const double least_m =
      quality.motion_measured()
          ? kMean_m
          : std::max(kMean_m, quality.microstep_error_m > 0 ? kMicrosteps * quality.step_m : 0.0);
  for (const auto& press : basis.work.presses) {
    if (press.kind != PressKind::kSpeed || !press.indenter.indenter.flat_area_m2() ||
        press.loadings.empty())
      continue;
    const auto& loading = press.loadings.back();
    const auto number = plan.speeds_m_per_s.size();
    plan.speeds_m_per_s.push_back(loading.speed_m_per_s);
    double begin_s = loading.touch_s(), end_s = loading.end_s();
    BranchHistory branches(basis.expected, loading);
    while (begin_s < end_s && loading.depth_m(begin_s) < kShallow * press.depth_m) begin_s += dt_s;
    while (begin_s < end_s) {
      double until_s = begin_s + std::max(kMean_s, dt_s);
      while (until_s < end_s && loading.depth_m(until_s) - loading.depth_m(begin_s) < least_m)
        until_s += dt_s;
      if (until_s > end_s) break;
      const double from_m = loading.depth_m(begin_s), to_m = loading.depth_m(until_s);
      const double count = std::max(1.0, std::round((until_s - begin_s) / dt_s));
      PlannedRate row;
      row.press = number;
      row.depth_m = (from_m + to_m) / 2;
      row.velocity_m_per_s = (to_m - from_m) / (until_s - begin_s);
      // A position read to a step tells speed to a share of itself.
      const double k = basis.expected.pad.punch_stiffness_N_per_m.value;
      const double by_steps = quality.motion_measured()
                                  ? quality.step_m / std::sqrt(6.0) / (to_m - from_m) *
                                        row.velocity_m_per_s *
                                        (basis.expected.hunt_crossley
                                             ? k * row.depth_m * basis.expected.dissipation_s_per_m
                                             : k * basis.expected.kelvin_voigt_s)
                                  : 0;
      row.sigma_N = std::hypot(quality.force_noise_moving_N / std::sqrt(count), by_steps);
      branches.go_on((begin_s + until_s) / 2, row);
      plan.rows.push_back(row);
      // A stage that shows its motion itself speaks on the way out, too.
      if (quality.motion_measured()) {
        row.velocity_m_per_s = -row.velocity_m_per_s;
        plan.rows.push_back(row);
      }
      begin_s = until_s;
    }
  }
  for (const auto& row : plan.rows)
    plan.depth_m += row.depth_m / static_cast<double>(plan.rows.size());
  return plan;
}

/// Shared columns of both kinds; then the branches' ratios and times, then one for each press.
enum RateColumn : Index { kStiffness, kHardening, kRate, kCommon, kRateColumns };

/// Of the delay of force behind command, by the edges that the stage's steps make on the plate.
/// Steps that keep in time with the samples show them at one place between two of them.
double delay_u_s(const PlanBasis& basis) {
  constexpr double kLocked = 1;  // step_edges.cpp: samples that an edge moves by within them
  const auto& quality = basis.quality;
  const double sample_s = quality.force_period_s();
  double locked_s = HUGE_VAL;
  for (const auto& plate : basis.work.plates) {
    if (plate.speed_m_per_s > kMostPlateSpeed_m_per_s) continue;
    const double samples = quality.step_m / plate.speed_m_per_s / sample_s;
    const double steps = plate.force_N * quality.compliance_m_per_N / quality.step_m;
    const bool locked = std::abs(samples - std::round(samples)) * steps < kLocked;
    locked_s = std::min(locked_s, locked ? u_rectangular(sample_s / 2) : 0.0);
  }
  return std::hypot(kEdgeDelay_s, kMinDelay_s, locked_s);
}

/// Relative standard uncertainty of a planned parameter; nothing known: none.
double relative_u(const PlannedParameters& relaxation, const std::string& path) {
  for (const auto& one : relaxation)
    if (one.path == path && one.promised()) return *one.u / 1.96 / one.value;
  return 1;
}

struct RateInformation {
  double u_rate = 0;   // of T in s or d in s/m, by the force's noise
  double u_delay = 0;  // by the delay of the force behind the command
};

RateInformation information_of(const PlanBasis& basis, const RatePlan& plan,
                               const PlannedParameters& relaxation) {
  const auto& expected = basis.expected;
  const bool measured = basis.quality.motion_measured();
  const bool hc = expected.hunt_crossley;
  const double k = expected.pad.punch_stiffness_N_per_m.value;
  const double rate = hc ? expected.dissipation_s_per_m : expected.kelvin_voigt_s;
  const auto presses = static_cast<Index>(plan.speeds_m_per_s.size());
  const auto rows = static_cast<Index>(plan.rows.size());
  const auto branches = static_cast<Index>(expected.branches.size());
  const Index own = kRateColumns + 2 * branches;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(rows + presses + 2 * branches, own + presses);
  Eigen::VectorXd late = Eigen::VectorXd::Zero(jacobian.rows());
  for (Index i = 0; i < rows; ++i) {
    const auto& row = plan.rows[static_cast<std::size_t>(i)];
    const double e = row.depth_m, v = row.velocity_m_per_s, w = 1 / row.sigma_N;
    double stiff_m = hc ? e * (1 + rate * v) : e + rate * v;
    for (Index b = 0; b < branches; ++b) {
      const auto n = static_cast<std::size_t>(b);
      const double ratio = expected.branches[n].ratio;
      stiff_m += ratio * row.branch_m[n];
      jacobian(i, kRateColumns + 2 * b) = w * k * ratio * row.branch_m[n];
      jacobian(i, kRateColumns + 2 * b + 1) = w * k * ratio * row.slope_m[n];
    }
    jacobian(i, kStiffness) = w * stiff_m;
    jacobian(i, kHardening) = w * k * e * e;
    jacobian(i, kRate) = w * k * (hc ? e * v : v);
    const double by_surface = -w * k * (hc ? 1 + rate * v : 1);
    // Measured: a share that changes sign with the motion, and a force of each press's own.
    jacobian(i, kCommon) = measured ? w * k * e * (v > 0 ? 1 : -1) : by_surface;
    jacobian(i, own + static_cast<Index>(row.press)) = measured ? w : by_surface;
    late[i] = by_surface * v;
  }
  for (Index p = 0; p < presses; ++p) jacobian(rows + p, own + p) = measured ? 1e-6 : 1 / kOff_m;
  const double u_g_inf = relative_u(relaxation, "relaxation.g_inf");
  for (Index b = 0; b < branches; ++b) {
    const Index at = rows + presses + 2 * b;
    jacobian(at, kRateColumns + 2 * b) =
        1 / std::hypot(relative_u(relaxation, fmt::format("relaxation.g[{}]", b)), u_g_inf);
    jacobian(at + 1, kRateColumns + 2 * b + 1) =
        1 / relative_u(relaxation, fmt::format("relaxation.tau[{}]", b));
  }
  const auto covariance = covariance_from(jacobian);
  RateInformation result;
  if (covariance.size() == 0) {
    result.u_rate = HUGE_VAL;
    return result;
  }
  // Residuals of a sampled position follow one another, step by step.
  constexpr double kFollowing = 1.7;
  result.u_rate = (measured ? kFollowing : 1) * std::sqrt(covariance(kRate, kRate));
  if (!measured)
    result.u_delay =
        delay_u_s(basis) * std::abs(covariance.row(kRate).dot(jacobian.transpose() * late));
  return result;
}

std::string why_no_rates(const PlanBasis& basis, const RatePlan& plan) {
  if (plan.speeds_m_per_s.empty()) return "DP-01 no presses at several speeds with a flat end";
  const auto [least, most] =
      std::minmax_element(plan.speeds_m_per_s.begin(), plan.speeds_m_per_s.end());
  if (*most < kMinSpan * *least)
    return fmt::format("DP-01 speeds of {:.3g} to {:.3g} mm/s are too close", 1e3 * *least,
                       1e3 * *most);
  if (basis.quality.motion_measured()) return {};
  const auto& plates = basis.work.plates;
  const bool edges = std::any_of(plates.begin(), plates.end(), [](const auto& plate) {
    return plate.speed_m_per_s <= kMostPlateSpeed_m_per_s;
  });
  if (!edges)
    return "DP-05 no slow press of a rigid plate tells how late the force is behind the command: "
           "without it damping and delay are one number";
  return {};
}

}  // namespace

PlannedParameters plan_damping(const PlanBasis& basis, const PlannedParameters& relaxation) {
  const bool hc = basis.expected.hunt_crossley;
  const std::string path = hc ? "damping.dissipation" : "damping.c_n";
  const std::string unit = hc ? "s/m" : "N*s/m";
  const auto plan = rates_of(basis);
  if (const auto why = why_no_rates(basis, plan); !why.empty())
    return {not_planned(path, unit, why)};
  const auto found = information_of(basis, plan, relaxation);
  const double u = std::hypot(found.u_rate, found.u_delay);
  const double at_depth = hc ? plan.depth_m : 1;
  const double needed_s = hc ? kReleasedAtDepth_s : kReleased_s;
  if (!basis.quality.motion_measured() && u * at_depth > needed_s)
    return {not_planned(
        path, unit,
        fmt::format("DP-05 these presses tell c/k to {:.2g} ms, {:.2g} ms are needed: press six "
                    "times at each speed up to the stage's fastest, and the plate more often",
                    1e3 * u * at_depth, 1e3 * needed_s))};
  const double k = basis.expected.pad.punch_stiffness_N_per_m.value;
  const double scale = hc ? 1 : k;
  const double rate = hc ? basis.expected.dissipation_s_per_m : basis.expected.kelvin_voigt_s;
  std::vector<PlannedShare> budget{
      {{basis.quality.motion_measured() ? "the force's noise"
                                        : "the force's noise and where the stage is",
        scale * found.u_rate},
       true},
      {{"how late the force is behind the command", scale * found.u_delay}, true}};
  if (!hc) add_force_gain(basis.quality, scale * rate, budget);
  auto made = planned(path, unit, scale * rate, std::move(budget));
  const bool holds = !relaxation.empty() && relaxation.front().promised();
  if (!holds && !basis.expected.branches.empty() && made.promised())
    made.may_fail =
        "ID-07 no hold shows how the pad relaxes; rubber that does is described by "
        "neither law (P6)";
  return {made};
}

}  // namespace tactelier
