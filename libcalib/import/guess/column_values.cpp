#include "libcalib/import/guess/column_values.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "libcalib/import/guess/words.hpp"

namespace tactelier {
namespace {

/// Empty where it is none.
std::string why_a_time(const LookedAt::Column& column) {
  constexpr double kFirst_s = 1e9, kLast_s = 4e9;  // 2001 to 2096, seconds since 1970
  constexpr double kEven = 0.5, kMostly = 0.9;     // of the middle step, of all steps
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
  return steady && !column.whole ? "rises evenly" : "";
}

}  // namespace

std::string unit_of_time(const LookedAt::Column& column) {
  const double first = column.values.front();
  if (first > 1e17) return "ns";
  if (first > 1e14) return "us";
  if (first > 1e11) return "ms";
  return column.whole && middle_of(steps_of(column.values)) >= 2 ? "ms" : "s";
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
