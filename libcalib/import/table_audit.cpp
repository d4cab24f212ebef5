#include "libcalib/import/table_audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "libcalib/import/header_unit.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::uint64_t kMinChanges = 8;  // fewer may agree by chance
constexpr double kAskew = 4;              // how far the other way a force may swing
constexpr double kMaxForce_N = 1e4;
constexpr double kMaxTravel_m = 1;
constexpr double kNear = 3;  // a factor near a power of ten

double power_of_10(int exponent) {
  static const auto kPowers = [] {
    std::array<double, 2 * 99 + 1> powers{};
    for (int i = -99; i <= 99; ++i) powers[static_cast<std::size_t>(i + 99)] = std::pow(10.0, i);
    return powers;
  }();
  return kPowers[static_cast<std::size_t>(exponent + 99)];
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// 3 when the factor is near 1000, -3 near 1/1000, 6 ...; 0 otherwise.
int slip_of(double factor) {
  if (!(factor > 0) || !std::isfinite(factor)) return 0;
  for (const int power : {-6, -3, 3, 6})
    if (factor > power_of_10(power) / kNear && factor < power_of_10(power) * kNear) return power;
  return 0;
}

std::string quoted(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

}  // namespace

TableAudit::TableAudit(const TableMap& map, const TableReader& reader,
                       const SessionMetadata& metadata)
    : map_(map), metadata_(metadata), converter_(converter()) {
  for (const auto& [name, target] : map.columns) {
    if (target.kind == MapTarget::Kind::kTime) time_column_ = name;
    if (target.kind != MapTarget::Kind::kReading) continue;
    for (std::size_t i = 0; i < reader.targets().size(); ++i)
      if (reader.targets()[i].text == target.text) {
        Column column;
        column.name = name;
        column.target = target;
        column.entry = reader.first_entry() + i;
        columns_.push_back(std::move(column));
      }
  }
}

void TableAudit::follow(Column& column, const TableRow& row) {
  const auto mantissa = row.mantissas[column.entry];
  const auto exponent = row.exponents[column.entry];
  column.hash = (column.hash ^ static_cast<std::uint64_t>(mantissa)) * 0x9E3779B97F4A7C15U +
                static_cast<std::uint64_t>(exponent);
  if (mantissa == kMissing) return;
  if (column.rows > 0 && mantissa != column.mantissa) ++column.changes;
  column.mantissa = mantissa;
  const double value = static_cast<double>(mantissa) * power_of_10(exponent);
  column.lowest = column.rows == 0 ? value : std::min(column.lowest, value);
  column.highest = column.rows == 0 ? value : std::max(column.highest, value);
  column.sum += std::abs(value);
  ++column.rows;
  if (column.target.stream == StreamKind::kTactile &&
      (value < converter_[0] || value > converter_[1]))
    if (column.beyond++ == 0) column.first_beyond = rows_ + 1;
}

void TableAudit::add(const TableRow& row, double time_s) {
  for (auto& column : columns_) follow(column, row);
  if (rows_ > 0 && time_s == last_s_ && repeats_++ == 0) first_repeat_s_ = time_s;
  last_s_ = time_s;
  ++rows_;
}

void TableAudit::tell(Warnings& warnings, std::string code, std::string text) const {
  warnings.push_back({std::move(code), std::move(text), metadata_.imported->file});
}

void TableAudit::repeated_times(Warnings& warnings) const {
  if (repeats_ == 0 || map_.static_readings) return;
  tell(warnings, "repeated-times",
       fmt::format("column '{}': {} of {} rows repeat the time stamp of the row before, first at "
                   "{:.6g} s: rows written twice, or a clock coarser than the rows; speeds and "
                   "rates between such rows are not known",
                   time_column_, repeats_, rows_, first_repeat_s_));
}

void TableAudit::copied_tactels(Warnings& warnings) const {
  constexpr std::size_t kShown = 6;
  std::vector<const Column*> tactels;
  for (const auto& column : columns_)
    if (column.target.stream == StreamKind::kTactile && column.changes >= kMinChanges)
      tactels.push_back(&column);
  std::ranges::sort(tactels, {}, &Column::entry);
  std::map<std::uint64_t, const Column*> first;
  std::vector<std::string> copies;
  for (const auto* column : tactels)
    if (const auto [original, is_first] = first.try_emplace(column->hash, column); !is_first)
      copies.push_back(fmt::format("'{}' of '{}'", column->name, original->second->name));
  if (copies.empty()) return;
  const auto shown = std::min(copies.size(), kShown);
  tell(warnings, "copied-tactels",
       fmt::format("{} of {} tactels are copies of others in every row: {}{}; a mat with fewer "
                   "wires than cells, or a table written wrongly. Fitted as they are, they count "
                   "the same reading twice",
                   copies.size(), metadata_.sensor.tactels(),
                   fmt::join(std::span(copies).first(shown), ", "),
                   copies.size() > shown ? " ..." : ""));
}

void TableAudit::units_of_names(Warnings& warnings) const {
  for (const auto& [name, target] : map_.columns) {
    const auto& unit = target.column.unit;
    const auto said = unit_in_name(name);
    if (unit.empty() || !said || said->unit == unit) continue;
    const bool weight =
        (said->unit == "g" && unit == "gf") || (said->unit == "kg" && unit == "kgf");
    const auto named = parse_unit(said->unit);
    const auto mapped = parse_unit(unit);
    if (weight || !named || !mapped || named->quantity != mapped->quantity) continue;
    tell(warnings, "unit-of-name",
         fmt::format("column '{}' is called {}, but the map's units say {}: a factor of {:.4g}",
                     name, said->unit, unit, named->to_si / mapped->to_si));
  }
}

void TableAudit::units_of_neighbours(Warnings& warnings) const {
  std::vector<const Column*> tactels;
  std::vector<double> ranges, levels;
  for (const auto& column : columns_)
    if (column.target.stream == StreamKind::kTactile && column.rows > 0 &&
        column.highest > column.lowest) {
      tactels.push_back(&column);
      ranges.push_back(column.highest - column.lowest);
      levels.push_back(column.sum / static_cast<double>(column.rows));
    }
  if (tactels.size() < 2) return;
  const double range = median_of(ranges), level = median_of(levels);
  for (std::size_t i = 0; i < tactels.size(); ++i) {
    const int slip = slip_of(ranges[i] / range);
    if (slip == 0 || slip_of(levels[i] / level) != slip) continue;
    tell(warnings, "unit-of-column",
         fmt::format("column '{}' reads {:.3g} times what the other tactels read, in level and in "
                     "range: another unit? Its readings run from {:.4g} to {:.4g}",
                     tactels[i]->name, ranges[i] / range, tactels[i]->lowest, tactels[i]->highest));
  }
}

void TableAudit::sizes(Warnings& warnings) const {
  for (const auto& column : columns_) {
    const double to_si = column.target.column.to_si();
    const double most = std::max(std::abs(column.lowest), std::abs(column.highest)) * to_si;
    const bool force = column.target.stream == StreamKind::kForce;
    const bool travel = column.target.stream == StreamKind::kStage;
    if (column.rows == 0 || !((force && most > kMaxForce_N) || (travel && most > kMaxTravel_m)))
      continue;
    tell(warnings, "unit-of-column",
         fmt::format("column '{}' reaches {:.4g} {} in '{}': another unit?", column.name, most,
                     force ? "N" : "m", column.target.column.unit));
  }
}

/// What the description doesn't state follows from the bits: of counts below zero (a tare taken
/// off) as many as above.
std::array<double, 2> TableAudit::converter() const {
  const auto& adc = metadata_.sensor.adc;
  const double most = adc.bits ? std::exp2(*adc.bits) - 1 : HUGE_VAL;
  return {adc.min.value_or(-most), adc.max.value_or(most)};
}

void TableAudit::beyond_converter(Warnings& warnings) const {
  const auto [least, most] = converter();
  std::vector<std::string> names;
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  std::uint64_t beyond = 0, first_row = 0;
  for (const auto& column : columns_) {
    if (column.beyond == 0) continue;
    lowest = std::min(lowest, column.lowest);
    highest = std::max(highest, column.highest);
    first_row = names.empty() ? column.first_beyond : std::min(first_row, column.first_beyond);
    beyond += column.beyond;
    names.push_back(column.name);
  }
  if (names.empty()) return;
  tell(warnings, "beyond-converter",
       fmt::format("column{} {}: {} readings, the first in data row {}, lie beyond the converter "
                   "that the sensor's description states ({:.6g} to {:.6g}); they run from {:.6g} "
                   "to {:.6g}: a slip of the logger, another unit, several readings added up, or "
                   "another sensor? Take such rows out of the table, or correct 'adc' in the map's "
                   "'sensor'",
                   names.size() > 1 ? "s" : "", quoted(names), beyond, first_row, least, most,
                   lowest, highest));
}

void TableAudit::sign_of_force(Warnings& warnings) const {
  const auto axis = metadata_.press_axis();
  if (axis.index != 2) return;
  const bool turned = axis.sign < 0;
  for (const auto& column : columns_) {
    if (column.target.stream != StreamKind::kForce || column.target.column.name != "Fz") continue;
    const double up = turned ? -column.lowest : column.highest;
    const double down = turned ? column.highest : -column.lowest;
    if (column.rows == 0 || !(down > kAskew * std::max(up, 0.0))) continue;
    tell(warnings, "force-sign",
         fmt::format("column '{}' runs from {:.4g} to {:.4g} {}: pressing seems to read negative. "
                     "Where it does, say so in the map: \"session\": {{\"force_sensor\": "
                     "{{\"press_axis\": \"{}\"}}}}",
                     column.name, column.lowest, column.highest, column.target.column.unit,
                     turned ? "z" : "-z"));
  }
}

void TableAudit::finish(Warnings& warnings) const {
  repeated_times(warnings);
  copied_tactels(warnings);
  units_of_names(warnings);
  units_of_neighbours(warnings);
  sizes(warnings);
  beyond_converter(warnings);
  sign_of_force(warnings);
}

}  // namespace tactelier
