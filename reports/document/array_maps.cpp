#include "reports/document/array_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/document/parameter_rows.hpp"
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
  std::vector<std::optional<double>> values(static_cast<std::size_t>(model.sensor.tactels()));
  for (std::size_t i = 0; i < all.size(); ++i) values[i] = all[i].value;
  auto map =
      array_map(model.sensor, parameter_label(path), all.empty() ? "" : all.front().unit, values);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!values[i]) map.cells[i].why = state_words(model.response.tactels[i].status);
  return map;
}

ArrayMap array_map(const SensorDescription& sensor, std::string title, std::string unit,
                   std::span<const std::optional<double>> values) {
  ArrayMap map{std::move(title), std::move(unit), {}, {}};
  double spacing_m = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto tactel = static_cast<int>(i);
    const auto& array = sensor.array_of(tactel);
    const bool grid = array.pitch_x_m > 0 && array.pitch_y_m > 0 && array.positions_m.empty();
    if (!grid && spacing_m == 0) spacing_m = 0.9 * nearest_m(sensor);
    const auto at = sensor.position_m(tactel);
    map.cells.push_back({tactel, at[0], at[1], grid ? array.pitch_x_m : spacing_m,
                         grid ? array.pitch_y_m : spacing_m, values[i],
                         values[i] ? "" : "no value"});
  }
  map.alt = map_sentence(map);
  return map;
}

}  // namespace tactelier
