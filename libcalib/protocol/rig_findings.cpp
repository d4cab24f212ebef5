#include "libcalib/protocol/rig_findings.hpp"

#include <fmt/format.h>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/drift_watch.hpp"
#include "libcalib/protocol/spring_measure.hpp"
#include "libcalib/session/event_order.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

std::string warm_up_text(const json& data, bool still) {
  const double half_width =
      DriftWatch::kCoverage * get_number(data, "u_drift_mN_per_min").value_or(0);
  return fmt::format(
      "{} after {:.0f} s: the force's zero drifts {:.1f} ± {:.1f} mN/min, limit {:.3g}",
      still ? "warm" : "not warm", get_number(data, "waited_s").value_or(0),
      get_number(data, "drift_mN_per_min").value_or(0), half_width,
      get_number(data, "limit_mN_per_min").value_or(0));
}

std::string spring_text(const json& data) {
  const auto in_SI = [&](const char* key) { return 1e3 * get_number(data, key).value_or(0); };
  SpringFinding found;
  found.stiffness_N_per_m = in_SI("stiffness_N_per_mm");
  found.u_N_per_m = in_SI("u_N_per_mm");
  found.stated_N_per_m = in_SI("stated_N_per_mm");
  found.stated_u_N_per_m = in_SI("stated_u_N_per_mm");
  found.en = get_number(data, "en").value_or(0);
  return found.describe();
}

}  // namespace

Result<std::vector<RigFinding>> rig_findings(std::span<const Event> events) {
  std::vector<RigFinding> found;
  const auto conditioned = conditionings(events);
  if (!conditioned) return fail(conditioned.error());
  auto next = conditioned->begin();
  for (const auto* event : in_time_order(events)) {
    RigFinding finding{event->t_s.value(), event->name, "", true, event->data};
    if (event->name == "conditioned") {
      finding.text = "conditioned: " + (next++)->describe();
    } else if (event->name == "warm_up" || event->name == "spring") {
      const auto data = parse_json(event->data, event->name);
      if (!data) return fail(data.error());
      finding.good = data->value(event->name == "spring" ? "agrees" : "still", false);
      finding.text =
          event->name == "spring" ? spring_text(*data) : warm_up_text(*data, finding.good);
    } else {
      continue;
    }
    found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace tactelier
