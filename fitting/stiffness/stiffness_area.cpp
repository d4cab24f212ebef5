#include "fitting/stiffness/stiffness_area.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/refusal.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "stiffness";
constexpr double kFrameOverPlate = 2;  // RC-02

/// A parameter and all its uncertainties times a constant.
Parameter scaled(Parameter parameter, double factor, std::string unit) {
  parameter.unit = std::move(unit);
  if (parameter.value) *parameter.value *= factor;
  if (parameter.std) *parameter.std *= factor;
  if (parameter.u_total) *parameter.u_total *= factor;
  if (parameter.ci95)
    for (double& end : *parameter.ci95) end *= factor;
  return parameter;
}

std::string pitch_text(const SensorDescription& sensor) {
  const auto& array = sensor.arrays.front();
  if (array.pitch_x_m == array.pitch_y_m) return fmt::format("{:.4g}", m_to_mm(array.pitch_x_m));
  return fmt::format("{:.4g} x {:.4g}", m_to_mm(array.pitch_x_m), m_to_mm(array.pitch_y_m));
}

std::string why_no_area(const SensorModel& model) {
  const auto& s = model.stiffness;
  if (!s.k_affine.value)
    return "ST-01 No plate press (kind 'area') and no weight with a compression: record one of "
           "them.";
  return fmt::format(
      "ST-05 k was measured with a {} on {} mm tactels: valid for that contact size; use a plate "
      "press for eq. 18.",
      s.indenter.empty() ? "punch of unknown size" : s.indenter, pitch_text(model.sensor));
}

/// K_f from plate presses, as a parameter of the whole plate (N/m): the slope, since a whole pad
/// gives way by micrometres, less than its first touch is known to.
std::optional<QuantityResult> from_plate(const std::vector<StiffnessPress>& plate,
                                         const RigUncertainty& rig) {
  if (plate.empty()) return std::nullopt;
  auto quantity = k_affine_quantity(rig);
  quantity.name = "k of the plate";
  auto result = summarize(plate, quantity, {});
  const auto& k = result.parameter.value;
  if (k && rig.c1_m_per_N > 0 && 1 / rig.c1_m_per_N < kFrameOverPlate * *k)
    result.parameter = unidentifiable(
        "N/m",
        fmt::format(
            "RC-02 Frame {:.4g} N/mm against the whole pad's {:.4g} N/mm: most of the "
            "travel bends the rig. Press a ball of 10 mm instead, whose modulus the rig hardly "
            "moves, or lay on weights with a dial gauge at the pad",
            1e-3 / rig.c1_m_per_N, 1e-3 * *k),
        kStage);
  return result;
}

Parameter from_weights(const WeightFit& fit) {
  const auto& estimate = fit.foundation_modulus;
  const bool once = estimate.dof < 1;
  const auto parameter = once ? single_reading(estimate.value, "Pa/m", kStage, fit.systematic)
                              : identified(estimate, "Pa/m", kStage, fit.systematic);
  Candidate candidate;
  candidate.name = "foundation_modulus";
  candidate.unit = "Pa/m";
  candidate.estimate = estimate;
  candidate.u_total = parameter.u_total.value_or(0);
  const auto verdict = judge(std::span(&candidate, 1), {}).verdicts[0];
  return verdict.reported ? parameter : unidentifiable("Pa/m", verdict.reason, kStage);
}

void warn_weights(const WeightFit& fit, Warnings& warnings) {
  if (fit.used == 1)
    warnings.push_back({"ONE-WEIGHT",
                        "A single weight: its uncertainty is the resolution of the compression as "
                        "written, nothing is known of repeatability; put on three or more.",
                        "stiffness.k"});
  if (fit.intercept &&
      std::abs(fit.intercept->value) > coverage_95(fit.intercept->dof) * fit.intercept->std)
    warnings.push_back({"ST-02",
                        fmt::format("Pressure extrapolates to {:.3g} Pa at no compression: zero "
                                    "of the compression or trigger not removed.",
                                    fit.intercept->value),
                        "stiffness.k"});
}

void warn_disagreement(const Parameter& plate, const Parameter& weights, Warnings& warnings) {
  if (!plate.value || !weights.value || !plate.u_total || !weights.u_total) return;
  const double difference = *plate.value - *weights.value;
  if (std::abs(difference) <= std::hypot(*plate.u_total, *weights.u_total)) return;
  warnings.push_back({"AREA-DISAGREES",
                      fmt::format("Plate presses give {:.4g} Pa/m, weights {:.4g} Pa/m: more apart "
                                  "than their uncertainties; the plate's value was taken.",
                                  *plate.value, *weights.value),
                      "stiffness.foundation_modulus"});
}

}  // namespace

void summarize_area(const std::vector<StiffnessPress>& plate,
                    std::span<const WeightReading> weights, const RigUncertainty& rig,
                    SensorModel& model) {
  auto& out = model.stiffness;
  auto& warnings = model.quality[kStage].warnings;
  const double area_m2 = model.sensor.sensing_area_m2();
  const int tactels = model.sensor.tactels();
  const auto of_plate = from_plate(plate, rig);
  const auto of_weights = weights.empty() ? std::nullopt : std::optional(fit_weights(weights));
  for (auto& warning : check_weights(weights)) warnings.push_back(std::move(warning));

  std::optional<Parameter> modulus;
  if (of_plate && of_plate->parameter.value)
    modulus = scaled(of_plate->parameter, 1 / area_m2, "Pa/m");
  if (of_weights && *of_weights) {
    const auto parameter = from_weights(**of_weights);
    warn_weights(**of_weights, warnings);
    if (modulus)
      warn_disagreement(*modulus, parameter, warnings);
    else if (parameter.value)
      modulus = parameter;
    else
      out.foundation_modulus = parameter;
  }
  if (modulus) {
    out.foundation_modulus = *modulus;
    out.k = scaled(*modulus, area_m2 / tactels, "N/m");
    out.method = "area";
    return;
  }
  std::string reason = why_no_area(model);
  if (of_plate) reason = of_plate->parameter.reason;
  if (of_weights && !*of_weights) reason = of_weights->error().message;
  if (of_weights && *of_weights) reason = out.foundation_modulus.reason;
  out.foundation_modulus = unidentifiable("Pa/m", reason, kStage);
  out.k = unidentifiable("N/m", reason, kStage);
  out.method.clear();
}

}  // namespace tactelier
