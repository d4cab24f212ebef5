#include "fitting/adaptive/press_steps.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/session/press_kind.hpp"
#include "libcalib/units.hpp"

namespace tactelier::adaptive {

using nlohmann::json;

json press_until(double force_N, const AdaptiveSettings& settings) {
  json until{{"force_N", tidy(force_N)}, {"depth_mm", tidy_mm(settings.most_depth_m)}};
  if (settings.until_saturated) until["saturated"] = true;
  return until;
}

json press_steps(const std::vector<ChosenPress>& presses, const AdaptiveSettings& settings) {
  json steps = json::array();
  std::optional<double> force_N;
  for (const auto& [press, why] : presses) {
    if (press.force_N != force_N) {
      steps.push_back({{"do", "scan"},
                       {"sites", json::array()},
                       {"speed_mm_s", tidy_mm(press.speed_m_per_s)},
                       {"until", press_until(press.force_N, settings)}});
      force_N = press.force_N;
    }
    auto& sites = steps.back()["sites"];
    // No place comes twice in one step.
    const json site =
        press.tactel ? json(*press.tactel) : json::array({tidy_mm(press.x_m), tidy_mm(press.y_m)});
    if (std::find(sites.begin(), sites.end(), site) != sites.end()) {
      auto again = steps.back();
      again["sites"] = json::array({site});
      steps.push_back(again);
    } else {
      sites.push_back(site);
    }
  }
  return steps;
}

std::vector<PressThought> recorded_presses(std::span<const PressRow> rows,
                                           const SensorDescription& sensor, double speed_m_per_s) {
  std::vector<PressThought> presses;
  for (const auto& row : rows) {
    const bool ramp = row.kind == to_string(PressKind::kRamp);
    if (row.verdict == "unusable" || !ramp || !row.peak_force_N || !(*row.peak_force_N > 0))
      continue;
    PressThought press;
    press.tactel = row.tactel;
    if (row.x_m && row.y_m) {
      press.x_m = *row.x_m;
      press.y_m = *row.y_m;
    } else if (row.tactel) {
      press.x_m = sensor.position_m(*row.tactel)[0];
      press.y_m = sensor.position_m(*row.tactel)[1];
    } else {
      continue;
    }
    press.force_N = *row.peak_force_N;
    press.depth_m = row.peak_depth_m.value_or(press.force_N / 2000);
    press.speed_m_per_s = speed_m_per_s;
    presses.push_back(press);
  }
  return presses;
}

}  // namespace tactelier::adaptive
