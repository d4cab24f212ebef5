#include "libcalib/import/guess/map_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "libcalib/import/guess/words.hpp"
#include "libcalib/import/map_target.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::string_view kTactel = "tactel";

bool names_columns(const json& map) {
  return map.is_object() && map.contains("columns") && map["columns"].is_object();
}

std::string text_at(const json& map, const char* key, const std::string& column) {
  if (!map.contains(key) || !map[key].is_object() || !map[key].contains(column)) return {};
  return map[key][column].is_string() ? map[key][column].get<std::string>() : std::string();
}

/// Number of a tactel, -1 for other targets.
int tactel_of(std::string_view target) {
  if (!target.starts_with("tactel ")) return -1;
  const auto number = target.substr(kTactel.size() + 1);
  int tactel = -1;
  std::from_chars(number.data(), number.data() + number.size(), tactel);
  return tactel;
}

std::string usual_unit(const std::string& target, const std::vector<std::string>& units) {
  if (units.empty()) return {};
  for (const auto& role : guessed_roles())
    if (target == role.target || target.starts_with(std::string(role.target) + ' '))
      return std::string(role.unit);
  return units.front();
}

/// 0, 1, 2 ... in the order of the numbers that are left.
void close_ranks(json& map) {
  std::map<int, std::vector<std::string>> columns;
  for (const auto& [name, target] : map["columns"].items())
    if (target.is_string())
      if (const int tactel = tactel_of(target.get<std::string>()); tactel >= 0)
        columns[tactel].push_back(name);
  int next = 0;
  for (const auto& [number, names] : columns) {
    for (const auto& name : names) map["columns"][name] = fmt::format("tactel {}", next);
    ++next;
  }
  if (!map.contains("sensor") || !map["sensor"].is_object()) return;
  auto& sensor = map["sensor"];
  if (sensor.value("rows", 0) == 1 && sensor.contains("columns"))
    sensor["columns"] = std::max(1, next);
}

int tactels_in(const json& map) {
  int most = -1;
  for (const auto& target : map["columns"])
    if (target.is_string()) most = std::max(most, tactel_of(target.get<std::string>()));
  return most + 1;
}

}  // namespace

std::optional<ColumnRole> role_in(std::string_view map_text, const std::string& column) {
  const auto map = json::parse(map_text, nullptr, false);
  if (!names_columns(map) || !map["columns"].contains(column)) return std::nullopt;
  return ColumnRole{text_at(map, "columns", column), text_at(map, "units", column)};
}

Result<std::string> with_role(std::string_view map_text, const std::string& column,
                              ColumnRole role) {
  auto map = json::parse(map_text, nullptr, false);
  if (!names_columns(map))
    return fail(ErrorCode::kInvalidInput,
                "the map is no JSON with columns: mend its text before roles are picked");
  if (!map["columns"].contains(column))
    return fail(ErrorCode::kInvalidInput, "the map does not name the column '{}'", column);
  const int before = tactel_of(text_at(map, "columns", column));
  if (role.target == kTactel)
    role.target = fmt::format("tactel {}", before >= 0 ? before : tactels_in(map));
  map["columns"][column] = role.target;
  if ((before >= 0) != (tactel_of(role.target) >= 0)) close_ranks(map);
  const auto units = units_of_target(role.target);
  const bool fits = std::find(units.begin(), units.end(), role.unit) != units.end();
  if (!units.empty() && !fits) role.unit = usual_unit(role.target, units);
  if (role.target == "ignore") role.unit.clear();
  if (role.target.starts_with("aux ") && role.unit.empty()) role.unit = "counts";
  if (!role.unit.empty())
    map["units"][column] = role.unit;
  else if (map.contains("units"))
    map["units"].erase(column);
  return map.dump(2) + "\n";
}

std::vector<std::string> targets_for(const std::string& column) {
  auto targets = map_targets();
  targets.insert(targets.begin(), std::string(kTactel));
  targets.insert(targets.end() - 1, "aux " + column);
  return targets;
}

}  // namespace tactelier
