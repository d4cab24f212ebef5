#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/guess/answers.hpp"
#include "libcalib/import/guess/column_values.hpp"
#include "libcalib/import/guess/map_draft.hpp"
#include "libcalib/import/guess/words.hpp"
#include "libcalib/import/header_unit.hpp"
#include "libcalib/import/map_target.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/import/text_layout.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kNoNewtons = 2000;  // so many are counts, unless somebody says their unit

bool fits(const GuessedRole& role, const std::string& unit) {
  if (unit == "g" || unit == "kg") return role.target == "mass" || role.target == "force";
  const auto said = parse_unit(unit);
  const auto usual = parse_unit(role.unit);
  return said && usual && said->quantity == usual->quantity;
}

/// "position [rad]" is no place of a stage.
bool turns(const std::string& unit) {
  const auto known = parse_unit(unit);
  return known &&
         (known->quantity == Quantity::kAngle || known->quantity == Quantity::kAngularSpeed ||
          known->quantity == Quantity::kTorque);
}

/// What has a unit of force is a force, whatever its name.
void by_unit(const LookedAt::Column& column, const NamedUnit& named, GuessedColumn& guess) {
  const auto unit = parse_unit(named.unit);
  if (unit && unit->quantity == Quantity::kTime && !column.rises()) return;
  if (named.unit == "g" || named.unit == "kg") guess.target = "mass";
  if (unit && unit->quantity == Quantity::kForce) guess.target = "force";
  if (unit && unit->quantity == Quantity::kTime) guess.target = "t";
  if (unit && unit->quantity == Quantity::kLength) guess.target = "depth";
  if (unit && unit->quantity == Quantity::kTemperature) guess.target = "aux " + named.name;
  if (unit && unit->quantity == Quantity::kSpeed) guess.target = "speed";
  if (unit && unit->quantity == Quantity::kAngle) guess.target = "angle";
  if (unit && unit->quantity == Quantity::kAngularSpeed) guess.target = "angular_speed";
  if (unit && unit->quantity == Quantity::kTorque) guess.target = "torque";
  guess.unit = named.unit;
  if (!guess.target.empty()) guess.why = "its unit";
}

void find_role(const LookedAt::Column& column, const std::string& name,
               const std::optional<NamedUnit>& named, GuessedColumn& guess) {
  for (const auto& role : guessed_roles()) {
    if (!role.is_called(name) && !role.is_called(column.name)) continue;
    if (role.target == "t" && !column.rises()) continue;
    if (named && turns(named->unit) && !fits(role, named->unit)) continue;
    guess.target = role.target;
    guess.why = "its name";
    if (named && fits(role, named->unit)) {
      guess.unit = named->unit;
      if (role.target == "force" && (guess.unit == "g" || guess.unit == "kg"))
        guess.target = "mass";
    } else if (const auto unit = unit_called(column.name); role.target == "t" && unit) {
      guess.unit = *unit;
    } else {
      guess.unit = role.target == "t" ? unit_of_time(column) : std::string(role.unit);
      guess.why = "its name; the unit is assumed";
    }
    return;
  }
  if (named) by_unit(column, *named, guess);
}

void guess_column(MapDraft& draft, const LookedAt::Column& column) {
  const auto named = unit_in_name(column.name);
  const auto name = named ? named->name : column.name;
  GuessedColumn guess{column.name, "", "", ""};
  if (!column.clock.empty()) {
    guess.target = column.rises() ? "t" : "ignore";
    guess.unit = "s";
    guess.why = "times of day, as seconds";
    draft.understood(fmt::format(
        "'{}' holds times of day ('{}'): seconds since the midnight before{}", column.name,
        column.clock,
        column.rises() ? "" : "; they go back or stand still, so they are no time of the rows"));
  } else if (!column.numeric) {
    guess.target = "ignore";
    guess.why = "holds text";
  } else if (numbers_sensors(column.name) && column.whole) {
    guess.target = "ignore";
    guess.why = "says which sensor a row is of";
    if (!column.constant())
      draft.understood(
          fmt::format("'{}' tells {} sensors apart: here all are taken for one; make a table of "
                      "each for its own newtons",
                      column.name, column.different()));
  } else if (const bool site = numbers_sites(column.name) && column.whole;
             is_label(name) || numbers_presses(name) || site) {
    guess.target = "ignore";
    guess.why = numbers_presses(name) || site ? "numbers presses" : "a label";
  } else {
    find_role(column, name, named, guess);
  }
  draft.out.columns.push_back(std::move(guess));
}

/// "a", "b", "c", "d": letters in a row name channels, whatever else a letter may stand for; x, y
/// and z don't.
void name_letters(MapDraft& draft) {
  constexpr std::size_t kRow = 3;
  auto& columns = draft.out.columns;
  const auto letter = [&](std::size_t i) {
    const auto& name = columns[i].name;
    const char c = name.size() == 1 ? static_cast<char>(name[0] | 0x20) : '\0';
    return c >= 'a' && c < 'x' ? c : '\0';
  };
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    end = begin + 1;
    while (end < columns.size() && letter(end) != '\0' && letter(end) == letter(end - 1) + 1) ++end;
    if (end - begin < kRow) continue;
    for (std::size_t i = begin; i < end; ++i)
      if (draft.table.columns[i].numeric) columns[i].target = columns[i].unit = columns[i].why = "";
  }
}

bool is_of_joint(std::string_view target) {
  return target == "torque" || target == "angle" || target == "angular_speed";
}

/// "elbow" of "angle_elbow" and "elbow velocity"; "" when nothing else is said.
std::string joint_in(std::string_view column) {
  constexpr std::string_view kWords =
      " joint angle position pos theta q angular velocity vel speed omega dq qd effort torque tau "
      "moment motor ";
  const auto named = unit_in_name(column);
  std::string name = named ? named->name : std::string(column), joint;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '_' || c == '.' || c == '/'; }, ' ');
  for (std::size_t begin = 0; begin < name.size();) {
    const auto end = std::min(name.find(' ', begin), name.size());
    const auto word = name.substr(begin, end - begin);
    if (!word.empty() && kWords.find(" " + word + " ") == kWords.npos)
      joint += (joint.empty() ? "" : "_") + word;
    begin = end + 1;
  }
  return joint;
}

/// Several joints in one table are told apart by what else their columns are called.
void name_joints(MapDraft& draft) {
  std::map<std::string, int> columns;
  for (const auto& guess : draft.out.columns)
    if (is_of_joint(guess.target)) ++columns[guess.target];
  const bool several = std::any_of(columns.begin(), columns.end(),
                                   [](const auto& entry) { return entry.second > 1; });
  if (!several) return;
  for (auto& guess : draft.out.columns)
    if (is_of_joint(guess.target))
      if (const auto joint = joint_in(guess.name); !joint.empty()) guess.target += " " + joint;
}

/// Whole seconds of the day that several rows share say less than a finer clock beside them.
void prefer_finer_clock(MapDraft& draft) {
  const auto shared = [](const LookedAt::Column& column) {
    return column.different() < column.values.size();
  };
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    auto& guess = draft.out.columns[i];
    if (guess.target != "t" || draft.table.columns[i].clock.empty()) continue;
    if (!shared(draft.table.columns[i])) continue;
    for (std::size_t k = 0; k < draft.out.columns.size(); ++k)
      if (k != i && draft.out.columns[k].target == "t" && !shared(draft.table.columns[k])) {
        guess.target = "ignore";
        guess.why = "times of day; another column is finer";
      }
  }
}

/// A target is given once, to a column that is called so before one that only has its unit: further
/// columns of the same role are kept as aux.
void drop_doubles(MapDraft& draft) {
  std::set<std::string> seen, called;
  for (const auto& guess : draft.out.columns)
    if (guess.why != "its unit") called.insert(guess.target);
  for (auto& guess : draft.out.columns) {
    if (guess.why == "its unit" && guess.target != "t" && called.contains(guess.target)) {
      guess.target = "aux " + guess.name;
      guess.why = "another column is called so";
      continue;
    }
    if (guess.target.empty() || guess.target == "ignore") continue;
    const auto place = guess.target == "mass" ? "force" : guess.target;
    if (seen.insert(place).second) continue;
    guess.target = guess.target == "t" || guess.target == "mass" ? "ignore" : "aux " + guess.name;
    guess.why = "another column of that kind comes first";
  }
}

/// A force in counts of a load cell's converter: two loads that are known say its scale.
Result<void> scale_load_cell(MapDraft& draft) {
  const auto cell = load_cell_in(draft.answers.load_cell);
  if (!cell && !draft.answers.load_cell.empty())
    return fail(ErrorCode::kUsage,
                "--load-cell {}: give two readings and what they stand for, with a unit, such as "
                "'8322237=0,8341540=50 g'",
                draft.answers.load_cell);
  auto found = std::find_if(draft.out.columns.begin(), draft.out.columns.end(), [](const auto& c) {
    return c.target == "force" || c.target == "mass";
  });
  if (found == draft.out.columns.end() && cell) {
    found = by_known_loads(draft, *cell);
    if (found == draft.out.columns.end())
      return fail(ErrorCode::kUsage,
                  "--load-cell {}: which column is it? No single one reads such numbers; say so by "
                  "--columns NAME=force",
                  draft.answers.load_cell);
  }
  if (found == draft.out.columns.end()) return {};
  auto& values =
      draft.table.columns[static_cast<std::size_t>(found - draft.out.columns.begin())].values;
  if (draft.answers.load_cell.empty()) {
    if (found->why != "its name" && std::abs(middle_of(values)) > kNoNewtons)
      draft.ask(
          "load-cell",
          fmt::format("'{}' looks like counts: what did it read without a load and under a known "
                      "one? Such as '8322237=0,8341540=50 g'",
                      found->name),
          "taken as newtons");
    return {};
  }
  const double slope = (cell->is[1] - cell->is[0]) / (cell->reads[1] - cell->reads[0]);
  for (auto& value : values) value = cell->is[0] + (value - cell->reads[0]) * slope;
  draft.map["scale"][found->name] = {{cell->reads[0], cell->is[0]}, {cell->reads[1], cell->is[1]}};
  found->unit = cell->unit;
  found->target = cell->unit == "g" || cell->unit == "kg" ? "mass" : "force";
  found->why += "; scaled by two known loads";
  return {};
}

/// Of a single cell beside its load: whole numbers of a few kinds that don't go with the load tell
/// how rows were made, not what was read.
void leave_out_kinds(MapDraft& draft) {
  constexpr std::size_t kKinds = 6, kRowsEach = 4;
  constexpr double kGoesWith = 0.4, kApart = 0.25;  // correlation with the load
  const auto* load = draft.column_of(draft.load_target());
  if (load == nullptr || draft.column_of("t") != nullptr || !draft.answers.rate.empty()) return;
  std::size_t going = 0;
  std::vector<GuessedColumn*> apart;
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    const auto& column = draft.table.columns[i];
    if (!draft.out.columns[i].target.empty()) continue;
    const double along = std::abs(correlation(load->values, column.values));
    const bool few =
        column.whole && (column.constant() || (column.different() <= kKinds &&
                                               column.different() * kRowsEach <= draft.table.rows));
    if (along > kGoesWith && !few)
      ++going;
    else if (few && along < kApart)
      apart.push_back(&draft.out.columns[i]);
    else
      return;
  }
  if (going != 1) return;
  for (auto* column : apart) {
    column->target = "ignore";
    column->why = "few whole numbers that don't go with the load";
  }
}

/// Each value of one stands beside one value of the other, along or against it.
bool tell_the_same(const LookedAt::Column& a, const LookedAt::Column& b) {
  std::map<double, double> beside;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
    if (std::isnan(a.values[i]) || std::isnan(b.values[i])) continue;
    if (!beside.try_emplace(a.values[i], b.values[i]).second && beside[a.values[i]] != b.values[i])
      return false;
  }
  std::size_t rises = 0, falls = 0;
  for (auto at = beside.begin(); at != beside.end() && std::next(at) != beside.end(); ++at) {
    rises += std::next(at)->second > at->second ? 1 : 0;
    falls += std::next(at)->second < at->second ? 1 : 0;
  }
  // A division by zero at an end of the range is written in whatever way.
  return beside.size() > 4 && std::min(rises, falls) <= 1;
}

/// A load cell's own readings beside its force, and what is computed of one sensor's reading: the
/// voltage and the resistance of its counts. The first of them is the reading.
void leave_out_computed(MapDraft& draft) {
  const bool force = draft.column_of(draft.load_target()) != nullptr;
  std::map<std::string, std::size_t> first;  // by sensor
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    auto& guess = draft.out.columns[i];
    if (!guess.target.empty()) continue;
    if (force && is_of_load_cell(guess.name)) {
      guess.target = "ignore";
      guess.why = "the load cell's own; its force stands beside";
      guess.unit.clear();
      continue;
    }
    const auto sensor = sensor_measured(guess.name);
    if (sensor.empty()) continue;
    const auto [found, is_first] = first.try_emplace(sensor, i);
    const auto& columns = draft.table.columns;
    if (is_first || !tell_the_same(columns[found->second], columns[i])) continue;
    guess.target = "ignore";
    guess.why = fmt::format("computed of '{}'", columns[found->second].name);
    guess.unit.clear();
  }
}

/// What is left and varies is a reading, in the order of the table.
void number_tactels(MapDraft& draft) {
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    auto& guess = draft.out.columns[i];
    if (!guess.target.empty()) continue;
    guess.target = fmt::format("tactel {}", draft.tactels++);
    guess.why = draft.table.columns[i].constant() ? "a reading that never changes" : "a reading";
    // As it stands in the table is what its user reads: newtons per kilopascal, not per pascal.
    if (const auto unit = parse_unit(guess.unit); unit && unit->to_si != 1) {
      guess.why += ", kept in " + guess.unit;
      guess.unit.clear();
    }
  }
}

Result<void> check_readings(const MapDraft& draft) {
  const bool anything = std::any_of(draft.out.columns.begin(), draft.out.columns.end(),
                                    [](const GuessedColumn& column) {
                                      return column.target != "ignore" && column.target != "t";
                                    });
  if (anything) return {};
  return fail(ErrorCode::kInvalidInput,
              "no column of numbers is a reading; name columns as they are measured, such as "
              "'force_N', 't_s', 'tactel_0'");
}

/// "adc3=force [mN]": what a person says that a column is.
struct StatedRole {
  std::string columns;  // a name, * for any part of it
  std::string target, unit;
};

Result<StatedRole> stated_role(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0)
    return fail(ErrorCode::kUsage,
                "--columns {}: give either a name for each column, or what some are, such as "
                "'adc3=force [mN],pred_*=ignore'",
                text);
  StatedRole role{std::string(trimmed(std::string_view(text).substr(0, equals))),
                  std::string(trimmed(std::string_view(text).substr(equals + 1))),
                  {}};
  if (const auto named = unit_in_name(role.target)) {
    role.target = named->name;
    role.unit = named->unit;
  }
  if (role.target == "tactel") return role;
  const auto known = map_targets();
  if (!role.target.starts_with("aux ") &&
      std::find(known.begin(), known.end(), role.target) == known.end())
    return fail(ErrorCode::kUsage, "--columns {}: no column is a '{}'{}", text, role.target,
                did_you_mean(role.target, known));
  for (const auto& usual : guessed_roles())
    if (role.unit.empty() && role.target == usual.target) role.unit = usual.unit;
  return role;
}

/// What is said goes before what is guessed.
Result<void> take_stated_roles(MapDraft& draft) {
  if (draft.answers.columns.find('=') == std::string::npos) return {};
  for (const auto& text : listed(draft.answers.columns)) {
    const auto role = stated_role(text);
    if (!role) return fail(role.error());
    bool any = false;
    for (auto& column : draft.out.columns) {
      if (!match_file_name(role->columns, column.name)) continue;
      any = true;
      column.target = role->target == "tactel" ? "" : role->target;
      column.unit = role->unit;
      column.why = "as was said";
    }
    if (any) continue;
    std::vector<std::string> names;
    for (const auto& column : draft.out.columns) names.push_back(column.name);
    return fail(ErrorCode::kUsage, "--columns {}: no column is called '{}'{}", text, role->columns,
                did_you_mean(role->columns, names));
  }
  return {};
}

bool without_names(const MapDraft& draft) {
  const auto numbered = numbered_columns(draft.table.columns.size());
  for (std::size_t i = 0; i < numbered.size(); ++i)
    if (draft.table.columns[i].name != numbered[i]) return false;
  return true;
}

/// A table without a line of names says nothing of its columns. Where a load cell was found among
/// two, the other is what was pressed.
void ask_names(MapDraft& draft) {
  if (!draft.answers.load_cell.empty() && draft.table.columns.size() == 2) return;
  if (draft.answers.columns.find('=') != std::string::npos) return;
  if (!draft.answers.columns.empty()) draft.map["names"] = listed(draft.answers.columns);
  if (!without_names(draft)) return;
  draft.ask(
      "columns",
      fmt::format("The table has no line of names: what are its {} columns, in order? Such as "
                  "'t_s,force_N,s1'",
                  draft.table.columns.size()),
      "taken as unknown readings");
}

}  // namespace

Result<void> guess_columns(MapDraft& draft) {
  for (const auto& column : draft.table.columns) guess_column(draft, column);
  name_letters(draft);
  prefer_finer_clock(draft);
  if (const auto taken = take_stated_roles(draft); !taken) return taken;
  if (const auto one = check_one_table(draft); !one) return one;
  name_joints(draft);
  drop_doubles(draft);
  if (without_names(draft)) find_time(draft);
  see_a_press(draft);
  if (const auto done = scale_load_cell(draft); !done) return done;
  leave_out_computed(draft);
  leave_out_kinds(draft);
  number_tactels(draft);
  if (const auto found = check_readings(draft); !found) return found;
  ask_names(draft);
  return {};
}

}  // namespace tactelier
