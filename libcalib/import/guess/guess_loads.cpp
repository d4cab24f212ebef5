#include "libcalib/import/guess/guess_loads.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/import/cycle_finder.hpp"
#include "libcalib/import/level_finder.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// How often weights were put on from nothing and taken off again.
std::size_t rounds_of(const json& masses_g) {
  std::size_t rounds = 0;
  for (std::size_t i = 1; i < masses_g.size(); ++i)
    if (masses_g[i] == 0 && masses_g[i - 1] != 0) ++rounds;
  return masses_g.front() == 0 && masses_g.back() == 0 ? rounds : 0;
}

/// Whether the readings on which each weight lay fall the more, the heavier it is.
bool fall_with(const json& masses_g, const std::vector<LevelRows>& levels,
               const std::vector<double>& readings) {
  constexpr double kFalls = -0.5;  // correlation
  std::vector<double> mass_g, height;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    mass_g.push_back(masses_g[i].get<double>());
    height.push_back(readings[(levels[i].first + levels[i].last) / 2]);
  }
  return correlation(mass_g, height) < kFalls;
}

/// Under so many weights: half of the time that each has, to a tenth of a second. A share of the
/// whole table, which is the rule without, is too long for the many of a long one.
double shortest_of(const MapDraft& draft, std::size_t weights) {
  const double each_s = (draft.time_s.back() - draft.time_s.front()) / static_cast<double>(weights);
  return std::floor(5 * each_s) / 10;
}

/// A load that no column holds, the same in all rows. Asked for where nobody said it.
Result<void> take_load(MapDraft& draft, const char* question, const char* otherwise) {
  const auto& words = draft.answers.load;
  const auto known_load = draft.map.value("constants", json::object());
  if (known_load.contains("force") || known_load.contains("mass")) return {};
  if (words.empty()) {
    draft.ask("load", question, otherwise);
    return {};
  }
  const auto blank = std::min(words.find(' '), words.size());
  const auto number = parse_decimal(std::string_view(words).substr(0, blank));
  const auto unit = blank < words.size() ? words.substr(blank + 1) : "N";
  const auto known = parse_unit(unit);
  const bool mass = unit == "g" || unit == "kg";
  const bool force = known && known->quantity == Quantity::kForce;
  if (!number || !(number->value() > 0) || !(mass || force))
    return fail(ErrorCode::kUsage, "--load {}: give a force or a mass, such as '20 N'", words);
  draft.map["constants"][mass ? "mass" : "force"] =
      fmt::format("{} {}", words.substr(0, blank), unit);
  return {};
}

}  // namespace

Result<void> find_weights(MapDraft& draft) {
  const auto readings = draft.mean_reading();
  auto found_levels =
      draft.tactels > 0 ? find_levels(draft.time_s, readings, {}) : std::vector<LevelRows>{};
  auto levels = found_levels.size();
  if (draft.answers.weights.empty()) {
    draft.understood(
        fmt::format("no force: readings come in, and stand still {} times, but no newtons "
                    "can be had from this table alone",
                    levels));
    if (levels > 1)
      draft.ask("weights",
                fmt::format("Which {} weights lay on it, one after the other, in g? Such as "
                            "0,100,200,0",
                            levels),
                "no newtons");
    return {};
  }
  json masses_g = json::parse("[" + draft.answers.weights + "]", nullptr, false);
  const auto is_mass = [](const json& mass) { return mass.is_number() && mass >= 0; };
  const bool masses = masses_g.is_array() && std::all_of(masses_g.begin(), masses_g.end(), is_mass);
  json load{{"event", "load"}, {"find", "plateaus"}};
  if (masses && draft.tactels > 0 && masses_g.size() > levels) {
    LevelRule rule;
    rule.least_s = shortest_of(draft, masses_g.size());
    auto shorter = find_levels(draft.time_s, readings, rule);
    if (shorter.size() == masses_g.size()) {
      found_levels = std::move(shorter);
      levels = found_levels.size();
      load["least_s"] = *rule.least_s;
    }
  }
  if (!masses || masses_g.size() != levels)
    return fail(ErrorCode::kUsage,
                "--weights {}: the readings stand still {} times; give a mass in g for each, 0 "
                "for none, such as 0,100,200,0",
                draft.answers.weights, levels);
  if (draft.answers.sensor.empty() && fall_with(masses_g, found_levels, readings)) {
    draft.map["sensor"]["falling"] = true;
    draft.understood("the readings fall under the weights: falling sensors");
  }
  json press{{"event", "press"}};
  const auto rounds = rounds_of(masses_g);
  const bool found =
      rounds > 1 && find_cycles(rising_from_start(readings), kCycleShare).size() == rounds;
  if (found) press["find"] = "cycles";
  load["data"] = {{"mass_g", std::move(masses_g)}};
  draft.map["events"] = {std::move(press), std::move(load)};
  draft.understood(
      fmt::format("the readings stand still {} times, once for each weight{}", levels,
                  found ? fmt::format("; {} rounds of them, each a press", rounds) : ""));
  return {};
}

Result<void> take_sliding_load(MapDraft& draft) {
  const auto taken =
      take_load(draft, "What presses on it while it slides? Such as '20 N' or '2 kg'",
                "taken as 1 N: µ is then the friction force in newtons");
  const auto constants = draft.map.value("constants", json::object());
  if (!constants.contains("force") && !constants.contains("mass"))
    draft.map["constants"]["force"] = "1 N";
  return taken;
}

Result<void> take_moved_load(MapDraft& draft) {
  const bool placed = draft.column_of("x") != nullptr || draft.column_of("y") != nullptr;
  if (!placed || draft.tactels == 0 || draft.column_of(draft.load_target()) != nullptr) return {};
  const auto taken = take_load(
      draft, "No column says how hard was pressed: was it the same in all rows? Such as '100 g'",
      "no newtons and no point spread");
  const bool known = draft.map.contains("constants") && (draft.map["constants"].contains("mass") ||
                                                         draft.map["constants"].contains("force"));
  if (known && draft.answers.rest.empty())
    draft.ask("rest", "No row is without a load: what do the tactels read unloaded, in counts?",
              "where the line through the rows meets force 0");
  return taken;
}

}  // namespace tactelier
