#include "reports/model_diff.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kShown = 12;  // tactels named in one cell

ParameterChange change_of(const std::string& path, const Parameter& before,
                          const Parameter& after) {
  ParameterChange change{path, ParameterChange::Kind::kUnknown, before, after, {}, {}};
  if (!before.value) {
    change.kind = ParameterChange::Kind::kAppeared;
    return change;
  }
  if (!after.value) {
    change.kind = ParameterChange::Kind::kVanished;
    return change;
  }
  const double difference = *after.value - *before.value;
  if (*before.value != 0) change.relative = difference / std::abs(*before.value);
  const auto u_before = expanded_uncertainty(before);
  const auto u_after = expanded_uncertainty(after);
  if (!u_before || !u_after) return change;
  const double u = std::hypot(*u_before, *u_after);
  if (u == 0 && difference != 0) return change;
  change.e_n = u == 0 ? 0 : std::abs(difference) / u;
  change.kind =
      *change.e_n > 1 ? ParameterChange::Kind::kSignificant : ParameterChange::Kind::kWithin;
  return change;
}

Warnings warnings_of(const SensorModel& before, const SensorModel& after) {
  Warnings warnings;
  if (!(before.sensor.arrays == after.sensor.arrays))
    warnings.push_back(
        {"DIFF-SENSOR", "the two models describe sensors of different layout", "sensor.arrays"});
  else if (!before.serial.empty() && !after.serial.empty() && before.serial != after.serial)
    warnings.push_back(
        {"DIFF-SENSOR",
         fmt::format("the models are of two sensors: {} and {}", before.serial, after.serial),
         "sensor.serial"});
  const auto& sensor = before.provenance.force_sensor;
  if (!sensor.empty() && sensor == after.provenance.force_sensor)
    warnings.push_back({"DIFF-COMMON",
                        "both were fitted with one force sensor: the uncertainty of its gain is "
                        "common to both, so E_n of gains and stiffness is on the small side",
                        "provenance.force_sensor"});
  return warnings;
}

/// "response.tactels[3].press_gain" -> "response.tactels[].press_gain", and 3.
std::pair<std::string, std::string> without_index(const std::string& path) {
  const auto open = path.find('[');
  const auto close = path.find(']');
  if (open == path.npos || close == path.npos) return {path, ""};
  return {path.substr(0, open + 1) + path.substr(close), path.substr(open + 1, close - open - 1)};
}

std::string percent(const std::optional<double>& part) {
  return part ? fmt::format("{:+.2f}", 100 * *part) : "-";
}

std::vector<std::string> scalar_row(const ParameterChange& change) {
  const auto before = quantity_text(change.before);
  const auto after = quantity_text(change.after);
  const auto with = [](const QuantityText& text) {
    if (text.uncertainty.empty()) return fmt::format("{} {}", text.value, text.unit);
    return fmt::format("{} ± {} {}", text.value, text.uncertainty, text.unit);
  };
  return {change.path,
          with(before),
          with(after),
          percent(change.relative),
          change.e_n ? fmt::format("{:.2f}", *change.e_n) : "-",
          std::string(to_string(change.kind))};
}

std::vector<std::string> condensed_row(const TactelChanges& sum) {
  const auto middle = sum.relative.empty() ? std::nullopt : std::optional(median(sum.relative));
  auto which = fmt::format(
      "{}", fmt::join(sum.significant.begin(),
                      sum.significant.begin() +
                          static_cast<std::ptrdiff_t>(std::min(kShown, sum.significant.size())),
                      ", "));
  if (sum.significant.size() > kShown) which += ", ...";
  return {sum.path,
          fmt::format("{}", sum.compared),
          percent(middle),
          sum.compared > 0 ? fmt::format("{:.2f}", sum.largest_e_n) : "-",
          fmt::format("{}", sum.significant.size()),
          which,
          fmt::format("{}", sum.appeared),
          fmt::format("{}", sum.vanished)};
}

}  // namespace

std::string_view to_string(ParameterChange::Kind kind) {
  switch (kind) {
    case ParameterChange::Kind::kWithin:
      return "within";
    case ParameterChange::Kind::kSignificant:
      return "significant";
    case ParameterChange::Kind::kUnknown:
      return "unknown";
    case ParameterChange::Kind::kAppeared:
      return "appeared";
    case ParameterChange::Kind::kVanished:
      return "vanished";
  }
  return "";
}

ModelDiff diff_models(const SensorModel& before, const SensorModel& after) {
  ModelDiff diff;
  std::map<std::string, const Parameter*> second;
  for_each_parameter(after, [&](const std::string& path, const Parameter& parameter,
                                std::string_view) { second[path] = &parameter; });
  for_each_parameter(before,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (path.starts_with("presses[")) return;
                       const auto found = second.find(path);
                       if (found == second.end()) return;
                       if (!parameter.value && !found->second->value) return;
                       diff.changes.push_back(change_of(path, parameter, *found->second));
                     });
  diff.warnings = warnings_of(before, after);
  return diff;
}

bool is_of_tactel(const ParameterChange& change) {
  return !without_index(change.path).second.empty();
}

std::vector<TactelChanges> tactel_changes(const ModelDiff& diff) {
  std::vector<TactelChanges> all;
  std::map<std::string, std::size_t> at;
  for (const auto& change : diff.changes) {
    const auto [path, index] = without_index(change.path);
    if (index.empty()) continue;
    const auto [found, added] = at.try_emplace(path, all.size());
    if (added) all.emplace_back().path = path;
    auto& sum = all[found->second];
    sum.appeared += change.kind == ParameterChange::Kind::kAppeared ? 1 : 0;
    sum.vanished += change.kind == ParameterChange::Kind::kVanished ? 1 : 0;
    if (change.relative) sum.relative.push_back(*change.relative);
    if (!change.e_n) continue;
    ++sum.compared;
    sum.largest_e_n = std::max(sum.largest_e_n, *change.e_n);
    if (change.kind == ParameterChange::Kind::kSignificant) sum.significant.push_back(index);
  }
  return all;
}

std::vector<Section> diff_sections(const ModelDiff& diff) {
  Section scalars{
      "Parameters", {{{"Parameter", "Before", "After", "Change %", "E_n", "Verdict"}, {}}}, {}};
  Section tactels{"Tactels",
                  {{{"Parameter", "Compared", "Median change %", "Largest E_n", "E_n > 1", "Which",
                     "Appeared", "Vanished"},
                    {}}},
                  {}};
  for (const auto& change : diff.changes)
    if (!is_of_tactel(change)) scalars.tables[0].rows.push_back(scalar_row(change));
  for (const auto& sum : tactel_changes(diff)) tactels.tables[0].rows.push_back(condensed_row(sum));
  std::vector<Section> sections;
  if (!scalars.tables[0].rows.empty()) sections.push_back(std::move(scalars));
  if (!tactels.tables[0].rows.empty()) sections.push_back(std::move(tactels));
  return sections;
}

}  // namespace tactelier
