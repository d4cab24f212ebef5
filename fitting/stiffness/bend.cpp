#include "fitting/stiffness/bend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/robust.hpp"
#include "fitting/stiffness/hardening.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kSteps = 40;

double interpolated(const std::vector<std::array<double, 2>>& curve, double depth_m) {
  std::array<double, 2> before{0, 0};
  for (const auto& point : curve) {
    if (point[0] >= depth_m)
      return before[1] + (point[1] - before[1]) * (depth_m - before[0]) / (point[0] - before[0]);
    before = point;
  }
  return before[1];
}

double median_k(const std::vector<StiffnessPress>& presses) {
  std::vector<double> found;
  for (const auto& press : presses)
    if (press.loading && press.loading->k_punch) found.push_back(press.loading->k_punch->value);
  return found.empty() ? 0 : median(found);
}

}  // namespace

bool Curved::clearly() const {
  const double expected = kRunsTestLimit * tested;
  return failed > 0 && failed > expected + 3 * std::sqrt(expected);
}

Curved count_curved(const std::vector<StiffnessPress>& presses) {
  Curved count;
  for (const auto& press : presses) {
    if (!press.loading || press.linearity.readings < kMinLinearReadings) continue;
    ++count.tested;
    if (!press.linearity.to_the_end) ++count.failed;
  }
  return count;
}

std::vector<std::array<double, 2>> mean_curve(const std::vector<StiffnessPress>& presses,
                                              int steps) {
  double common_m = std::numeric_limits<double>::infinity();
  std::vector<const StiffnessPress*> used;
  for (const auto& press : presses) {
    if (!press.loading || !press.loading->k_punch || press.curve.size() < 2) continue;
    common_m = std::min(common_m, press.curve.back()[0]);
    used.push_back(&press);
  }
  std::vector<std::array<double, 2>> curve;
  for (int i = 0; i <= steps && !used.empty(); ++i) {
    const double depth_m = common_m * i / steps;
    double force_N = 0;
    for (const auto* press : used)
      force_N += interpolated(press->curve, depth_m) / static_cast<double>(used.size());
    curve.push_back({depth_m, i == 0 ? 0.0 : force_N});
  }
  return curve;
}

void account_for_bend(std::vector<StiffnessPress>& presses, std::optional<double> thickness_m,
                      StageQuality& quality) {
  if (!count_curved(presses).clearly()) return;
  const auto curve = mean_curve(presses, kSteps);
  const double k_punch = median_k(presses);
  if (curve.size() < 2 || !(k_punch > 0)) return;
  const double length_m = thickness_m.value_or(curve.back()[0]);
  std::vector<double> x, force_N;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    x.push_back(curve[i][0] / length_m);
    force_N.push_back(curve[i][1]);
  }
  const auto fit = choose_hardening(x, force_N, thickness_m.has_value());
  const auto equivalents = linear_equivalents(fit, x.back());
  const double at_contact = fit.slope(0) / length_m;
  const double relative = std::abs(k_punch - at_contact) / k_punch / std::sqrt(3.0);
  for (auto& press : presses) press.shared = std::hypot(press.shared, relative);
  auto& figures = quality.figures;
  figures["hardening_contact_N_per_m"] = at_contact;
  figures["hardening_secant_N_per_m"] = equivalents.secant / length_m;
  figures["hardening_energy_N_per_m"] = equivalents.energy / length_m;
  figures["hardening_tangent_N_per_m"] = equivalents.tangent / length_m;
  quality.warnings.push_back(
      {"HARDENING",
       fmt::format("Force over depth is {}: to {:.3g} mm the secant is {:.4g} N/mm, the spring of "
                   "equal work {:.4g}, the tangent {:.4g}, at first touch {:.4g}. k_punch is a "
                   "straight line through the contact point, its interval reaches to first touch; "
                   "stiffness.curve holds the curve.",
                   to_string(fit.law), m_to_mm(curve.back()[0]),
                   equivalents.secant / length_m / 1e3, equivalents.energy / length_m / 1e3,
                   equivalents.tangent / length_m / 1e3, at_contact / 1e3),
       "stiffness.k_punch"});
}

}  // namespace tactelier
