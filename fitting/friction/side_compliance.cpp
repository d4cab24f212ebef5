#include "fitting/friction/side_compliance.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/friction/presliding.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/moving_mean.hpp"

namespace tactelier {
namespace {

constexpr double kRelativeU = 0.1;  // of a stated compliance
constexpr double kCoverage = 1.96;
constexpr double kMostLoss = 0.06;  // of a bolted frame: 3 % of critical damping
constexpr double kSmooth_s = 0.01;
constexpr double kTurned_rad_per_s = 30;  // slides of 0.1 m/s^2 break away in some 45 ms

/// Adds a relative standard uncertainty.
void widen(double relative, Parameter& parameter) {
  const double value = *parameter.value, u = relative * std::abs(value);
  if (parameter.std) *parameter.std = std::hypot(*parameter.std, u);
  if (parameter.u_total) *parameter.u_total = std::hypot(*parameter.u_total, kCoverage * u);
  if (!parameter.ci95) return;
  for (double& end : *parameter.ci95)
    end = value + std::copysign(std::hypot(end - value, kCoverage * u), end - value);
}

void hold_rig_damping(const SideCompliance& rig, double sigma0, Parameter& sigma1) {
  if (sigma1.u_total)
    *sigma1.u_total =
        std::hypot(*sigma1.u_total, kCoverage * *sigma1.value *
                                        u_of_rig_damping(rig.m_per_N, sigma0, *sigma1.value));
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

void take_rig_out(const SideCompliance& rig, SlideRun& run) {
  if (!run.usable() || !run.motion_measured || !(rig.m_per_N > 0)) return;
  if (run.event.oscillation) {
    const double seen = presliding(run).stiffness_N_per_m.real();
    if (seen * rig.m_per_N >= 1) {
      run.refusal = fmt::format(
          "FR-04 {}: the rig's shear compliance of {:.3g} µm/N, as {}, is more than the "
          "{:.3g} µm/N that were seen: measure it along the plate (step shear).",
          run.where, 1e6 * rig.m_per_N, rig.measured ? "measured on the plate" : "stated",
          1e6 / seen);
      return;
    }
  }
  const auto half = static_cast<std::size_t>(kSmooth_s / 2 / run.period_s);
  const auto smooth_N = moving_mean(run.friction_N, half);
  for (std::size_t i = 1; i < smooth_N.size(); ++i)
    run.velocity_m_per_s[i] -= rig.m_per_N * (smooth_N[i] - smooth_N[i - 1]) / run.period_s;
}

void hold_side_compliance(const SideCompliance& rig, LugreParameters& contact) {
  if (!contact.sigma0.value || !(rig.m_per_N > 0)) return;
  const double u = rig.u_m_per_N * *contact.sigma0.value;
  widen(u, contact.sigma0);
  if (!contact.sigma1.value) return;
  widen(2 * u, contact.sigma1);
  hold_rig_damping(rig, *contact.sigma0.value, contact.sigma1);
}

double u_of_rig_damping(double side_m_per_N, double sigma0, double sigma1) {
  return u_rectangular(kMostLoss * side_m_per_N * sigma0 * sigma0 / (kTurned_rad_per_s * sigma1));
}

}  // namespace tactelier
