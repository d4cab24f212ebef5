#include "fitting/hydroelastic/hydroelastic.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/contact/ground.hpp"
#include "fitting/hydroelastic/hydro_estimate.hpp"
#include "fitting/joint/unknown_relaxation.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/statistics/refusal.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/reason.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "hydroelastic";
constexpr double kFirstPress = 0.1;  // by how much virgin rubber may be harder
constexpr std::size_t kFewTactels = 5;
constexpr std::size_t kFewLoops = 3;  // don't tell a loss
constexpr double kLittle = 0.01;      // of the modulus
constexpr double kSeatingWorth = 5;   // of seating over depth, in the modulus
constexpr double kFinestPart = 4;     // of the radius: samples no further apart than r_c / 4

/// Of a force that grows with depth squared, where the rig's compliance is only known so well; what
/// is fitted beside it takes its error up.
double largest_rig_u(const FitContext& context, const HydroData& data,
                     const HydroEstimate& estimate) {
  double largest = 0;
  const auto fitted = [](const HydroOfIndenter& one) { return one.series_m_per_N.std > 0; };
  if (std::all_of(estimate.indenters.begin(), estimate.indenters.end(), fitted)) return 0;
  for (const auto& press : data.presses) {
    if (!press.refusal.empty() || press.session >= context.compliance.size()) continue;
    const auto& rig = context.compliance[press.session];
    if (rig.c1_m_per_N > 0)
      largest = std::max(largest, 2 * press.rig_part * rig.u_c1_m_per_N / rig.c1_m_per_N);
  }
  return largest;
}

/// K_f of plate presses with its spread from press to press.
std::optional<Estimate> of_plate(const Parameter& modulus) {
  if (modulus.from == kStage) return std::nullopt;  // a ball's, of an earlier fit
  if (!modulus.identified() || !modulus.std || !modulus.ci95) return std::nullopt;
  return Estimate{*modulus.value, *modulus.std, kManyDegrees};
}

/// Of the tactels' own stiffness about their mean; 0 where it is not known.
double place_scatter(const Stiffness& stiffness) {
  std::vector<double> values;
  double mean = 0;
  for (const auto& tactel : stiffness.k_punch_tactel)
    if (tactel.identified()) values.push_back(*tactel.value);
  if (values.size() < kFewTactels) return 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v / mean - 1) * (v / mean - 1);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Parameter judged(const char* name, const char* unit, const Estimate& estimate,
                 std::span<const Component> budget) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = estimate;
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage, budget);
}

/// Relative standard uncertainties that every press shares.
struct Shared {
  double force_gain = 0, rig = 0, relaxation = 0, seating = 0;
};

/// What the plate leaves open of how the frame's joints seat: below their force it bends the law of
/// the contact, and modulus, contact point and compliance share it. Of balls of 10 mm on pads of
/// 0.9 to 2.3 GPa/m, 1 um is 0.4 to 0.8 % of the modulus at 0.7 mm.
double seating_u(const FitContext& context, const HydroData& data) {
  const auto& seating = context.model.rig.seating;
  if (!seating.identified() || !seating.std) return 0;
  std::vector<double> depths_m;
  for (const auto& press : data.presses)
    if (press.refusal.empty()) depths_m.push_back(press.top_m);
  return depths_m.empty() ? 0 : kSeatingWorth * *seating.std / median(depths_m);
}

/// How far below the modulus of presses that at rest may lie, where nothing tells how the pad
/// relaxes.
struct NotAtRest {
  double part = 0;
  double press_s = 0;
  std::optional<Estimate> per_decade;  // of force, as loops show it
};

NotAtRest not_at_rest(const FitContext& context, const HydroData& data) {
  NotAtRest found;
  const auto& g_inf = context.model.relaxation.g_inf;
  if (g_inf.value || has_code(g_inf.reason, "DP-02")) return found;
  std::vector<double> lasts_s, per_decade;
  for (const auto& press : data.presses) {
    if (!press.refusal.empty()) continue;
    if (press.speed_m_per_s > 0) lasts_s.push_back(press.top_m / press.speed_m_per_s);
    if (press.loss_per_decade) per_decade.push_back(press.loss_per_decade->value);
  }
  if (lasts_s.empty()) return found;
  found.press_s = median(lasts_s);
  if (per_decade.size() >= kFewLoops) found.per_decade = press_spread(per_decade);
  found.part =
      context.unresolved_fall ? *context.unresolved_fall : relaxation_bound(found.per_decade);
  return found;
}

void report_not_at_rest(const NotAtRest& relaxing, StageQuality& quality) {
  if (relaxing.per_decade)
    quality.figures["loss_percent_per_decade"] = 100 * relaxing.per_decade->value;
  if (relaxing.part < kLittle) return;
  quality.warnings.push_back(
      {"NOT-AT-REST",
       fmt::format("The modulus is that of presses that take {:.2g} s. Nothing recorded shows how "
                   "the pad relaxes after that: at rest it may be up to {:.2g} % lower. u_total "
                   "holds it; hold a depth (P6).",
                   relaxing.press_s, 100 * relaxing.part),
       kStage});
}

/// The layer's thickness: as the description states it, else as the ground beside the pad tells.
struct Layer {
  std::optional<double> thickness_m;
  Parameter parameter;
  double relative_u = 0;  // of one that was measured
};

Layer layer_of(const LayerThickness& ground, const std::optional<double>& stated_m,
               StageQuality& quality) {
  Layer layer;
  const auto& found = ground.thickness_m;
  if (!ground.refusal.empty()) {
    const auto space = ground.refusal.find(' ');
    quality.warnings.push_back(
        {ground.refusal.substr(0, space), ground.refusal.substr(space + 1), ground.where});
  }
  auto measured = found ? judged("layer thickness", "m", *found, ground.systematic)
                        : unidentifiable("m", "", kStage);
  if (stated_m) {
    layer.thickness_m = stated_m;
    layer.parameter = assumed(*stated_m, "m", "sensor");
    if (measured.value && std::abs(*measured.value - *stated_m) > measured.u_total.value_or(0))
      quality.warnings.push_back(
          {"THICKNESS-DIFFERS",
           fmt::format("The sensor description states a layer of {:.3f} mm; the ground beside the "
                       "pad says {:.3f} ± {:.3f} mm. The stated one was taken.",
                       m_to_mm(*stated_m), m_to_mm(*measured.value),
                       m_to_mm(measured.u_total.value_or(0))),
           ground.where});
    return layer;
  }
  layer.parameter = std::move(measured);
  if (layer.parameter.value) {
    layer.thickness_m = layer.parameter.value;
    double squares = std::pow(found->std, 2);
    for (const auto& part : ground.systematic) squares += part.u * part.u;
    layer.relative_u = std::sqrt(squares) / *layer.thickness_m;
  } else if (!ground.refusal.empty()) {
    layer.parameter.reason = ground.refusal;
  } else if (!found) {
    layer.parameter.reason =
        "NO-THICKNESS Only K_f = E_h/H shows in presses: touch the ground beside the pad (protocol "
        "thickness), or state the layer's thickness in the sensor's description.";
  }
  return layer;
}

/// `factor` K_f, where the presses tell it; `factor_u`: relative standard uncertainty of a factor
/// that was measured.
Parameter of_modulus(const HydroEstimate& estimate, const char* name, const char* unit,
                     double factor, const Shared& shared, double factor_u = 0) {
  if (!estimate.modulus_Pa_per_m) return unidentifiable(unit, estimate.no_modulus, kStage);
  const auto& k = *estimate.modulus_Pa_per_m;
  const Estimate found{factor * k.value, factor * k.std, k.dof};
  std::vector<Component> budget{
      {"force sensor's gain", shared.force_gain * found.value, kManyDegrees},
      {"rig's compliance", shared.rig * found.value, kManyDegrees},
      {"layer's thickness", factor_u * found.value, kManyDegrees},
      {"frame's seating", shared.seating * found.value, kManyDegrees},
      {"relaxation", u_rectangular(shared.relaxation * found.value), kManyDegrees}};
  if (estimate.first_cycles)
    budget.push_back({"first press", u_rectangular(kFirstPress * found.value), kManyDegrees});
  return judged(name, unit, found, budget);
}

/// Where neither plate nor weights tell the pad's foundation modulus, a ball or a wedge does: the
/// rig bends least of all under it.
void fill_foundation(const HydroEstimate& estimate, const Shared& shared, SensorModel& model) {
  auto& stiffness = model.stiffness;
  if (stiffness.foundation_modulus.value && stiffness.foundation_modulus.from != kStage) return;
  auto modulus = of_modulus(estimate, "K_f", "Pa/m", 1, shared);
  if (!modulus.value) return;  // why the plate was refused says more
  stiffness.foundation_modulus = std::move(modulus);
  const double cell_m2 = model.sensor.sensing_area_m2() / model.sensor.tactels();
  stiffness.k = of_modulus(estimate, "k", "N/m", cell_m2, shared);
  stiffness.method = "area";
}

Parameter dissipation(const HydroEstimate& estimate, const Damping& damping) {
  if (estimate.dissipation) return judged("d", "s/m", *estimate.dissipation, {});
  // d multiplies the force of any indenter alike.
  if (damping.dissipation.identified()) return damping.dissipation;
  return unidentifiable("s/m", estimate.no_dissipation, kStage);
}

Parameter radius_of(const SensorModel& model) {
  const auto& psf = model.psf;
  const auto& array = model.sensor.arrays.front();
  const double pitch_m =
      std::sqrt((array.pitch_x_m * array.pitch_x_m + array.pitch_y_m * array.pitch_y_m) / 2);
  Parameter sigma = psf.sigma;
  if (!sigma.value && psf.sigma_x.value && psf.sigma_y.value) {
    sigma = *psf.sigma_x.value > *psf.sigma_y.value ? psf.sigma_x : psf.sigma_y;
    sigma.value =
        std::sqrt((std::pow(*psf.sigma_x.value, 2) + std::pow(*psf.sigma_y.value, 2)) / 2);
  }
  if (!sigma.identified()) {
    const auto& why = psf.sigma_x.reason.empty() ? psf.sigma.reason : psf.sigma_x.reason;
    return unidentifiable("m", why, kStage);
  }
  Parameter radius = sigma;
  const double r = receptive_radius_m(*sigma.value, pitch_m);
  const double slope = 6 * *sigma.value / r;
  radius.value = r;
  radius.from = kStage;
  if (sigma.std) radius.std = slope * *sigma.std;
  if (sigma.u_total) radius.u_total = slope * *sigma.u_total;
  if (sigma.ci95)
    radius.ci95 = {r + slope * ((*sigma.ci95)[0] - *sigma.value),
                   r + slope * ((*sigma.ci95)[1] - *sigma.value)};
  return radius;
}

void report_sampling(SensorModel& model) {
  auto& out = model.hydroelastic;
  out.receptive_radius = radius_of(model);
  out.aggregator = out.receptive_radius.value ? "mean" : "";
  out.spacing = unidentifiable(
      "m",
      out.receptive_radius.value
          ? fmt::format("SETTING The spacing of samples is the simulator's choice, no property of "
                        "the sensor: at most {:.2g} mm, a quarter of the receptive radius.",
                        1e3 * *out.receptive_radius.value / kFinestPart)
          : "SETTING The spacing of samples is the simulator's choice: at most a quarter of the "
            "receptive radius.",
      kStage);
}

void fill_quality(const HydroEstimate& estimate, const std::optional<Estimate>& plate,
                  StageQuality& quality) {
  for (const auto& one : estimate.indenters) {
    quality.samples_used += static_cast<int>(one.rows);
    quality.chi2_per_dof = std::max(quality.chi2_per_dof.value_or(0), one.chi2_per_dof);
    quality.figures[fmt::format("K_f_Pa_per_m with {}", one.indenter)] = one.modulus_Pa_per_m.value;
    quality.figures[fmt::format("K_f_u95_Pa_per_m with {}", one.indenter)] =
        coverage_95(one.modulus_Pa_per_m.dof) * one.modulus_Pa_per_m.std;
    if (one.series_m_per_N.std > 0) {
      const auto& series = one.series_m_per_N;
      quality.figures[fmt::format("series_um_per_N with {}", one.indenter)] = 1e6 * series.value;
      quality.figures[fmt::format("series_u95_um_per_N with {}", one.indenter)] =
          1e6 * coverage_95(series.dof) * series.std;
    }
    quality.figures[fmt::format("presses with {}", one.indenter)] =
        static_cast<double>(one.presses);
  }
  if (plate) quality.figures["K_f_Pa_per_m with plate"] = plate->value;
  quality.interval_method =
      "within presses (serial correlation included) or between them (jackknife), the wider";
  quality.warnings.insert(quality.warnings.end(), estimate.warnings.begin(),
                          estimate.warnings.end());
  if (estimate.first_cycles)
    quality.warnings.push_back({"FIRST-PRESS",
                                "Only presses into virgin rubber: the modulus may be 10 % lower "
                                "for rubber pressed before; press each place twice.",
                                kStage});
}

}  // namespace

double receptive_radius_m(double sigma_m, double pitch_m) {
  return std::sqrt(6 * (sigma_m * sigma_m + pitch_m * pitch_m / 12));
}

Result<void> run_hydroelastic(FitContext& context) {
  auto& model = context.model;
  auto& quality = model.quality[kStage];
  quality = {};
  auto& out = model.hydroelastic;
  out = {};
  report_sampling(model);
  out.mu_static = model.friction.contact.mu_s;
  out.mu_dynamic = model.friction.contact.mu_d;
  const auto ground = find_thickness(context);
  if (!ground) return fail(ground.error());
  if (ground->ground_m) quality.figures["ground_z_mm"] = m_to_mm(*ground->ground_m);
  const auto layer = layer_of(*ground, model.sensor.thickness_m, quality);
  // Without it: balls and wedges at any depth.
  const auto data = load_hydro(context, layer.thickness_m.value_or(HUGE_VAL));
  if (!data) return fail(data.error());
  const auto plate = of_plate(model.stiffness.foundation_modulus);
  const auto estimate = estimate_hydro(*data, {plate, place_scatter(model.stiffness)});
  out.dissipation = dissipation(estimate, model.damping);
  fill_quality(estimate, plate, quality);
  const auto relaxing = not_at_rest(context, *data);
  report_not_at_rest(relaxing, quality);
  const Shared shared{force_certificate(context).gain_share(),
                      largest_rig_u(context, *data, estimate), relaxing.part,
                      seating_u(context, *data)};
  fill_foundation(estimate, shared, model);
  out.thickness = layer.parameter;
  // Only K_f shows in presses: the same number for another foundation depth is another modulus.
  if (layer.thickness_m)
    out.modulus = of_modulus(estimate, "E_h", "Pa", *layer.thickness_m, shared, layer.relative_u);
  else
    out.modulus = unidentifiable(
        "Pa", estimate.modulus_Pa_per_m ? layer.parameter.reason : estimate.no_modulus, kStage);
  return {};
}

}  // namespace tactelier
