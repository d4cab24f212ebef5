#include "fitting/stiffness/stiffness_quantity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/refusal.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "stiffness";

std::string why_no_contact(const StiffnessPress& press) {
  return press.loading ? press.no_contact : press.no_loading;
}

std::string common_reason(const std::vector<StiffnessPress>& presses,
                          const StiffnessQuantity& quantity) {
  std::map<std::string, int> count;
  for (const auto& press : presses) ++count[quantity.why_not(press)];
  const auto most = std::max_element(
      count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

}  // namespace

std::vector<Component> RigUncertainty::of_stiffness(double k_N_per_m) const {
  std::vector<Component> parts = of_force(k_N_per_m);
  if (u_c1_m_per_N > 0)
    parts.push_back({"frame compliance", k_N_per_m * k_N_per_m * u_c1_m_per_N, kManyDegrees});
  if (hysteresis_half_width > 0)
    parts.push_back({"loop", u_rectangular(k_N_per_m * hysteresis_half_width), kManyDegrees});
  if (first_press > 0)
    parts.push_back({"first press", u_rectangular(k_N_per_m * first_press), kManyDegrees});
  return parts;
}

std::vector<Component> RigUncertainty::of_force(double force_N) const {
  std::vector<Component> parts;
  if (force_gain) parts.push_back({"force gain", std::abs(force_N) * *force_gain, kManyDegrees});
  return parts;
}

Parameter judged(const StiffnessQuantity& quantity, const Estimate& estimate) {
  const auto systematic = quantity.systematic(estimate.value);
  Candidate candidate;
  candidate.name = quantity.name;
  candidate.unit = quantity.unit;
  candidate.estimate = estimate;
  candidate.location = quantity.location;
  candidate.u_total = identified(estimate, quantity.unit, kStage, systematic).u_total.value_or(0);
  const auto judgement = judge(std::span(&candidate, 1), {});
  return reported(candidate, judgement.verdicts[0], kStage, systematic);
}

QuantityResult summarize(const std::vector<StiffnessPress>& presses,
                         const StiffnessQuantity& quantity, const std::string& no_presses) {
  QuantityResult result;
  std::vector<PressValue> values;
  for (const auto& press : presses)
    if (const auto value = quantity.value(press))
      values.push_back({press.site, press.mount, *value, press.shared * std::abs(value->value)});
  if (values.empty()) {
    result.parameter = unidentifiable(
        quantity.unit, presses.empty() ? no_presses : common_reason(presses, quantity), kStage);
    return result;
  }
  result.means = mean_over_sites(values);
  result.parameter = judged(quantity, result.means.mean);
  return result;
}

StiffnessQuantity k_punch_quantity(const RigUncertainty& rig) {
  return {"k_punch", "N/m",
          [](const StiffnessPress& press) {
            return press.loading ? press.loading->k_punch : std::nullopt;
          },
          why_no_contact, [rig](double k) { return rig.of_stiffness(k); }};
}

StiffnessQuantity k_affine_quantity(const RigUncertainty& rig) {
  return {"k_affine", "N/m",
          [](const StiffnessPress& press) {
            return press.loading ? std::optional(press.loading->k_affine) : std::nullopt;
          },
          [](const StiffnessPress& press) { return press.no_loading; },
          [rig](double k) { return rig.of_stiffness(k); }};
}

StiffnessQuantity intercept_quantity(const RigUncertainty& rig) {
  return {"intercept",
          "N",
          [](const StiffnessPress& press) {
            return press.loading && press.loading->k_punch ? std::optional(press.loading->intercept)
                                                           : std::nullopt;
          },
          why_no_contact,
          [rig](double force_N) { return rig.of_force(force_N); },
          true};
}

StiffnessQuantity unloading_quantity(const RigUncertainty& rig) {
  return {"unloading", "N/m",
          [](const StiffnessPress& press) {
            return press.unloading ? std::optional(press.unloading->slope) : std::nullopt;
          },
          [](const StiffnessPress& press) { return press.no_unloading; },
          [rig](double k) { return rig.of_stiffness(k); }};
}

}  // namespace tactelier
