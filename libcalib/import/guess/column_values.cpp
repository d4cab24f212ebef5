#include "libcalib/import/guess/column_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/guess/words.hpp"
#include "libcalib/import/header_unit.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// Empty where it is none.
std::string why_a_time(const LookedAt::Column& column) {
  constexpr double kFirst_s = 1e9, kLast_s = 4e9;  // 2001 to 2096, seconds since 1970
  constexpr double kEven = 0.5, kMostly = 0.9;     // of the middle step, of all steps
  constexpr std::size_t kSteps = 100;
  if (!column.numeric || !column.rises() || column.values.size() < 3) return {};
  for (const double per_s : {1.0, 1e3, 1e6, 1e9})
    if (column.values.front() > kFirst_s * per_s && column.values.back() < kLast_s * per_s)
      return "counts from 1970 on";
  const auto steps = steps_of(column.values);
  const double usual = middle_of(steps);
  const auto even = std::count_if(steps.begin(), steps.end(), [usual](double step) {
    return std::abs(step - usual) <= kEven * usual;
  });
  const bool steady = static_cast<double>(even) >= kMostly * static_cast<double>(steps.size());
  // Whole numbers may count rows, or be loads laid on one by one.
  const bool clock = !column.whole || (usual > 1 && steps.size() >= kSteps);
  return steady && clock ? "rises evenly" : "";
}

struct NamedLoad {
  double number = 0;
  std::string unit;
};

/// "100g", "0.5 kg", "2 N": a column named after what lay on the sensor.
std::optional<NamedLoad> load_named(std::string_view column) {
  column = trimmed(column);
  NamedLoad load;
  const auto [stop, error] =
      std::from_chars(column.data(), column.data() + column.size(), load.number);
  if (error != std::errc{}) return std::nullopt;
  load.unit = trimmed(column.substr(static_cast<std::size_t>(stop - column.data())));
  const auto unit = parse_unit(load.unit);
  const bool force = unit && unit->quantity == Quantity::kForce;
  return load.unit == "g" || load.unit == "kg" || force ? std::optional(load) : std::nullopt;
}

/// A row of numbers for each reading, as a line of awk.
Result<void> check_loads_in_names(const MapDraft& draft) {
  constexpr std::size_t kLoads = 3;
  std::set<double> seen;
  std::string first, prints, unit;
  for (std::size_t i = 0; i < draft.table.columns.size(); ++i) {
    const auto& column = draft.table.columns[i];
    const auto load = load_named(column.name);
    if (!load || !column.numeric || (!unit.empty() && load->unit != unit)) continue;
    if (!seen.insert(load->number).second) continue;
    if (unit.empty()) first = column.name;
    unit = load->unit;
    prints += fmt::format("if (${0} != \"\") print \"{1},\" ${0}; ", i + 1, load->number);
  }
  if (seen.size() < kLoads) return {};
  return fail(ErrorCode::kInvalidInput,
              "{} columns are named after loads ('{}' ...): each holds the readings under its own. "
              "Make a row of each reading (a spreadsheet saved as CSV first): (echo 'load "
              "[{}],reading'; awk -F, 'NR > 1 {{{}}}' TABLE.csv) > rows.csv",
              seen.size(), first, unit, prints.substr(0, prints.size() - 2));
}

/// The largest distance of `other` from a line through its ends over `clock`, of its range.
double runs_otherwise(const std::vector<double>& clock, const std::vector<double>& other) {
  std::vector<std::pair<double, double>> both;
  for (std::size_t i = 0; i < std::min(clock.size(), other.size()); ++i)
    if (!std::isnan(clock[i]) && !std::isnan(other[i])) both.emplace_back(clock[i], other[i]);
  if (both.size() < 3) return 0;
  const auto [t0, o0] = both.front();
  const double range = both.back().second - o0, length = both.back().first - t0;
  if (!(range > 0) || !(length > 0)) return 0;
  double most = 0;
  for (const auto& [t, o] : both)
    most = std::max(most, std::abs((o - o0) / range - (t - t0) / length));
  return most;
}

/// The rows of each clock with the columns behind it, as a line of awk.
std::string below_each_other(const MapDraft& draft, const std::vector<std::size_t>& clocks) {
  const auto& columns = draft.table.columns;
  std::string names = columns[clocks.front()].name, prints;
  const std::size_t values = columns.size() - clocks.size() - clocks.front();
  std::size_t before = 0;
  for (std::size_t k = 0; k < clocks.size(); ++k) {
    const auto end = k + 1 < clocks.size() ? clocks[k + 1] : columns.size();
    std::string row = fmt::format("${}", clocks[k] + 1);
    row += fmt::format(" \"{}\"", std::string(before + 1, ','));
    for (auto i = clocks[k] + 1; i < end; ++i) {
      names += ',' + columns[i].name;
      row += fmt::format("{}${}", i > clocks[k] + 1 ? " \",\" " : " ", i + 1);
    }
    before += end - clocks[k] - 1;
    if (before < values) row += fmt::format(" \"{}\"", std::string(values - before, ','));
    prints += fmt::format("if (${} != \"\") print {}; ", clocks[k] + 1, row);
  }
  return fmt::format(
      "(echo '{}'; awk -F, '{{sub(/\\r$/, \"\")}} NR > 1 {{{}}}' TABLE.csv | sort -g) "
      "> both.csv",
      names, prints.substr(0, prints.size() - 2));
}

Result<void> check_clocks(const MapDraft& draft) {
  constexpr double kApart = 0.05;
  std::vector<std::size_t> clocks;
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i)
    if (draft.out.columns[i].target == "t") clocks.push_back(i);
  for (std::size_t k = 1; k < clocks.size(); ++k) {
    const auto& first = draft.table.columns[clocks.front()];
    const auto& other = draft.table.columns[clocks[k]];
    if (clocks[k] == clocks[k - 1] + 1) return {};  // stamps of one row in two notations
    if (runs_otherwise(first.values, other.values) < kApart) continue;
    return fail(ErrorCode::kInvalidInput,
                "'{}' is a clock that runs otherwise than '{}': recordings side by side, whose "
                "rows don't belong together. Lay them one below the other: {}; or, if they do, "
                "leave one out: --columns '{}=ignore'",
                other.name, first.name, below_each_other(draft, clocks), other.name);
  }
  return {};
}

}  // namespace

Result<void> check_one_table(const MapDraft& draft) {
  if (const auto found = check_loads_in_names(draft); !found) return found;
  std::set<std::string_view> names;
  for (const auto& column : draft.table.columns)
    if (!names.insert(column.name).second)
      return fail(ErrorCode::kInvalidInput,
                  "the column '{}' is there twice: a map tells columns apart by their names, so "
                  "call one of them otherwise or leave it out of the table",
                  column.name);
  return check_clocks(draft);
}

std::string unit_of_time(const LookedAt::Column& column) {
  const double first = column.values.front();
  if (first > 1e17) return "ns";
  if (first > 1e14) return "us";
  if (first > 1e11) return "ms";
  const double step = column.whole ? middle_of(steps_of(column.values)) : 0;
  constexpr double kMicro = 5000;  // faster than 200 Hz in us, or slower than 5 s in ms
  return step >= kMicro ? "us" : step >= 2 ? "ms" : "s";
}

void find_time(MapDraft& draft) {
  const auto is_time = [](const auto& guess) { return guess.target == "t"; };
  auto& columns = draft.out.columns;
  if (std::any_of(columns.begin(), columns.end(), is_time)) return;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].target.empty()) continue;
    const auto why = why_a_time(draft.table.columns[i]);
    if (why.empty()) continue;
    columns[i].target = "t";
    columns[i].unit = unit_of_time(draft.table.columns[i]);
    columns[i].why = why + "; the unit is assumed";
    return;
  }
}

void see_a_press(MapDraft& draft) {
  constexpr double kGoesWith = 0.5;  // correlation
  const auto column = [&](std::string_view target) {
    return std::find_if(draft.out.columns.begin(), draft.out.columns.end(),
                        [target](const auto& c) { return c.target == target; });
  };
  const auto values_of = [&](GuessedColumns::iterator found) -> const std::vector<double>& {
    return draft.table.columns[static_cast<std::size_t>(found - draft.out.columns.begin())].values;
  };
  const auto end = draft.out.columns.end();
  const auto force = column("force"), place = column("x");
  const bool lone = place != end && column("y") == end && column("Fx") == end &&
                    column("Fy") == end && column("depth") == end && column("z") == end;
  if (force != end && lone && is_position(place->name)) {
    const double together = correlation(values_of(force), values_of(place));
    if (std::abs(together) > kGoesWith) {
      place->target = together > 0 ? "depth" : "z";
      place->why = "its name; the force goes with it";
    }
  }
  if (force == end || (column("depth") == end && column("z") == end)) return;
  for (auto& guess : draft.out.columns) {
    if (!guess.target.empty() || !is_of_material(guess.name)) continue;
    guess.target = "ignore";
    guess.why = "computed from force and depth";
  }
}

GuessedColumns::iterator by_known_loads(MapDraft& draft, const LoadCell& cell) {
  const auto [low, high] = std::minmax(cell.reads[0], cell.reads[1]);
  auto only = draft.out.columns.end();
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    if (!draft.out.columns[i].target.empty()) continue;
    const auto& values = draft.table.columns[i].values;
    const auto swing = swing_about(values, low);
    const bool reads = std::any_of(values.begin(), values.end(), [&](double v) {
      return v >= low - (high - low) && v <= high + (high - low);
    });
    if (!reads || swing.high <= 0) continue;
    if (only != draft.out.columns.end()) return draft.out.columns.end();
    only = draft.out.columns.begin() + static_cast<std::ptrdiff_t>(i);
  }
  if (only == draft.out.columns.end()) return only;
  only->target = "force";
  only->why = "reads what the load cell does";
  return only;
}

}  // namespace tactelier
