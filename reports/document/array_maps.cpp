// Maps of what differs from tactel to tactel.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/document/parameter_rows.hpp"
#include "reports/document/summary_chapter.hpp"
#include "reports/fit_results.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

/// Of arrays that are no grid: the distance of the two nearest tactels.
double nearest_m(const SensorDescription& sensor) {
  double least = INFINITY;
  for (int a = 0; a < sensor.tactels(); ++a)
    for (int b = 0; b < a; ++b) {
      const auto p = sensor.position_m(a), q = sensor.position_m(b);
      const double distance = std::hypot(p[0] - q[0], p[1] - q[1]);
      if (distance > 0) least = std::min(least, distance);
    }
  return std::isfinite(least) ? least : 1e-3;
}

std::string state_words(TactelStatus status) {
  if (status == TactelStatus::kDead) return "dead";
  if (status == TactelStatus::kStuck) return "stuck";
  return status == TactelStatus::kNotPressed ? "not pressed" : "not identified";
}

std::string map_sentence(const ArrayMap& map) {
  double least = INFINITY, greatest = -INFINITY;
  int have = 0;
  for (const auto& cell : map.cells)
    if (cell.value) {
      least = std::min(least, *cell.value);
      greatest = std::max(greatest, *cell.value);
      ++have;
    }
  if (have == 0) return "No tactel has a value.";
  const auto text = [&](double value) {
    const auto words = quantity_text(value, std::nullopt, map.unit);
    return words.value + (words.unit.empty() ? "" : " ") + words.unit;
  };
  return fmt::format("Map of the array: {} of {} tactels have a value, from {} to {}.", have,
                     map.cells.size(), text(least), text(greatest));
}

}  // namespace

ArrayMap array_map(const SensorModel& model, const std::string& path) {
  const auto all = over_array(model, path);
  ArrayMap map{parameter_label(path), all.empty() ? "" : all.front().unit, {}, {}};
  double spacing_m = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto tactel = static_cast<int>(i);
    const auto& array = model.sensor.array_of(tactel);
    const bool grid = array.pitch_x_m > 0 && array.pitch_y_m > 0 && array.positions_m.empty();
    if (!grid && spacing_m == 0) spacing_m = 0.9 * nearest_m(model.sensor);
    const auto at = model.sensor.position_m(tactel);
    map.cells.push_back({tactel, at[0], at[1], grid ? array.pitch_x_m : spacing_m,
                         grid ? array.pitch_y_m : spacing_m, all[i].value,
                         all[i].value ? "" : state_words(model.response.tactels[i].status)});
  }
  map.alt = map_sentence(map);
  return map;
}

}  // namespace tactelier
