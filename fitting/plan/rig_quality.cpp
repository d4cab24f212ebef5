#include "fitting/plan/rig_quality.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kUsualTactile_hz = 100;

/// Members of one object, with what was missing in it.
class Stated {
 public:
  Stated(const json& rig, std::vector<std::string>& assumed)
      : performance_(rig.value("performance", json::object())), assumed_(assumed) {}

  /// In the file's unit; `words` with {} for the number.
  double value(const char* key, double otherwise, const char* words) {
    if (performance_.contains(key)) return performance_[key].get<double>();
    assumed_.push_back(fmt::format(fmt::runtime(words), otherwise));
    return otherwise;
  }

 private:
  json performance_;
  std::vector<std::string>& assumed_;
};

std::optional<double> number_at(const json& document, const char* pointer) {
  const auto at = json::json_pointer(pointer);
  if (!document.contains(at) || !document[at].is_number()) return std::nullopt;
  return document[at].get<double>();
}

}  // namespace

RigQuality rig_quality(const RigFile& rig, const SensorDescription& sensor) {
  RigQuality quality;
  auto document = json::parse(rig.document, nullptr, false);
  if (!document.is_object()) document = json::object();
  Stated stated(document, quality.assumed);
  quality.force_noise_N = 1e-3 * stated.value("force_noise_mN", 10, "force noise {:g} mN at rest");
  quality.force_noise_moving_N =
      1e-3 * stated.value("force_noise_moving_mN", 3e3 * quality.force_noise_N,
                          "{:g} mN while motors step");
  quality.force_rate_hz = stated.value("force_rate_hz", 1000, "{:g} forces a second");
  quality.position_rate_hz = stated.value("position_rate_hz", 10, "{:g} positions a second");
  quality.tactile_noise_counts =
      stated.value("tactile_noise_counts", 8, "readings' noise {:g} counts");
  quality.press_scatter =
      1e-2 * stated.value("press_scatter_percent", 6, "{:g} % from press to press");
  if (const auto percent = number_at(document, "/force_sensor/certificate/gain_u_percent"))
    quality.force_gain_u = *percent / 100;
  quality.step_m = rig.step_z_m.value_or(2.5e-6);
  if (!rig.step_z_m) quality.assumed.emplace_back("steps of 2.5 um");
  quality.microstep_error_m =
      1e-6 * stated.value("microstep_error_um", 2e6 * quality.step_m, "{:g} um of microstep error");
  quality.backlash_m = rig.backlash_z_m.value_or(20e-6);
  if (!rig.backlash_z_m) quality.assumed.emplace_back("20 um of backlash");
  quality.compliance_m_per_N = rig.compliance_m_per_N.value_or(12e-6);
  if (!rig.compliance_m_per_N) quality.assumed.emplace_back("12 um/N of compliance");
  quality.shear_compliance_m_per_N = rig.shear_compliance_m_per_N;
  quality.tactile_rate_hz =
      sensor.rate_hz ? *sensor.rate_hz
                     : stated.value("tactile_rate_hz", kUsualTactile_hz, "{:g} frames a second");
  return quality;
}

}  // namespace tactelier
