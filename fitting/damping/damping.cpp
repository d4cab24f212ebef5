#include "fitting/damping/damping.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/damping/chirp_stiffness.hpp"
#include "fitting/damping/damping_estimate.hpp"
#include "fitting/damping/path_estimate.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/statistics/refusal.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "damping";

/// Of the budget: when within a sample its speed holds; c_n carries the force sensor's gain too.
std::vector<Component> systematic(const FitContext& context, const DampingEstimate& estimate) {
  const double gain = force_certificate(context).gain_share();
  std::vector<Component> budget{
      {"timing of the speed", u_rectangular(estimate.half_sample), kManyDegrees}};
  if (estimate.chosen == RateModel::kKelvinVoigt)
    budget.push_back({"force sensor's gain", gain * std::abs(estimate.value.value), kManyDegrees});
  return budget;
}

void fill_quality(const DampingEstimate& estimate, StageQuality& quality) {
  quality.interval_method = estimate.method;
  quality.figures["presses_used"] = static_cast<double>(estimate.presses);
  if (!estimate.kelvin_voigt || !estimate.hunt_crossley) return;
  const auto& kv = *estimate.kelvin_voigt;
  const auto& hc = *estimate.hunt_crossley;
  const auto& fit = estimate.chosen == RateModel::kHuntCrossley ? hc : kv;
  quality.samples_used = static_cast<int>(fit.residuals.size());
  quality.chi2_per_dof = fit.chi2 / fit.dof;
  quality.cost = fit.chi2 / 2;
  quality.figures["chi2_kelvin_voigt"] = kv.chi2;
  quality.figures["chi2_hunt_crossley"] = hc.chi2;
  quality.figures["kelvin_voigt_N_s_per_m"] = kv.damping;
  quality.figures["hunt_crossley_s_per_m"] = hc.damping;
  quality.figures["rate_effect_percent"] = 100 * estimate.effect;
  quality.figures["repeatability_percent"] = 100 * estimate.repeatability;
  quality.figures["hysteresis_half_width_percent"] = 100 * fit.hysteresis;
  quality.figures["std_within_presses"] = estimate.within;
  quality.figures["half_sample_of_speed"] = estimate.half_sample;
  quality.figures["condition"] = fit.condition.number;
  if (!estimate.planned) return;
  quality.figures["command_delay_ms"] = 1e3 * estimate.delay_s.value;
  quality.figures["command_delay_u_ms"] = 1e3 * estimate.delay_s.std;
  quality.figures["command_scatter_ms"] = 1e3 * estimate.delay_scatter_s;
}

Parameter judged(const DampingEstimate& estimate, const char* name, const char* unit,
                 std::span<const Component> budget) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = estimate.value;
  candidate.location = estimate.planned;
  if (estimate.planned && estimate.value.value < 0)
    return not_seen(estimate.value, unit, kStage, budget);
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage, budget);
}

/// c_n goes with the stiffness, and k_punch is the mean over the tactels pressed: from the places
/// of these presses to the mean. 1 where their stiffness is not known.
Estimate place_factor(const RateData& data, const Stiffness& stiffness) {
  const Estimate unknown{1, 0, kManyDegrees};
  double sum = 0, count = 0, squares = 0;
  for (const auto& press : data.presses) {
    if (!press.refusal.empty()) continue;
    if (!press.tactel || !stiffness.k_punch.value ||
        static_cast<std::size_t>(*press.tactel) >= stiffness.k_punch_tactel.size())
      return unknown;
    const auto& own = stiffness.k_punch_tactel[static_cast<std::size_t>(*press.tactel)];
    if (!own.identified()) return unknown;
    sum += *own.value;
    squares = std::max(squares, std::pow(own.std.value_or(0) / *own.value, 2));
    ++count;
  }
  if (count == 0) return unknown;
  const double factor = *stiffness.k_punch.value * count / sum;
  const double u_mean = stiffness.k_punch.std.value_or(0) / *stiffness.k_punch.value;
  return {factor, factor * std::sqrt(squares + u_mean * u_mean), kManyDegrees};
}

void report(const DampingEstimate& estimate, std::span<const Component> budget, Damping& damping) {
  damping.at = {};
  if (!estimate.refusal.empty()) {
    damping.c_n = unidentifiable("N*s/m", estimate.refusal, kStage);
    damping.dissipation = unidentifiable("s/m", estimate.refusal, kStage);
    return;
  }
  damping.at = {estimate.speed_m_per_s, estimate.force_N, "contact"};
  const bool hunt_crossley = estimate.chosen == RateModel::kHuntCrossley;
  const std::string other =
      fmt::format("OTHER-MODEL The presses follow {} {}: one of the two is reported.",
                  hunt_crossley ? "Hunt–Crossley" : "Kelvin–Voigt",
                  estimate.decided ? "and not the other" : "slightly better");
  damping.c_n = hunt_crossley ? unidentifiable("N*s/m", other, kStage)
                              : judged(estimate, "c_n", "N*s/m", budget);
  damping.dissipation =
      hunt_crossley ? judged(estimate, "d", "s/m", budget) : unidentifiable("s/m", other, kStage);
}

/// Storage and loss by frequency: figures, and the range of frequencies that damping holds for.
void report_chirps(const RateData& data, SensorModel& model) {
  auto& figures = model.quality[kStage].figures;
  model.validity.frequency_hz.reset();
  for (const auto& press : data.presses) {
    if (!press.refusal.empty()) continue;
    for (const auto& at : chirp_stiffness(press)) {
      const auto where = fmt::format("N_per_m_at_{:.2g}_Hz", at.frequency_hz);
      figures["storage_" + where] = at.storage_N_per_m;
      figures["loss_" + where] = at.loss_N_per_m;
      // Force and depth agree in time to half a sample of the stage.
      const double late = u_rectangular(std::numbers::pi * at.frequency_hz * data.stage_period_s);
      figures["loss_u_" + where] = std::hypot(at.u_loss_N_per_m, late * at.storage_N_per_m);
      auto& range = model.validity.frequency_hz;
      if (!range) range = {at.frequency_hz, at.frequency_hz};
      *range = {std::min((*range)[0], at.frequency_hz), std::max((*range)[1], at.frequency_hz)};
    }
  }
}

/// Along the computed path where there are presses that the stage's samples show too seldom.
Result<DampingEstimate> estimate_from(const FitContext& context, const RateData& data) {
  const bool any = std::any_of(data.presses.begin(), data.presses.end(),
                               [](const auto& press) { return press.refusal.empty(); });
  return any && sampled_seldom(data) ? estimate_along_path(context, data) : estimate_damping(data);
}

}  // namespace

Result<void> run_damping(FitContext& context) {
  auto& quality = context.model.quality[kStage];
  quality = {};
  const auto data = load_rates(context);
  if (!data) return fail(data.error());
  for (const auto& press : data->presses) {
    if (press.refusal.empty()) continue;
    quality.warnings.push_back(warning_of(press.refusal, press.where));
  }
  report_chirps(*data, context.model);
  const auto found = estimate_from(context, *data);
  if (!found) return fail(found.error());
  auto estimate = *found;
  if (estimate.chosen == RateModel::kKelvinVoigt) {
    const auto factor = place_factor(*data, context.model.stiffness);
    quality.figures["k_punch_over_k_here"] = factor.value;
    estimate.value.std =
        std::hypot(factor.value * estimate.value.std, factor.std * estimate.value.value);
    estimate.value.value *= factor.value;
  }
  quality.warnings.insert(quality.warnings.end(), estimate.warnings.begin(),
                          estimate.warnings.end());
  fill_quality(estimate, quality);
  report(estimate, systematic(context, estimate), context.model.damping);
  return {};
}

}  // namespace tactelier
