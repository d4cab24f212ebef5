#include "fitting/friction/side_compliance.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

constexpr double kRelativeU = 0.1;  // of a stated compliance
constexpr double kCoverage = 1.96;
constexpr const char* kStage = "friction";

/// Times `factor`; `stretch` widens what stood beside the value, `more` adds a relative standard
/// uncertainty.
void scale(Parameter& parameter, double factor, double stretch, double more) {
  const double old = *parameter.value;
  *parameter.value = factor * old;
  const double u = more * std::abs(*parameter.value);
  if (parameter.std) *parameter.std = std::hypot(*parameter.std * stretch, u);
  if (parameter.u_total)
    *parameter.u_total = std::hypot(*parameter.u_total * stretch, kCoverage * u);
  if (!parameter.ci95) return;
  for (double& end : *parameter.ci95) {
    const double half = (end - old) * stretch;
    end = *parameter.value + std::copysign(std::hypot(half, kCoverage * u), half);
  }
}

}  // namespace

std::optional<double> stated_side_compliance(const std::string& session_json) {
  const auto document = nlohmann::json::parse(session_json, nullptr, false);
  if (!document.is_object() || !document.contains("rig") || !document["rig"].is_object())
    return std::nullopt;
  const auto& rig = document["rig"];
  const auto found = rig.find("shear_compliance_um_per_N");
  if (found == rig.end() || !found->is_number()) return std::nullopt;
  return 1e-6 * found->get<double>();
}

SideCompliance stated_compliance(double m_per_N) { return {m_per_N, kRelativeU * m_per_N, false}; }

void take_side_compliance_out(const SideCompliance& rig, LugreParameters& contact) {
  if (!contact.sigma0.value || !(rig.m_per_N > 0)) return;
  const double seen = *contact.sigma0.value * rig.m_per_N;
  if (seen >= 1) {
    const std::string reason = fmt::format(
        "FR-04 The rig's shear compliance of {:.3g} µm/N, as {}, is more than the {:.3g} µm/N that "
        "were seen: measure it along the plate (step shear).",
        1e6 * rig.m_per_N, rig.measured ? "measured on the plate" : "stated",
        1e6 / *contact.sigma0.value);
    contact.sigma0 = unidentifiable("N/m", reason, kStage);
    if (contact.sigma1.value) contact.sigma1 = unidentifiable("N*s/m", reason, kStage);
    return;
  }
  const double factor = 1 / (1 - seen);
  const double u = rig.u_m_per_N / rig.m_per_N * seen * factor;  // sigma0 u(C)
  scale(contact.sigma0, factor, factor * factor, u);
  auto& sigma1 = contact.sigma1;
  if (sigma1.value && sigma1.u_total)
    *sigma1.u_total = std::hypot(*sigma1.u_total,
                                 kCoverage * u_rectangular(*sigma1.value * (factor * factor - 1)));
}

}  // namespace tactelier
