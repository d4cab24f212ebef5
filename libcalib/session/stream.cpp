#include "libcalib/session/stream.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::array<std::string_view, kStreamKinds.size()> kNames{"force", "stage", "tactile",
                                                                   "aux"};
constexpr std::int64_t kMaxMantissa = 999'999'999'999'999'999;

/// mantissa * 10^power, empty where that needs more than 18 digits.
std::optional<std::int64_t> shifted(std::int64_t mantissa, int power) {
  for (; power > 0 && mantissa != 0; --power) {
    if (std::abs(mantissa) > kMaxMantissa / 10) return std::nullopt;
    mantissa *= 10;
  }
  return mantissa;
}

bool bring_to_one_exponent(std::span<const Decimal> values, ColumnChunk& column) {
  int smallest = std::numeric_limits<int>::max();
  for (const auto& value : values)
    if (value.mantissa != kMissing) smallest = std::min(smallest, value.exponent);
  column.exponent = smallest == std::numeric_limits<int>::max() ? 0 : smallest;
  for (const auto& value : values) {
    if (value.mantissa == kMissing || value.exponent == column.exponent) {
      column.mantissas.push_back(value.mantissa);
      continue;
    }
    const auto mantissa = shifted(value.mantissa, value.exponent - column.exponent);
    if (!mantissa) return false;
    column.mantissas.push_back(*mantissa);
  }
  return true;
}

}  // namespace

std::string_view to_string(StreamKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

double ColumnInfo::to_si() const {
  const auto known = unit.empty() ? std::nullopt : std::make_optional(parse_unit(unit));
  return known && *known ? scale * (*known)->to_si : scale;
}

int StreamInfo::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [name](const ColumnInfo& column) { return column.name == name; });
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

Decimal ColumnChunk::at(std::size_t row) const {
  return {mantissas[row], exponents.empty() ? exponent : exponents[row]};
}

double ColumnChunk::si(std::size_t row, double to_si) const { return at(row).value() * to_si; }

ColumnChunk column_chunk(std::span<const Decimal> values) {
  ColumnChunk column;
  column.mantissas.reserve(values.size());
  if (bring_to_one_exponent(values, column)) return column;
  column = {};
  for (const auto& value : values) {
    assert(std::abs(value.exponent) < 128);
    column.mantissas.push_back(value.mantissa);
    column.exponents.push_back(static_cast<std::int8_t>(value.exponent));
  }
  return column;
}

}  // namespace tactelier
