#include "fitting/joint/joint.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/joint/joint_data.hpp"
#include "fitting/joint/joint_estimate.hpp"
#include "fitting/joint/long_time.hpp"
#include "fitting/joint/unknown_relaxation.hpp"
#include "fitting/statistics/refusal.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "joint";
constexpr double kMinFall = 0.01;   // of the force over a hold: less is drift
constexpr double kCoverage = 1.96;  // of u_total where degrees of freedom are not known

Estimate estimate_of(const Parameter& parameter) {
  return {*parameter.value, parameter.std.value_or(0), kManyDegrees};
}

bool relaxes(const Relaxation& relaxation) {
  if (!relaxation.g_inf.identified() || relaxation.g.empty()) return false;
  for (std::size_t b = 0; b < relaxation.g.size(); ++b)
    if (!relaxation.g[b].identified() || !relaxation.tau[b].identified()) return false;
  return true;
}

/// Relative half-width over 1.96: of a logarithmic parameter its standard error.
double relative_std(const Parameter& parameter) {
  if (!parameter.ci95 || !((*parameter.ci95)[0] > 0)) return parameter.std.value_or(0);
  return std::log((*parameter.ci95)[1] / (*parameter.ci95)[0]) / (2 * kCoverage);
}

JointValues relaxing(const Relaxation& relaxation) {
  JointValues values;
  values.k = 1;
  for (std::size_t b = 0; b < relaxation.g.size(); ++b) {
    values.ratio.push_back(*relaxation.g[b].value / *relaxation.g_inf.value);
    values.tau_s.push_back(*relaxation.tau[b].value);
  }
  return values;
}

JointStart start_of(const SensorModel& model) {
  const auto& damping = model.damping;
  const auto& relaxation = model.relaxation;
  JointStart start;
  start.model = damping.dissipation.value ? RateModel::kHuntCrossley : RateModel::kKelvinVoigt;
  start.values = relaxing(relaxation);
  const auto& figures = model.quality.at("damping").figures;
  const auto here = figures.find("k_punch_over_k_here");
  start.damping = estimate_of(damping.dissipation.value ? damping.dissipation : damping.c_n);
  if (!damping.dissipation.value && here != figures.end()) {
    start.damping.value /= here->second;
    start.damping.std /= here->second;
  }
  start.values.damping = start.damping.value;
  start.values.k = model.stiffness.k_punch.value.value_or(1e3);
  start.g.push_back(estimate_of(relaxation.g_inf));
  for (const auto& g : relaxation.g) start.g.push_back(estimate_of(g));
  for (const auto& tau : relaxation.tau)
    start.log_tau.push_back({std::log(*tau.value), relative_std(tau), kManyDegrees});
  return start;
}

/// `old` with a new estimate and the systematic part that it had: relative for logarithms.
Parameter refined(const Parameter& old, const char* name, const Estimate& estimate,
                  bool logarithmic) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = old.unit;
  candidate.estimate = estimate;
  candidate.logarithmic = logarithmic;
  std::vector<Component> systematic;
  if (old.u_total && old.std) {
    const double total = *old.u_total / kCoverage;
    const double rest = std::sqrt(std::max(0.0, total * total - *old.std * *old.std));
    systematic.push_back(
        {"as in its stage", logarithmic ? rest / std::abs(*old.value) : rest, kManyDegrees});
  }
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage, systematic);
}

void replace(const JointEstimate& found, SensorModel& model) {
  auto& relaxation = model.relaxation;
  relaxation.g_inf = refined(relaxation.g_inf, "g_inf", found.g[0], false);
  for (std::size_t b = 0; b < relaxation.g.size(); ++b) {
    relaxation.g[b] = refined(relaxation.g[b], "g", found.g[b + 1], false);
    relaxation.tau[b] = refined(relaxation.tau[b], "τ", found.log_tau[b], true);
  }
  auto& damping = model.damping;
  if (found.fit.model == RateModel::kHuntCrossley) {
    damping.dissipation = refined(damping.dissipation, "d", found.damping, false);
    return;
  }
  const auto& figures = model.quality.at("damping").figures;
  const auto here = figures.find("k_punch_over_k_here");
  auto c_n = found.damping;
  if (here != figures.end()) {
    c_n.value *= here->second;
    c_n.std *= here->second;
  }
  damping.c_n = refined(damping.c_n, "c_n", c_n, false);
}

/// The correlation matrix as a covariance block: relaxation and damping by their paths.
void add_covariance(const JointEstimate& found, SensorModel& model) {
  CovarianceBlock block;
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const auto& name = found.names[i];
    if (name == "k") continue;  // of this place, which is no parameter of the model
    const bool rate = name == "c_n" || name == "dissipation";
    block.parameters.push_back((rate ? "damping." : "relaxation.") + name);
    rows.push_back(static_cast<Eigen::Index>(i));
  }
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) block.lower.push_back(found.covariance(rows[a], rows[b]));
  model.covariance.push_back(std::move(block));
}

void fill_quality(const JointEstimate& found, const JointPresses& presses, StageQuality& quality) {
  const auto& fit = found.fit;
  quality.figures["presses_of_speed"] = static_cast<double>(presses.rates);
  quality.figures["presses_held"] = static_cast<double>(presses.holds);
  if (fit.own_N.empty()) return;
  for (const auto& trace : presses.traces)
    quality.samples_used += static_cast<int>(trace.rows.size());
  quality.chi2_per_dof = fit.chi2 / fit.dof;
  quality.cost = fit.chi2 / 2;
  quality.iterations = fit.iterations;
  quality.interval_method = found.method;
  quality.figures["condition"] = fit.condition.number;
  quality.figures["residual_lag1"] = fit.lag1;
  quality.figures["scatter_of_presses_percent"] = 100 * fit.scatter;
  quality.figures["k_here_N_per_m"] = fit.values.k;
  quality.figures["other_rate_model_delta_chi2"] = found.delta_chi2;
  for (std::size_t a = 0; a < found.names.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto i = static_cast<Eigen::Index>(a), j = static_cast<Eigen::Index>(b);
      quality.figures[fmt::format("correlation {} {}", found.names[b], found.names[a])] =
          found.covariance(i, j) / std::sqrt(found.covariance(i, i) * found.covariance(j, j));
    }
}

/// Numbers of the joint fit, or of the stages where there is none.
Result<KnownRelaxation> refine(FitContext& context) {
  auto& model = context.model;
  auto& quality = model.quality[kStage];
  const auto& g_inf = model.relaxation.g_inf;
  const double u = g_inf.std.value_or(0) / *g_inf.value;
  KnownRelaxation known{RateModel::kKelvinVoigt, relaxing(model.relaxation), u};
  if (!model.damping.c_n.value && !model.damping.dissipation.value) return known;
  const auto start = start_of(model);
  known = {start.model, start.values, u};
  const auto presses = load_joint(context);
  if (!presses) return fail(presses.error());
  if (presses->rates < 2 || presses->holds == 0) return known;
  const auto found = estimate_joint(presses->traces, start, context.job);
  if (!found) return fail(found.error());
  fill_quality(*found, *presses, quality);
  if (!found->refusal.empty()) {
    quality.warnings.push_back(
        {"JOINT",
         fmt::format("Damping and relaxation stay as their stages found them: {}.", found->refusal),
         presses->where});
    return known;
  }
  replace(*found, model);
  add_covariance(*found, model);
  return KnownRelaxation{found->fit.model, found->fit.values, found->k.std / found->k.value};
}

/// The stiffness of presses lies above the long-time one by an unknown part of `fall`.
void allow_for(double fall, const std::string& text, SensorModel& model) {
  if (!(fall > kMinFall)) return;
  auto& stiffness = model.stiffness;
  const auto widen = [&](Parameter& parameter) {
    if (parameter.value && parameter.u_total)
      *parameter.u_total =
          std::hypot(*parameter.u_total, kCoverage * u_rectangular(fall) * *parameter.value);
  };
  for (auto* parameter :
       {&stiffness.k_punch, &stiffness.k_affine, &stiffness.foundation_modulus, &stiffness.k})
    widen(*parameter);
  for (auto& parameter : stiffness.k_punch_tactel) widen(parameter);
  model.quality[kStage].warnings.push_back({"NOT-AT-REST", text, "stiffness.k_punch"});
}

/// Nothing tells how the pad relaxes, unless its force stayed while a depth was held.
Result<void> allow_for_relaxation(FitContext& context) {
  auto& model = context.model;
  const bool stays = has_code(model.relaxation.g_inf.reason, "DP-02");
  if (stays) return {};
  if (context.unresolved_fall) {
    allow_for(*context.unresolved_fall,
              fmt::format("The force falls by {:.2g} % while a depth is held, and how can't be "
                          "told: the stiffness is that of these presses, up to as much above the "
                          "long-time one. u_total holds it.",
                          100 * *context.unresolved_fall),
              model);
    return {};
  }
  if (!model.stiffness.k_punch.value) return {};
  const auto unknown = bound_relaxation(context);
  if (!unknown) return fail(unknown.error());
  if (!*unknown) return {};
  auto& figures = model.quality[kStage].figures;
  figures["press_s"] = (*unknown)->press_s;
  figures["relaxation_bound_percent"] = 100 * (*unknown)->bound;
  if ((*unknown)->per_decade)
    figures["loss_percent_per_decade"] = 100 * (*unknown)->per_decade->value;
  allow_for((*unknown)->bound,
            fmt::format("The stiffness is that of presses that take {:.2g} s. Nothing recorded "
                        "shows how the pad relaxes after that: at rest it may be up to {:.2g} % "
                        "lower. u_total holds it; hold a depth (P6) or rest at each depth (P3).",
                        (*unknown)->press_s, 100 * (*unknown)->bound),
            model);
  return {};
}

}  // namespace

Result<void> run_joint(FitContext& context) {
  auto& model = context.model;
  model.quality[kStage] = {};
  if (!relaxes(model.relaxation)) return allow_for_relaxation(context);
  const auto known = refine(context);
  if (!known) return fail(known.error());
  return to_long_time(context, *known);
}

}  // namespace tactelier
