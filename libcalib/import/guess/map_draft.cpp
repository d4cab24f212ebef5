#include "libcalib/import/guess/map_draft.hpp"

#include <algorithm>

#include "libcalib/import/unloaded_level.hpp"
#include "libcalib/units.hpp"

namespace tactelier {

const LookedAt::Column* MapDraft::column_of(std::string_view target) const {
  for (std::size_t i = 0; i < out.columns.size(); ++i)
    if (out.columns[i].target == target) return &table.columns[i];
  return nullptr;
}

std::string MapDraft::unit_of(std::string_view target) const {
  for (const auto& column : out.columns)
    if (column.target == target) return column.unit;
  return {};
}

double MapDraft::to_si(std::string_view target) const {
  const auto unit = unit_of(target);
  if (unit == "g") return 9.80665e-3;
  if (unit == "kg") return 9.80665;
  const auto known = parse_unit(unit);
  return known ? known->to_si : 1;
}

std::string MapDraft::load_target() const {
  return column_of("mass") != nullptr ? "mass" : "force";
}

bool MapDraft::of_joints() const {
  const auto any = [&](std::string_view target) {
    return std::any_of(out.columns.begin(), out.columns.end(), [&](const GuessedColumn& column) {
      return column.target == target || column.target.starts_with(std::string(target) + ' ');
    });
  };
  return tactels == 0 && column_of(load_target()) == nullptr && any("torque") &&
         (any("angle") || any("angular_speed"));
}

bool MapDraft::of_friction() const {
  return tactels == 0 && static_readings && column_of("speed") != nullptr &&
         column_of("Fx") != nullptr;
}

void MapDraft::understood(std::string text) { out.understood.push_back(std::move(text)); }

void MapDraft::ask(std::string key, std::string text, std::string otherwise) {
  out.questions.push_back({std::move(key), std::move(text), std::move(otherwise)});
}

double MapDraft::unloaded(const LookedAt::Column& load) const {
  return static_readings ? 0 : unloaded_level(load.values);
}

Swing MapDraft::swing(std::string_view target) const {
  const auto& load = *column_of(target);
  return swing_about(load.values, unloaded(load));
}

std::vector<double> MapDraft::mean_reading() const {
  std::vector<double> mean(table.rows, 0);
  for (std::size_t i = 0; i < out.columns.size(); ++i) {
    if (!out.columns[i].target.starts_with("tactel ")) continue;
    for (std::size_t row = 0; row < mean.size(); ++row)
      mean[row] += table.columns[i].values[row] / tactels;
  }
  return mean;
}

std::vector<double> MapDraft::pressing(const LookedAt::Column& load) const {
  auto values = load.values;
  if (turned)
    for (double& value : values) value = -value;
  return values;
}

}  // namespace tactelier
