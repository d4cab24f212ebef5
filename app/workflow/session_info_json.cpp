#include "app/workflow/session_info_json.hpp"

#include <cmath>

namespace tactelier {
namespace {

using nlohmann::json;

json optional_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json damage_json(const Damage& damage) {
  return {{"stream", damage.stream ? json(to_string(*damage.stream)) : json(nullptr)},
          {"column", damage.column},
          {"begin_s", optional_number(damage.begin_s)},
          {"end_s", optional_number(damage.end_s)},
          {"what", damage.what}};
}

}  // namespace

json info_json(const SessionReport& report) {
  auto streams = json::array();
  for (const auto& stream : report.streams)
    streams.push_back({{"name", stream.name},
                       {"rows", stream.rows},
                       {"columns", stream.columns},
                       {"begin_s", stream.begin_s},
                       {"end_s", stream.end_s},
                       {"rate_hz", optional_number(stream.rate_hz)},
                       {"gaps", stream.gaps},
                       {"longest_gap_s", stream.longest_gap_s},
                       {"clock", stream.clock}});
  auto refused = json::array();
  for (const auto& [why, numbers] : report.refused)
    refused.push_back({{"presses", numbers}, {"why", why}});
  auto findings = json::array();
  for (const auto& one : report.findings)
    findings.push_back({{"at_s", one.t_s},
                        {"what", one.what},
                        {"text", one.text},
                        {"good", one.good},
                        {"data", json::parse(one.data)}});
  auto damage = json::array();
  for (const auto& item : report.damage) damage.push_back(damage_json(item));
  return {{"session", report.name},
          {"created", report.created},
          {"sensor", report.sensor},
          {"tactels", report.tactels},
          {"indenter", report.indenter},
          {"content_hash", report.content_hash},
          {"finished", report.finished},
          {"duration_s", report.duration_s},
          {"streams", streams},
          {"events", report.events},
          {"findings", findings},
          {"presses", report.presses},
          {"presses_usable", report.presses_usable},
          {"presses_refused", refused},
          {"edits", report.edits},
          {"damage", damage}};
}

}  // namespace tactelier
