#include "fitting/relaxation/relaxation.hpp"

#include <algorithm>

#include "fitting/relaxation/dwell_data.hpp"
#include "fitting/relaxation/reading_creep.hpp"
#include "fitting/relaxation/relaxation_estimate.hpp"
#include "fitting/statistics/refusal.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "relaxation";
constexpr double kMisfit = 1.5;  // chi^2 per degree of freedom

Parameter judged(const char* name, const char* unit, const Estimate& estimate, bool logarithmic) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = estimate;
  candidate.logarithmic = logarithmic;
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage);
}

void report(const RelaxationEstimate& estimate, SensorModel& model) {
  auto& relaxation = model.relaxation;
  auto& quality = model.quality[kStage];
  quality.interval_method = estimate.method;
  quality.figures["holds"] = static_cast<double>(estimate.holds);
  quality.figures["branches"] = static_cast<double>(estimate.branches);
  quality.figures["force_falls_percent"] = 100 * estimate.fall;
  relaxation.g.clear();
  relaxation.tau.clear();
  if (!estimate.refusal.empty()) {
    relaxation.g_inf = unidentifiable("", estimate.refusal, kStage);
    return;
  }
  quality.chi2_per_dof = estimate.chi2_per_dof;
  relaxation.g_inf = judged("g_inf", "", estimate.g_inf, false);
  for (std::size_t b = 0; b < estimate.branches; ++b) {
    relaxation.g.push_back(judged("g", "", estimate.g[b], false));
    relaxation.tau.push_back(judged("τ", "s", estimate.log_tau[b], true));
  }
  if (estimate.chi2_per_dof > kMisfit)
    quality.warnings.push_back(
        {"ID-07",
         fmt::format("Model does not describe the data (χ²/ν = {:.3g}); numbers are descriptive "
                     "only.",
                     estimate.chi2_per_dof),
         kStage});
}

void note_creep(std::span<const HoldPress> holds, StageQuality& quality) {
  for (const auto& hold : holds) {
    if (!hold.creep || !(hold.depth_m > 0)) continue;
    quality.figures["creep_m"] = hold.creep->total;
    quality.figures["creep_depth_percent"] = 100 * hold.creep->total / hold.depth_m;
    quality.figures["creep_depth_percent_per_decade"] = 100 * hold.creep->per_decade / hold.depth_m;
  }
}

/// A ramp that rests at a force on its way tells of creep, not of relaxation.
void drop_ramps(const FitContext& context, std::vector<HoldPress>& holds) {
  std::erase_if(holds, [&](const HoldPress& hold) {
    const auto& presses = context.sessions[hold.session].presses;
    return hold.at_force && std::any_of(presses.begin(), presses.end(), [&](const Press& press) {
             return press.number == hold.press && press.kind == PressKind::kRamp;
           });
  });
}

}  // namespace

Result<void> run_relaxation(FitContext& context) {
  auto& quality = context.model.quality[kStage];
  quality = {};
  auto holds = load_holds(context);
  if (!holds) return fail(holds.error());
  note_creep(*holds, quality);
  drop_ramps(context, *holds);
  bool rests = false;
  if (!any_shows_relaxation(*holds)) {
    auto dwells = load_dwells(context);
    if (!dwells) return fail(dwells.error());
    rests = any_shows_relaxation(*dwells);
    if (rests) *holds = std::move(*dwells);
  }
  for (const auto& hold : *holds) {
    quality.samples_used += static_cast<int>(hold.trace.time_s.size());
    if (hold.refusal.empty()) continue;
    quality.warnings.push_back(warning_of(hold.refusal, hold.where));
  }
  const auto estimate = rests ? estimate_from_rests(*holds) : estimate_relaxation(*holds);
  // What falls in rests of a few seconds is a part of what is to come: the pad counts as unknown.
  if (estimate.unresolved && !rests) context.unresolved_fall = estimate.fall;
  report(estimate, context.model);
  return report_creep(context);
}

}  // namespace tactelier
