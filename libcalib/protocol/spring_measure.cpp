#include "libcalib/protocol/spring_measure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kFewest = 4;
constexpr double kCompliance_u = 0.05;  // of the rig's, standard
constexpr double kExpanded = 2;
constexpr double kPerMetre = 1e-3;  // N/m in N/mm

}  // namespace

std::optional<SpringFinding> SpringMeasure::find(const SpringBasis& basis) const {
  if (points_.size() < kFewest) return std::nullopt;
  const auto n = static_cast<double>(points_.size());
  double z_mean = 0, f_mean = 0, sff = 0, sfz = 0;
  for (const auto& point : points_) {
    z_mean += point.z_m / n;
    f_mean += point.force_N / n;
  }
  for (const auto& point : points_) {
    sff += (point.force_N - f_mean) * (point.force_N - f_mean);
    sfz += (point.force_N - f_mean) * (point.z_m - z_mean);
  }
  if (!(sff > 0)) return std::nullopt;
  const double slope = sfz / sff;
  double squares = 0;
  for (const auto& point : points_)
    squares += std::pow(point.z_m - z_mean - slope * (point.force_N - f_mean), 2);
  const double gives_m_per_N = -slope - basis.rig_m_per_N;
  if (!(gives_m_per_N > 0)) return std::nullopt;
  SpringFinding found;
  found.points = static_cast<int>(points_.size());
  found.rig_m_per_N = basis.rig_m_per_N;
  found.stiffness_N_per_m = 1 / gives_m_per_N;
  const double u_slope = std::sqrt(squares / (n - 2) / sff);
  const double u_gives = std::hypot(u_slope, kCompliance_u * basis.rig_m_per_N);
  const double gain_u = basis.gain_u_percent.value_or(0) / 100;
  found.u_N_per_m = found.stiffness_N_per_m * std::hypot(u_gives * found.stiffness_N_per_m, gain_u);
  found.stated_N_per_m = basis.spring.stiffness_N_per_m;
  found.stated_u_N_per_m = found.stated_N_per_m * basis.spring.u_percent / 100 / kExpanded;
  found.en = std::abs(found.stiffness_N_per_m - found.stated_N_per_m) /
             (kExpanded * std::hypot(found.u_N_per_m, found.stated_u_N_per_m));
  return found;
}

std::string SpringFinding::describe() const {
  return fmt::format(
      "leaf spring {:.4g} ± {:.2g} N/mm, stated {:.4g} ± {:.2g} N/mm: {:+.1f} %, E_n {:.2f}, {}",
      kPerMetre * stiffness_N_per_m, kPerMetre * kExpanded * u_N_per_m, kPerMetre * stated_N_per_m,
      kPerMetre * kExpanded * stated_u_N_per_m, 100 * (stiffness_N_per_m / stated_N_per_m - 1), en,
      agrees() ? "they agree" : "they DON'T agree");
}

std::string SpringFinding::event_data() const {
  return canonical(nlohmann::json{{"stiffness_N_per_mm", tidy(kPerMetre * stiffness_N_per_m)},
                                  {"u_N_per_mm", tidy(kPerMetre * u_N_per_m)},
                                  {"stated_N_per_mm", tidy(kPerMetre * stated_N_per_m)},
                                  {"stated_u_N_per_mm", tidy(kPerMetre * stated_u_N_per_m)},
                                  {"rig_um_per_N", tidy(rig_m_per_N * 1e6)},
                                  {"points", points},
                                  {"en", tidy(en)},
                                  {"agrees", agrees()}});
}

}  // namespace tactelier
