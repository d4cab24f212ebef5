#include "reports/protocol_guide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "fitting/engine/facts.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier {
namespace {

ProtocolGuide guide_of(const Protocol& protocol, const SensorDescription& sensor,
                       const PlanSetup& setup) {
  ProtocolGuide guide{protocol.name, protocol.description, {}, {}};
  if (const auto plan = plan_protocol(protocol, sensor, setup))
    guide.duration_s = plan->duration_s;
  else
    guide.why_not = plan.error().message;
  return guide;
}

/// "P9" -> "p9"; "" for a protocol that isn't shipped.
std::string shipped_name(std::string_view protocol) {
  std::string name(protocol);
  for (char& letter : name)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const auto names = shipped_protocols();
  return std::find(names.begin(), names.end(), name) != names.end() ? name : std::string();
}

/// Letters, then the number behind them: p2 before p10.
std::pair<std::string, int> natural_order(const std::string& name) {
  const auto digits = name.find_first_of("0123456789");
  if (digits == name.npos) return {name, -1};
  return {name.substr(0, digits), std::atoi(name.c_str() + digits)};
}

}  // namespace

std::string ProtocolGuide::time_words() const {
  return duration_s ? duration_text(*duration_s) : "not on this rig";
}

std::string ProtocolGuide::headline() const {
  const auto end = description.find(". ");
  const auto colon = description.find(": ");
  const auto stop = std::min(end, colon);
  return stop == description.npos ? description : description.substr(0, stop);
}

std::vector<ProtocolGuide> protocol_guides(const SensorDescription& sensor,
                                           const PlanSetup& setup) {
  auto names = shipped_protocols();
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return natural_order(a) < natural_order(b); });
  std::vector<ProtocolGuide> guides;
  for (const auto& name : names)
    if (const auto protocol = load_protocol(name))
      guides.push_back(guide_of(*protocol, sensor, setup));
  return guides;
}

std::optional<ProtocolGuide> protocol_guide(std::string_view protocol,
                                            const SensorDescription& sensor,
                                            const PlanSetup& setup) {
  const auto name = shipped_name(protocol);
  if (name.empty()) return std::nullopt;
  const auto loaded = load_protocol(name);
  if (!loaded) return std::nullopt;
  return guide_of(*loaded, sensor, setup);
}

std::string record_words(std::string_view protocol) {
  const auto name = shipped_name(protocol);
  return fmt::format("{}: {}{}", protocol, protocol_words(protocol),
                     name.empty() ? "" : fmt::format(" (record --protocol {})", name));
}

std::string record_words(std::string_view protocol, const SensorDescription& sensor,
                         const PlanSetup& setup) {
  auto words = fmt::format("{}: {}", protocol, protocol_words(protocol));
  if (const auto guide = protocol_guide(protocol, sensor, setup))
    words += fmt::format(" (record --protocol {}, {})", guide->name, guide->time_words());
  return words;
}

Table protocol_table(const std::vector<ProtocolGuide>& guides) {
  Table table{{"Protocol", "Time", "What it is"}, {}};
  for (const auto& guide : guides)
    table.rows.push_back({guide.name, guide.time_words(), guide.headline()});
  return table;
}

}  // namespace tactelier
