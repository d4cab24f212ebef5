#include "fitting/friction/friction_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/friction/side_compliance.hpp"
#include "fitting/statistics/refusal.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "friction";
constexpr double kStructured = 0.35;  // lag-1 correlation of residuals: more is no noise

using Member = Parameter LugreParameters::*;
struct Entry {
  LugreIndex index;
  Member member;
  const char* name;
  const char* unit;
  bool logarithmic;
};
constexpr std::array<Entry, kLugreSize> kEntries{{
    {kLugreSigma0, &LugreParameters::sigma0, "σ0", "N/m", true},
    {kLugreSigma1, &LugreParameters::sigma1, "σ1", "N*s/m", true},
    {kLugreViscous, &LugreParameters::c_t, "c_t", "N*s/m", false},
    {kLugreStatic, &LugreParameters::mu_s, "µ_s", "", false},
    {kLugreDynamic, &LugreParameters::mu_d, "µ_d", "", false},
    {kLugreStribeck, &LugreParameters::v_s, "v_s", "m/s", true},
}};

bool with_force(LugreIndex index) {
  return index == kLugreSigma0 || index == kLugreSigma1 || index == kLugreViscous;
}

bool at_a_load(LugreIndex index) { return index == kLugreStatic || index == kLugreDynamic; }

void refuse(LugreParameters& parameters, LugreIndex index, const std::string& reason) {
  const auto& entry = kEntries[index];
  parameters.*entry.member = unidentifiable(entry.unit, reason, kStage);
}

/// The fit's own verdicts on its six candidates.
Judgement judged(const LugreFit& fit, std::vector<Candidate>& candidates) {
  for (const auto& entry : kEntries) {
    const double value = fit.values[entry.index];
    const auto j = static_cast<Eigen::Index>(entry.index);
    const double u = fit.covariance.size() > 0 ? std::sqrt(fit.covariance(j, j))
                                               : std::numeric_limits<double>::quiet_NaN();
    Candidate candidate;
    candidate.name = entry.name;
    candidate.unit = entry.unit;
    candidate.logarithmic = entry.logarithmic;
    candidate.estimate = {entry.logarithmic ? std::log(value) : value, u, fit.dof};
    candidates.push_back(candidate);
  }
  const bool of_candidates = fit.condition.first < kLugreSize && fit.condition.second < kLugreSize;
  const FitEvidence evidence{of_candidates ? fit.condition : Condition{},
                             fit.covariance,
                             {},
                             fit.dof,
                             kManyDegrees,
                             1,
                             {},
                             {},
                             {}};
  return judge(candidates, evidence, kStage);
}

void report_contact(const FrictionEstimate& estimate, const FrictionCircumstances& around,
                    FrictionContact& contact, Warnings& warnings) {
  std::vector<Candidate> candidates;
  const auto judgement = judged(*estimate.joint, candidates);
  warnings.insert(warnings.end(), judgement.warnings.begin(), judgement.warnings.end());
  for (const auto& entry : kEntries) {
    std::vector<Component> systematic;
    if (around.force_gain && with_force(entry.index)) {
      const double scale = entry.logarithmic ? 1 : std::abs(estimate.joint->values[entry.index]);
      systematic.push_back({"force sensor's gain", scale * *around.force_gain, kManyDegrees});
    }
    if (around.force_gain && at_a_load(entry.index)) {
      // mu is force over force of two axes, and each has its own gain; the load that mu belongs to
      // is as wrong as the second.
      const double share = std::abs(estimate.joint->values[entry.index]) * *around.force_gain;
      const double exponent = estimate.whole ? estimate.whole->load_exponent.value : 0;
      systematic.push_back({"gain along the surface", share, kManyDegrees});
      systematic.push_back({"gain of the load", std::abs(1 + exponent) * share, kManyDegrees});
    }
    if (estimate.whole && entry.index == kLugreDynamic && estimate.whole->u_shape > 0)
      systematic.push_back(
          {"shape of the motor's steps",
           u_rectangular(estimate.whole->u_shape * estimate.joint->values[kLugreDynamic]),
           kManyDegrees});
    auto& parameter = contact.*entry.member;
    parameter =
        reported(candidates[entry.index], judgement.verdicts[entry.index], kStage, systematic);
    if (entry.index == kLugreViscous && parameter.value && *parameter.value < 0)
      refuse(contact, kLugreViscous,
             fmt::format("ID-02 c_t = {}: a negative viscosity; slide faster to see it.",
                         with_uncertainty(*parameter.value, *parameter.std, "N*s/m")));
  }
}

/// Mean over the traces of the correlation of neighbouring residuals.
double residual_lag1(const LugreFit& fit) {
  double lag = 0;
  for (const double one : fit.trace_lag1) lag += one / static_cast<double>(fit.trace_lag1.size());
  return lag;
}

/// What the data as a whole forbid, whatever the fit found.
void apply_refusals(const FrictionEstimate& estimate, FrictionContact& contact) {
  if (!estimate.no_curve.empty())
    for (const auto index : {kLugreStatic, kLugreDynamic, kLugreStribeck, kLugreViscous})
      if (index != kLugreDynamic || !estimate.is_level) refuse(contact, index, estimate.no_curve);
  // Between commanded and true motion anything may hide: there misfit is no matter of intervals.
  if (estimate.joint && !estimate.motion_measured && residual_lag1(*estimate.joint) > kStructured)
    for (const auto index : {kLugreStatic, kLugreDynamic, kLugreStribeck, kLugreViscous})
      if ((contact.*kEntries[index].member).value)
        refuse(contact, index,
               fmt::format("ID-07 Model does not describe the data (residuals follow one another, "
                           "correlation {:.2g}) and the stage's motion was not measured.",
                           residual_lag1(*estimate.joint)));
  if (!estimate.no_stribeck.empty())
    for (const auto index : {kLugreDynamic, kLugreStribeck})
      refuse(contact, index, estimate.no_stribeck);
  if (estimate.no_drop) {
    const std::string reason = "FR-08 No Stribeck drop: use µ_s = µ_d, drop v_s.";
    const std::string of_sliding =
        "FR-08 Friction does not fall with speed: µ_d is its level, and rows of steady sliding "
        "show no static friction.";
    refuse(contact, estimate.of_rows ? kLugreStatic : kLugreDynamic,
           estimate.of_rows ? of_sliding : reason);
    refuse(contact, kLugreStribeck, estimate.of_rows ? of_sliding : reason);
  }
  if (!estimate.no_viscous.empty()) refuse(contact, kLugreViscous, estimate.no_viscous);
  if (!estimate.no_bristles.empty())
    for (const auto index : {kLugreSigma0, kLugreSigma1})
      refuse(contact, index, estimate.no_bristles);
  else if (!contact.sigma1.value && contact.sigma1.reason.starts_with("ID-"))
    refuse(contact, kLugreSigma1,
           fmt::format("FR-03 σ1 not identifiable: ω σ1/σ0 = {:.2g}. ({})", estimate.damping_ratio,
                       contact.sigma1.reason));
}

/// How friction goes with load and sliding, mu_s and v_s: reported or refused.
void report_whole_slides(const WholeSlides& whole, double reference_N, FrictionContact& contact) {
  const auto unless = [](const std::string& refusal, const char* unit, auto&& report) {
    return refusal.empty() ? report() : unidentifiable(unit, refusal, kStage);
  };
  auto falls = whole.load_exponent;
  falls.value = -falls.value;
  contact.load_exponent =
      unless(whole.no_exponent, "", [&] { return identified(falls, "", kStage); });
  contact.load_reference = identified({reference_N, 0, 0}, "N", kStage);
  contact.running_in =
      unless(whole.no_running_in, "", [&] { return identified(whole.running_in, "", kStage); });
  contact.running_in_length = unless(whole.no_running_in, "m",
                                     [&] { return identified_log(whole.log_length, "m", kStage); });
  contact.step_shape = whole.step_shape;
  if (!whole.no_damping.empty()) refuse(contact, kLugreSigma1, whole.no_damping);
  if (whole.no_static.empty()) return;
  for (const auto index : {kLugreStatic, kLugreStribeck}) refuse(contact, index, whole.no_static);
}

/// Slides of a stage that shows its motion itself are fitted by their steady parts and traces.
void refuse_whole_slides(FrictionContact& contact) {
  const std::string reason =
      "FR-MOVES Comes from whole slides along the stage's recorded moves, and these were not "
      "fitted.";
  contact.load_exponent = contact.running_in = unidentifiable("", reason, kStage);
  contact.load_reference = unidentifiable("N", reason, kStage);
  contact.running_in_length = unidentifiable("m", reason, kStage);
  contact.step_shape.clear();
}

void fill_whole_slides(const WholeSlides& whole, StageQuality& quality) {
  for (const char* of_traces : {"condition", "omega_sigma1_over_sigma0", "residual_lag1"})
    quality.figures.erase(of_traces);
  quality.interval_method = "whole slides against computed motion: spread between slides";
  quality.figures["axis_backlash_um"] = 1e6 * whole.backlash_m;
  quality.figures["axis_microstep_error_um"] = 1e6 * whole.microstep_error_m;
  if (whole.ring_hz > 0) {
    quality.figures["axis_ring_hz"] = whole.ring_hz;
    quality.figures["axis_ring_damping"] = whole.ring_damping;
  }
  quality.figures["command_to_force_ms"] = 1e3 * whole.delay_s;
  quality.figures["left_out_s"] = 0.01 * whole.blocks_left_out;
}

/// mu and v_s as they are; stiffness and damping shared out among the tactels in contact.
void share_out(const FrictionCircumstances& around, Friction& friction) {
  const auto& contact = friction.contact;
  static_cast<LugreParameters&>(friction) = contact;
  const double count = around.tactels_in_contact.value;
  for (const auto index : {kLugreSigma0, kLugreSigma1, kLugreViscous}) {
    const auto& entry = kEntries[index];
    auto& own = friction.*entry.member;
    if (!own.value) continue;
    if (!(count > 0)) {
      own = unidentifiable(entry.unit,
                           "NO-TACTELS The number of tactels in contact is not known: record the "
                           "tactile stream during slides.",
                           kStage);
      continue;
    }
    const double u_count =
        around.tactels_in_contact.dof >= 1 ? around.tactels_in_contact.std / count : 0;
    const double old_total = own.u_total.value_or(0) / *own.value;
    *own.value /= count;
    if (own.std) *own.std /= count;
    if (own.ci95)
      for (double& end : *own.ci95) end /= count;
    if (own.u_total) *own.u_total = *own.value * std::hypot(old_total, 2 * u_count);
  }
}

void report_passivity(const FrictionEstimate& estimate, Friction& friction, Warnings& warnings) {
  const auto& contact = friction.contact;
  for (const auto& entry : kEntries)
    if (entry.index != kLugreStribeck && !(contact.*entry.member).value) {
      friction.passive_to = unidentifiable(
          "m/s", fmt::format("{} is not identified, which passivity depends on.", entry.name),
          kStage);
      friction.passive_to.reason = "FR-06 " + friction.passive_to.reason;
      return;
    }
  const auto& values = estimate.joint->values;
  const double limit = lugre_passive_to_m_per_s(values, estimate.reference_N);
  const double need = lugre_passive_viscosity(values);
  if (!std::isfinite(limit)) {
    friction.passive_to = unidentifiable(
        "m/s",
        fmt::format(
            "PASSIVE c_t = {:.3g} N*s/m ≥ {:.3g}: passive at all speeds, there is no limit.",
            values[kLugreViscous], need),
        kStage);
    return;
  }
  friction.passive_to = identified({limit, 0, 0}, "m/s", kStage);
  warnings.push_back({"FR-06",
                      fmt::format("c_t = {:.3g} < {:.3g}: the model can generate energy above "
                                  "{:.3g} m/s.",
                                  values[kLugreViscous], need, limit),
                      "friction.passive_to"});
}

void fill_quality(const FrictionEstimate& estimate, StageQuality& quality) {
  quality.figures["steady_runs"] = static_cast<double>(estimate.points.size());
  if (estimate.steady) {
    quality.figures["stribeck_condition"] = estimate.steady->condition.number;
    quality.figures["steady_mu_s"] = estimate.steady->mu_s;
    quality.figures["steady_mu_d"] = estimate.steady->mu_d();
    quality.figures["steady_v_s_m_per_s"] = estimate.steady->v_s_m_per_s;
  }
  for (const auto& load : estimate.by_load) {
    quality.figures[fmt::format("mu_s_at_{:.2g}_N", load.load_N)] = load.fit.values[kLugreStatic];
    quality.figures[fmt::format("mu_d_at_{:.2g}_N", load.load_N)] = load.fit.values[kLugreDynamic];
    quality.figures[fmt::format("sigma0_at_{:.2g}_N", load.load_N)] = load.fit.values[kLugreSigma0];
  }
  if (!estimate.joint) return;
  const auto& fit = *estimate.joint;
  quality.samples_used = static_cast<int>(fit.samples);
  quality.chi2_per_dof = fit.chi2 / std::max(1.0, fit.samples - 6);
  quality.iterations = fit.iterations;
  quality.cost = fit.chi2 / 2;
  quality.figures["condition"] = fit.condition.number;
  quality.figures["omega_sigma1_over_sigma0"] = estimate.damping_ratio;
  quality.interval_method = "joint fit of traces: serial correlation within, spread between traces";
  if (estimate.of_rows) {
    for (const char* of_traces : {"condition", "omega_sigma1_over_sigma0"})
      quality.figures.erase(of_traces);
    quality.interval_method = "scatter of the rows about the law";
    return;
  }
  const double lag = residual_lag1(fit);
  quality.figures["residual_lag1"] = lag;
  if (lag > kStructured)
    quality.warnings.push_back(
        {"ID-07",
         fmt::format("Model does not describe the data (residuals follow one another, correlation "
                     "{:.2g}); numbers are descriptive only.",
                     lag),
         kStage});
}

/// Lower triangle of what is reported in natural units: logarithms turned back.
void add_covariance(const LugreFit& fit, const FrictionContact& contact, SensorModel& model) {
  CovarianceBlock block;
  std::vector<std::size_t> shown;
  constexpr std::array paths{"sigma0", "sigma1", "c_t", "mu_s", "mu_d", "v_s"};
  for (const auto& entry : kEntries)
    if ((contact.*entry.member).value) {
      shown.push_back(entry.index);
      block.parameters.push_back(fmt::format("friction.contact.{}", paths[entry.index]));
    }
  if (shown.size() < 2 || fit.covariance.size() == 0) return;
  const auto scale = [&](std::size_t i) { return kEntries[i].logarithmic ? fit.values[i] : 1.0; };
  for (std::size_t a = 0; a < shown.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      block.lower.push_back(
          scale(shown[a]) * scale(shown[b]) *
          fit.covariance(static_cast<Eigen::Index>(shown[a]), static_cast<Eigen::Index>(shown[b])));
  model.covariance.push_back(std::move(block));
}

/// A rig of unknown compliance along the surface stands in series with the bristles: 50 µm/N take
/// 12 % off a σ0 of 2700 N/m, which no interval of the fit knows of.
void refuse_in_series(const FrictionEstimate& estimate, FrictionContact& contact,
                      StageQuality& quality) {
  if (!contact.sigma0.value) return;
  double series_N_per_m = *contact.sigma0.value;
  if (estimate.whole) {
    const auto& side = estimate.whole->side_m_per_N;
    series_N_per_m = 1 / (1 / series_N_per_m + side.value);
    quality.figures["side_compliance_of_slides_um_per_N"] = 1e6 * side.value;
    quality.figures["side_compliance_of_slides_u_um_per_N"] = 1e6 * side.std;
  }
  quality.figures["sigma0_in_series_N_per_m"] = series_N_per_m;
  const auto reason = fmt::format(
      "FR-SERIES Bristles and rig in series have {:.4g} N/m; the rig's compliance along the "
      "surface is neither measured nor stated. Record strokes along the plate (step shear, as "
      "'standard' and 'p9' have it), or state shear_compliance_um_per_N of the rig.",
      series_N_per_m);
  refuse(contact, kLugreSigma0, reason);
  if (contact.sigma1.value) refuse(contact, kLugreSigma1, reason);
}

}  // namespace

void report_friction(const FrictionEstimate& estimate, const FrictionCircumstances& around,
                     SensorModel& model) {
  auto& friction = model.friction;
  auto& contact = friction.contact;
  auto& quality = model.quality[kStage];
  quality.warnings.insert(quality.warnings.end(), estimate.warnings.begin(),
                          estimate.warnings.end());
  fill_quality(estimate, quality);
  friction.model = "lugre";
  friction.form = estimate.form;
  if (estimate.joint) {
    report_contact(estimate, around, contact, quality.warnings);
  } else {
    for (const auto& entry : kEntries)
      refuse(contact, entry.index, "ID-01 The joint fit of the traces found no solution.");
  }
  apply_refusals(estimate, contact);
  if (estimate.whole) {
    report_whole_slides(*estimate.whole, estimate.reference_N, contact);
    fill_whole_slides(*estimate.whole, quality);
  } else {
    refuse_whole_slides(contact);
  }
  if (const auto& rig = around.side_compliance) {
    hold_side_compliance(*rig, contact);
    quality.figures["side_compliance_taken_out_um_per_N"] = 1e6 * rig->m_per_N;
    quality.figures["side_compliance_u_um_per_N"] = 1e6 * rig->u_m_per_N;
  } else {
    refuse_in_series(estimate, contact, quality);
  }
  if (estimate.reference_N > 0)
    contact.normal_force = identified({estimate.reference_N, 0, 0}, "N", kStage);
  if (around.tactels_in_contact.value > 0)
    contact.tactels_in_contact = identified(around.tactels_in_contact, "", kStage);
  share_out(around, friction);
  report_passivity(estimate, friction, quality.warnings);
  if (estimate.joint && !estimate.form_decided)
    quality.warnings.push_back(
        {"FR-FORM",
         "Whether σ0 goes with the load can't be told: record presliding at loads a factor 2 "
         "apart. 'constant' is taken.",
         "friction.form"});
  if (estimate.joint) add_covariance(*estimate.joint, contact, model);
  std::erase_if(quality.figures, [](const auto& figure) { return !std::isfinite(figure.second); });
}

}  // namespace tactelier
