// Presses with a flat end as the point-spread stage would load them: rows over the expected forces,
// information by that stage's own shares and group sums (fitting/psf/psf_evaluate.hpp), scatter
// between presses added as it adds it.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/plan/stage_plans.hpp"
#include "fitting/psf/psf_scatter.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/statistics/refusal.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBlocks = 32;  // psf_rows.cpp: rows of one press
constexpr double kReach = 2.6;       // pitches: tactels beyond read nothing of a press
constexpr std::size_t kMinAnswering = 8;
constexpr double kOpen = 0.5;     // psf.cpp: of the slope, by a tactel's own rows
constexpr double kClearLine = 5;  // noises above the offset
constexpr double kSamePlace_m = 0.1e-3;

struct SpreadPlan {
  PsfProblem problem;
  PsfState state;
  double rate_N_per_s = 0;  // how fast force rises, median
  double repeats = 0;       // presses at a place pressed before
};

bool speaks(const PlannedPress& press, bool any_slow) {
  return press.kind != PressKind::kArea && !(any_slow && is_dynamic(press.kind)) &&
         !press.loadings.empty() && press.force_N > 0;
}

/// Rows of one tactel in one press whose force rises evenly to its peak.
void add_group(const PlanBasis& basis, const PlannedPress& press, std::uint32_t number,
               double share, double slope, double intercept, double relative, PsfTactel& tactel) {
  const auto& loading = press.loadings.back();
  const double loads_s = std::max(1e-3, loading.end_s() - loading.touch_s());
  const double frames = std::max(1.0, std::floor(loads_s * basis.quality.tactile_rate_hz));
  const auto blocks = std::min(kBlocks, static_cast<std::size_t>(frames));
  const double in_block = frames / static_cast<double>(blocks);
  const double force_u2 = std::pow(basis.quality.force_noise_moving_N, 2) / in_block;
  const double counts_u2 = std::pow(basis.quality.tactile_noise_counts, 2) / in_block;
  const double ceiling = basis.expected.pad.press_saturation_N.value;
  PsfGroup group{number, static_cast<std::uint32_t>(tactel.rows.size()), 0};
  for (std::size_t b = 0; b < blocks; ++b) {
    PsfRow row;
    row.force_N = press.force_N * (static_cast<double>(b) + 0.5) / static_cast<double>(blocks);
    row.half_range_N = press.force_N / static_cast<double>(2 * blocks);
    if (row.force_N > ceiling) break;
    const double line = slope * share * row.force_N - intercept;
    row.counts = std::max(0.0, line);
    const double by_force = line > 0 ? std::pow(slope * share, 2) * force_u2 : 0;
    row.weight = 1 / (counts_u2 + by_force + std::pow(relative * row.counts, 2));
    row.kind = PsfRowKind::kFloored;
    tactel.rows.push_back(row);
  }
  group.end = static_cast<std::uint32_t>(tactel.rows.size());
  if (group.end > group.begin) tactel.groups.push_back(group);
}

double answering_rows(const PsfTactel& tactel, double noise_counts) {
  return static_cast<double>(
      std::count_if(tactel.rows.begin(), tactel.rows.end(),
                    [&](const PsfRow& row) { return row.counts > kClearLine * noise_counts; }));
}

Result<SpreadPlan> spread_plan(const PlanBasis& basis) {
  auto layout = PsfLayout::create(basis.sensor);
  if (!layout) return fail(layout.error());
  SpreadPlan plan{{std::move(*layout), {}, {}, {}, 1, 1}, {}, 0, 0};
  auto& problem = plan.problem;
  const double pitch_m = problem.layout.pitch_m();
  plan.state.spread.m = 2 * std::log(basis.expected.sigma_pitches * pitch_m);
  plan.state.frames.resize(1);
  const auto& presses = basis.work.presses;
  const bool any_slow = std::any_of(presses.begin(), presses.end(), [](const auto& press) {
    return press.kind != PressKind::kArea && !is_dynamic(press.kind) && press.counts;
  });
  std::vector<const PlannedPress*> used;
  std::vector<double> rates;
  for (const auto& press : presses) {
    if (!speaks(press, any_slow)) continue;
    auto footprint = press_footprint(press.indenter.indenter, pitch_m);
    if (!footprint) continue;
    for (const auto* before : used)
      if (std::hypot(before->x_m - press.x_m, before->y_m - press.y_m) < kSamePlace_m) {
        ++plan.repeats;
        break;
      }
    if (problem.footprints.empty()) problem.footprints.push_back(std::move(*footprint));
    problem.presses.push_back({press.x_m, press.y_m, 0, 0, true});
    used.push_back(&press);
    rates.push_back(press.force_N / press.depth_m * press.loadings.back().speed_m_per_s);
  }
  if (used.empty())
    return fail(ErrorCode::kUnidentifiable, "PS-01 no press with a flat end whose place is known");
  plan.rate_N_per_s = median(rates);
  const double relative = plan.repeats > 0 ? basis.quality.press_scatter : 0;
  const PsfModel round;
  const auto shares = psf_shares(problem, round, plan.state, false);
  std::vector<Share> centred(problem.layout.tactels());
  for (int t = 0; t < basis.sensor.tactels(); ++t) {
    const auto at_m = basis.sensor.position_m(t);
    problem.layout.shares(at_m[0], at_m[1], problem.footprints[0],
                          spread_covariance(plan.state.spread), PsfForm::kIntegrated,
                          PsfEdge::kZero, centred);
    const double own = centred[static_cast<std::size_t>(t)].value;
    const double slope = 1 / (basis.expected.press_gain_N_per_count * own);
    const double intercept = slope * own * basis.expected.press_threshold_N;
    PsfTactel tactel;
    tactel.index = t;
    for (std::uint32_t p = 0; p < used.size(); ++p) {
      const double away_m = std::hypot(used[p]->x_m - at_m[0], used[p]->y_m - at_m[1]);
      if (away_m > kReach * pitch_m) continue;
      add_group(basis, *used[p], p, shares.at(p, static_cast<std::size_t>(t)), slope, intercept,
                relative, tactel);
    }
    if (answering_rows(tactel, basis.quality.tactile_noise_counts) < kMinAnswering) continue;
    problem.tactels.push_back(std::move(tactel));
    plan.state.slope.push_back(slope);
    plan.state.intercept.push_back(intercept);
  }
  if (problem.tactels.empty())
    return fail(ErrorCode::kUnidentifiable, "PS-01 no tactel will answer clearly: press harder");
  return plan;
}

PsfFit at_expected(const SpreadPlan& plan, bool ghosting) {
  PsfFit fit;
  fit.model.ghosting = ghosting;
  fit.state = plan.state;
  fit.shares = psf_shares(plan.problem, fit.model, fit.state, true);
  fit.normal = psf_normal(plan.problem, fit.state, fit.shares);
  return fit;
}

/// Rows alone leave the slope open: such a tactel can't speak for the spread.
void drop_open(SpreadPlan& plan) {
  const auto fit = at_expected(plan, false);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < plan.problem.tactels.size(); ++t) {
    const auto& own = fit.normal.locals[t].own;
    const double information = own(1, 1) > 0 ? own.determinant() / own(1, 1) : 0;
    if (!(information * std::pow(kOpen * plan.state.slope[t], 2) > 1)) continue;
    if (kept != t) plan.problem.tactels[kept] = std::move(plan.problem.tactels[t]);
    plan.state.slope[kept] = plan.state.slope[t];
    plan.state.intercept[kept] = plan.state.intercept[t];
    ++kept;
  }
  plan.problem.tactels.resize(kept);
  plan.state.slope.resize(kept);
  plan.state.intercept.resize(kept);
}

struct SpreadInformation {
  Eigen::MatrixXd covariance;  // as PsfUncertainty
  Condition condition;
  PsfScatter scatter;
};

/// PsfUncertainty's covariance with the scatter that is expected instead of found.
SpreadInformation information_of(const PlanBasis& basis, const SpreadPlan& plan,
                                 const PsfFit& fit) {
  const auto terms = psf_group_terms(plan.problem, fit);
  const auto n = slope_column(fit, plan.problem.tactels.size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, n);
  const auto shared = fit.normal.shared.rows();
  all.topLeftCorner(shared, shared) = fit.normal.shared;
  for (std::size_t t = 0; t < fit.normal.locals.size(); ++t) {
    const auto at = slope_column(fit, t);
    all.block(at, at, 2, 2) = fit.normal.locals[t].own;
    all.block(at, 0, 2, shared) = fit.normal.locals[t].shared;
    all.block(0, at, shared, 2) = fit.normal.locals[t].shared.transpose();
  }
  SpreadInformation result;
  result.condition = psf_condition(plan.problem, fit);
  const Eigen::VectorXd scale = all.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * all * scale.asDiagonal();
  const Eigen::MatrixXd inverse = scale.asDiagonal() *
                                  scaled.ldlt().solve(Eigen::MatrixXd::Identity(n, n)) *
                                  scale.asDiagonal();
  auto& scatter = result.scatter;
  scatter.total = scatter.of_press = basis.quality.press_scatter;
  scatter.place_m = basis.quality.microstep_error_m / std::sqrt(2);
  scatter.dof = std::max(1.0, static_cast<double>(terms.size()) -
                                  static_cast<double>(plan.problem.tactels.size()) -
                                  static_cast<double>(fit.shares.columns));
  std::vector<int> columns;
  for (Eigen::Index i = 0; i < n; ++i) columns.push_back(static_cast<int>(i));
  Eigen::MatrixXd spread = all;
  add_psf_scatter(terms, plan.problem, fit, columns, scatter, spread);
  result.covariance = inverse * spread * inverse;
  return result;
}

std::string limit_words(const PlanBasis& basis) {
  return basis.quality.press_scatter > 0.005 ? "scatter from press to press"
                                             : "noise of readings and force";
}

PlannedParameters tactels_of(const PlanBasis& basis, const SpreadPlan& plan, const PsfFit& fit,
                             const SpreadInformation& information, double dof) {
  std::vector<double> gains, thresholds, value_gain, value_threshold;
  for (std::size_t t = 0; t < plan.problem.tactels.size(); ++t) {
    const double slope = plan.state.slope[t], q = plan.state.intercept[t];
    const auto s = slope_column(fit, t), i = intercept_column(fit, t);
    const auto& c = information.covariance;
    gains.push_back(std::sqrt(std::max(0.0, c(s, s))) / slope);
    value_gain.push_back(1 / slope);
    const double by_q = 1 / slope, by_s = -q / (slope * slope);
    thresholds.push_back(std::sqrt(
        std::max(0.0, by_q * by_q * c(i, i) + by_s * by_s * c(s, s) + 2 * by_q * by_s * c(i, s))));
    value_threshold.push_back(q / slope);
  }
  const auto of = basis.sensor.tactels();
  const auto count = static_cast<int>(gains.size());
  std::vector<PlannedShare> gain{{{limit_words(basis), median(gains), dof}, true}};
  add_force_gain(basis.quality, 1, gain);
  const double threshold_N = median(value_threshold);
  std::vector<PlannedShare> threshold{{{limit_words(basis), median(thresholds), dof}, true}};
  add_force_gain(basis.quality, threshold_N, threshold);
  double share = 0;
  for (const double slope : plan.state.slope)
    share = std::max(share, 1 / (slope * basis.expected.press_gain_N_per_count));
  if (!basis.quality.motion_measured())
    threshold.push_back({{"how late readings are behind the force",
                          share * plan.rate_N_per_s / basis.quality.tactile_rate_hz},
                         true});
  threshold.push_back(
      {{"when within a frame a reading was made",
        share * plan.rate_N_per_s * u_resolution(1 / basis.quality.tactile_rate_hz)},
       false});
  PlannedParameters all{
      planned("response.tactels[].gain", "N/count", median(value_gain), std::move(gain), true),
      planned("response.tactels[].threshold", "N", threshold_N, std::move(threshold))};
  for (auto& one : all) {
    one.determined = count;
    one.of = of;
  }
  return all;
}

PlannedParameters no_spread(const std::string& reason) {
  return {not_planned("psf.sigma", "m", reason),
          not_planned("response.tactels[].gain", "N/count", reason),
          not_planned("response.tactels[].threshold", "N", reason)};
}

}  // namespace

PlannedParameters plan_spread(const PlanBasis& basis) {
  auto plan = spread_plan(basis);
  if (!plan) return no_spread(plan.error().message);
  drop_open(*plan);
  if (plan->problem.tactels.empty())
    return no_spread("PS-01 no tactel will answer clearly: press harder");
  auto fit = at_expected(*plan, true);
  if (!(psf_condition(plan->problem, fit).number < kConditionWarn)) fit = at_expected(*plan, false);
  const auto information = information_of(basis, *plan, fit);
  const double sigma_m = std::exp(plan->state.spread.m / 2);
  const double u = std::sqrt(information.covariance(0, 0)) / 2;
  if (!(information.condition.number < kConditionRefuse) || !(u < 0.5))
    return no_spread(
        "PS-03 presses on isolated centres don't separate spread and gains: press "
        "between tactels too");
  const auto presses = static_cast<double>(plan->problem.presses.size());
  const double dof = std::max(1.0, std::min(presses - 1, information.scatter.dof));
  PlannedParameters all{planned(
      "psf.sigma", "m", sigma_m,
      {{{fit.model.ghosting ? limit_words(basis) + ", ghosting left open" : limit_words(basis), u,
         dof},
        true}},
      true)};
  for (auto& one : tactels_of(basis, *plan, fit, information, dof)) all.push_back(std::move(one));
  return all;
}

}  // namespace tactelier
