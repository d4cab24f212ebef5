#include "fitting/stiffness/stiffness_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/robust.hpp"
#include "fitting/stiffness/bend.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "stiffness";
constexpr int kCurveSteps = 10;

bool has_contact(const StiffnessPress& press) { return press.loading && press.loading->k_punch; }

std::vector<StiffnessPress> on_tactels(const std::vector<StiffnessPress>& presses) {
  std::vector<StiffnessPress> kept;
  for (const auto& press : presses)
    if (press.tactel) kept.push_back(press);
  return kept.empty() ? presses : kept;
}

void fill_tactels(const std::vector<StiffnessPress>& presses, const StiffnessQuantity& quantity,
                  const SiteMeans& means, std::vector<Parameter>& tactels) {
  for (auto& parameter : tactels)
    parameter = unidentifiable(
        "N/m", "NOT-PRESSED no usable press on this tactel: press it alone, tip inside the tactel",
        kStage);
  for (const auto& press : presses) {
    if (!press.tactel || static_cast<std::size_t>(*press.tactel) >= tactels.size()) continue;
    auto& parameter = tactels[static_cast<std::size_t>(*press.tactel)];
    const auto found = means.sites.find(press.site);
    if (found != means.sites.end())
      parameter = judged(quantity, found->second);
    else
      parameter.reason = quantity.why_not(press);
  }
}

/// Largest depth reached; its error is that press's contact point.
Parameter max_penetration(const std::vector<StiffnessPress>& presses, const std::string& reason) {
  const StiffnessPress* deepest = nullptr;
  for (const auto& press : presses)
    if (has_contact(press) &&
        (!deepest || press.loading->max_depth_m > deepest->loading->max_depth_m))
      deepest = &press;
  if (!deepest) return unidentifiable("m", reason, kStage);
  return identified({deepest->loading->max_depth_m, deepest->u_z0_m, kManyDegrees}, "m", kStage);
}

/// Median over the presses, since single ones may end early by chance.
Parameter linear_to(const std::vector<StiffnessPress>& presses, const std::string& reason,
                    StageQuality& quality) {
  std::vector<double> depths;
  double resolution_m = 0;
  bool limited = false;
  std::size_t tested = 0;
  std::size_t readings = 0;
  for (const auto& press : presses) {
    if (!has_contact(press)) continue;
    readings = std::max(readings, press.linearity.readings);
    if (press.linearity.readings < kMinLinearReadings) continue;
    ++tested;
    limited = limited || !press.linearity.to_the_end;
    if (!press.linearity.linear_to_m) continue;
    depths.push_back(*press.linearity.linear_to_m);
    resolution_m = std::max(resolution_m, press.linearity.resolution_m);
  }
  if (tested == 0 && readings == 0) return unidentifiable("m", reason, kStage);
  if (tested == 0)
    return unidentifiable(
        "m",
        fmt::format("ST-03 {} independent readings while loading, {} needed to see a bend: take "
                    "more depths or press more slowly.",
                    readings, kMinLinearReadings),
        kStage);
  if (2 * depths.size() <= tested)
    return unidentifiable("m", "ST-03 Force–depth is curved from the start: no linear part found.",
                          kStage);
  quality.figures["linear_to_is_deepest_tested"] = limited ? 0 : 1;
  const Estimate spread = press_spread(depths);
  const std::vector<Component> systematic{
      {"depth of one group", u_resolution(resolution_m), kManyDegrees}};
  if (depths.size() < 2) return single_reading(depths[0], "m", kStage, systematic);
  return identified({median(depths), spread.std, spread.dof}, "m", kStage, systematic);
}

void fill_quality(const std::vector<StiffnessPress>& presses, StageQuality& quality) {
  double rss = 0;
  double r2 = 0;
  double readings = 0;
  double fitted = 0;
  for (const auto& press : presses) {
    quality.samples_rejected += static_cast<int>(press.rows_left_out);
    if (!press.loading) continue;
    rss += press.loading->line.rss;
    r2 += press.loading->r2;
    readings += static_cast<double>(press.loading->readings);
    ++fitted;
  }
  quality.samples_used = static_cast<int>(readings);
  quality.figures["presses_used"] = fitted;
  quality.figures["presses_left_out"] = static_cast<double>(presses.size()) - fitted;
  std::vector<double> loops;
  for (const auto& press : presses)
    if (press.loop) loops.push_back(press.loop->value);
  if (!loops.empty()) quality.figures["half_loop_percent"] = 100 * median(loops);
  quality.figures["unloading_from_peak_fraction"] = kUnloadingHigh;
  quality.figures["unloading_to_peak_fraction"] = kUnloadingLow;
  if (fitted == 0) return;
  quality.residual_rms = std::sqrt(rss / readings);
  quality.residual_unit = std::string("N");
  quality.r2 = r2 / fitted;
}

void add_spread(const char* name, const SiteMeans& means, StageQuality& quality) {
  if (means.spread) quality.figures[fmt::format("{}_spread_N_per_m", name)] = *means.spread;
  if (means.repeat_sd)
    quality.figures[fmt::format("{}_repeatability_N_per_m", name)] = *means.repeat_sd;
  if (!means.sites.empty())
    quality.figures[fmt::format("{}_places", name)] = static_cast<double>(means.sites.size());
}

}  // namespace

void summarize_presses(const std::vector<StiffnessPress>& presses, const RigUncertainty& rig,
                       const std::string& no_presses, SensorModel& model) {
  auto& out = model.stiffness;
  auto& quality = model.quality[kStage];
  const auto punch_presses = on_tactels(presses);
  const auto punch_quantity = k_punch_quantity(rig);
  const auto punch = summarize(punch_presses, punch_quantity, no_presses);
  const auto affine = summarize(presses, k_affine_quantity(rig), no_presses);
  out.k_punch = punch.parameter;
  out.k_affine = affine.parameter;
  out.intercept = summarize(presses, intercept_quantity(rig), no_presses).parameter;
  out.unloading = summarize(presses, unloading_quantity(rig), no_presses).parameter;
  fill_tactels(presses, punch_quantity, punch.means, out.k_punch_tactel);
  out.linear_to = linear_to(presses, out.k_punch.reason, quality);
  out.max_penetration = max_penetration(presses, out.k_punch.reason);
  out.curve = mean_curve(punch_presses, kCurveSteps);
  fill_quality(presses, quality);
  add_spread("k_punch", punch.means, quality);
  add_spread("k_affine", affine.means, quality);
  const auto& means = punch.means.sites.empty() ? affine.means : punch.means;
  quality.interval_method = means.method;
  quality.remounting_included = means.remounting_included;
}

namespace {

void warn_intercept(const Stiffness& out, Warnings& warnings) {
  if (!out.intercept.identified() || !out.intercept.ci95) return;
  const auto& [low, high] = *out.intercept.ci95;
  if (low <= 0 && high >= 0) return;
  warnings.push_back({"ST-02",
                      fmt::format("Force extrapolates to {:.3g} N at contact: contact point or "
                                  "trigger not removed.",
                                  *out.intercept.value),
                      "stiffness.intercept"});
}

void warn_curved(const std::vector<StiffnessPress>& presses, const Stiffness& out,
                 Warnings& warnings) {
  const auto curved = count_curved(presses);
  if (!curved.clearly()) return;
  const std::string text =
      out.linear_to.value
          ? fmt::format("Force–depth is curved; linear k holds to {:.3g} mm only.",
                        m_to_mm(*out.linear_to.value))
          : std::string("Force–depth is curved; how far a linear k holds is not known here.");
  warnings.push_back(
      {"ST-03", text, fmt::format("{:.0f} of {:.0f} presses", curved.failed, curved.tested)});
}

void warn_too_deep(const std::vector<StiffnessPress>& presses, const SensorModel& model,
                   Warnings& warnings) {
  if (!model.sensor.thickness_m) return;
  const StiffnessPress* deepest = nullptr;
  for (const auto& press : presses)
    if (has_contact(press) && press.loading->max_depth_m > *model.sensor.thickness_m &&
        (!deepest || press.loading->max_depth_m > deepest->loading->max_depth_m))
      deepest = &press;
  if (!deepest) return;
  warnings.push_back(
      {"ST-04",
       fmt::format("Indentation {:.3g} mm exceeds layer thickness {:.3g} mm: "
                   "substrate contact or wrong zero.",
                   m_to_mm(deepest->loading->max_depth_m), m_to_mm(*model.sensor.thickness_m)),
       deepest->where});
}

void warn_soft_frame(const RigUncertainty& rig, const Stiffness& out, Warnings& warnings) {
  if (!(rig.c1_m_per_N > 0)) return;
  const auto& k = out.k_punch.value ? out.k_punch : out.k_affine;
  const double frame = 1 / rig.c1_m_per_N;
  if (!k.value || frame >= 2 * *k.value) return;
  warnings.push_back({"RC-02",
                      fmt::format("Frame {:.4g} N/mm against sensor {:.4g} N/mm: the correction "
                                  "exceeds half of the indentation; depth cannot be trusted.",
                                  frame * 1e-3, *k.value * 1e-3),
                      "rig.compliance"});
}

/// Another stage has warned of the same already.
bool already_said(const SensorModel& model, std::string_view code) {
  for (const auto& [stage, quality] : model.quality)
    for (const auto& warning : quality.warnings)
      if (warning.code == code) return true;
  return false;
}

}  // namespace

void warn_about_presses(const std::vector<StiffnessPress>& presses, const RigUncertainty& rig,
                        SensorModel& model) {
  auto& warnings = model.quality[kStage].warnings;
  warn_intercept(model.stiffness, warnings);
  warn_curved(presses, model.stiffness, warnings);
  warn_too_deep(presses, model, warnings);
  warn_soft_frame(rig, model.stiffness, warnings);
  const bool any = std::any_of(presses.begin(), presses.end(), [](const StiffnessPress& press) {
    return press.loading.has_value();
  });
  if (any && !rig.force_gain && !already_said(model, "NO-CERTIFICATE"))
    warnings.push_back({"NO-CERTIFICATE",
                        "The force sensor's gain uncertainty is not stated: u_total lacks it "
                        "(force_sensor.certificate.gain_u_percent).",
                        "session.json"});
}

}  // namespace tactelier
