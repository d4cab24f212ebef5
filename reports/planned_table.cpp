#include "reports/planned_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fitting/engine/facts.hpp"
#include "reports/protocol_guide.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

std::string label_of(const PlannedParameter& parameter) {
  const auto* fact = fact_of(parameter.path);
  std::string label(fact != nullptr ? fact->label : parameter.path);
  const auto open = parameter.path.find('[');
  const bool numbered = open != parameter.path.npos && parameter.path[open + 1] != ']';
  if (numbered) label += fmt::format(" {}", std::atoi(parameter.path.c_str() + open + 1) + 1);
  if (parameter.promised() && parameter.of > 1)
    label += fmt::format(", {} of {} tactels", parameter.determined, parameter.of);
  return label;
}

std::string value_words(const PlannedParameter& parameter) {
  const auto text = quantity_text(parameter.value, parameter.u, parameter.unit);
  return text.unit.empty() ? text.value : text.value + " " + text.unit;
}

std::string percent_of(std::optional<double> half_width, double value) {
  if (!half_width || value == 0) return "-";
  return fmt::format("{:.2g} %", 100 * *half_width / std::abs(value));
}

/// What would record it, unless that is what is planned.
std::string record_instead(const PlannedParameter& parameter, const SensorDescription& sensor,
                           const PlanSetup& setup) {
  const auto advice = advice_for(parameter.reason, parameter.path);
  const auto protocol = helping_protocol(parameter);
  std::string words = protocol.empty() ? "" : record_words(protocol, sensor, setup);
  if (!advice.device.empty()) words += (words.empty() ? "" : "; ") + advice.device;
  return words.empty() ? "-" : words;
}

Section told(const std::vector<PlannedParameter>& parameters) {
  Section section{"What it will tell (expected value, half of a 95 % interval)", {}, {}};
  Table table{{"Parameter", "Expected", "Repeats", "In all", "Mostly from"}, {}};
  for (const auto& one : parameters) {
    if (!one.promised()) continue;
    table.rows.push_back({label_of(one), value_words(one), percent_of(one.repeat, one.value),
                          percent_of(one.u, one.value), one.limit});
    if (!one.may_fail.empty())
      section.warnings.push_back(fmt::format("{}: {}", label_of(one), one.may_fail));
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

Section not_told(const std::vector<PlannedParameter>& parameters, const SensorDescription& sensor,
                 const PlanSetup& setup) {
  Section section{"What it won't tell", {}, {}};
  Table table{{"Parameter", "Because", "Record"}, {}};
  for (const auto& one : parameters) {
    if (one.promised()) continue;
    auto record = record_instead(one, sensor, setup);
    const auto same = std::find_if(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return row[1] == one.reason && row[2] == record;
    });
    if (same != table.rows.end())
      (*same)[0] += ", " + label_of(one);
    else
      table.rows.push_back({label_of(one), one.reason, std::move(record)});
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

std::string helping_protocol(const PlannedParameter& parameter) {
  if (parameter.promised()) return {};
  const auto advice = advice_for(parameter.reason, parameter.path);
  if (!advice.protocol.empty()) return advice.protocol;
  const auto* fact = fact_of(parameter.path);
  return fact != nullptr ? std::string(fact->protocol) : std::string();
}

std::string planned_words(const PlannedParameter& parameter) {
  return parameter.promised() ? "± " + percent_of(parameter.u, parameter.value) : parameter.reason;
}

std::vector<Section> planned_sections(const std::vector<PlannedParameter>& parameters,
                                      const std::vector<Addition>& additions,
                                      const SensorDescription& sensor, const PlanSetup& setup) {
  std::vector<Section> sections{told(parameters), not_told(parameters, sensor, setup)};
  Section helps{"What would help most", {}, {}};
  Table table{{"Addition", "Tells besides", "Narrows most", "All half-widths"}, {}};
  const auto label = [&](const std::string& path) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const auto& one) { return one.path == path; });
    return found == parameters.end() ? path : label_of(*found);
  };
  for (const auto& one : additions) {
    std::vector<std::string> gained;
    for (const auto& path : one.gained) gained.push_back(label(path));
    table.rows.push_back({one.what, fmt::format("{}", fmt::join(gained, ", ")),
                          one.most.empty()
                              ? ""
                              : fmt::format("{} from {:.2g} to {:.2g} %", label(one.most),
                                            100 * one.most_from, 100 * one.most_to),
                          fmt::format("x {:.2f}", one.helps)});
  }
  if (!table.rows.empty()) helps.tables.push_back(std::move(table));
  sections.push_back(std::move(helps));
  std::erase_if(sections, [](const Section& s) { return s.tables.empty(); });
  return sections;
}

}  // namespace tactelier
