#include "libcalib/import/header_unit.hpp"

#include <algorithm>
#include <array>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

struct Spelling {
  std::string_view written;  // lower case
  std::string_view unit;
};
constexpr std::array kSpellings{
    Spelling{"sec", "s"},
    Spelling{"secs", "s"},
    Spelling{"second", "s"},
    Spelling{"seconds", "s"},
    Spelling{"msec", "ms"},
    Spelling{"millis", "ms"},
    Spelling{"usec", "us"},
    Spelling{"micros", "us"},
    Spelling{"µs", "us"},
    Spelling{"µm", "um"},
    Spelling{"micron", "um"},
    Spelling{"newton", "N"},
    Spelling{"newtons", "N"},
    Spelling{"µn", "uN"},
    Spelling{"gram", "g"},
    Spelling{"grams", "g"},
    Spelling{"gr", "g"},
    Spelling{"kilograms", "kg"},
    Spelling{"nm", "N*m"},
    Spelling{"nmm", "N*mm"},
    Spelling{"volt", "V"},
    Spelling{"volts", "V"},
    Spelling{"°c", "degC"},
    Spelling{"celsius", "degC"},
    Spelling{"adc", "counts"},
    Spelling{"count", "counts"},
    Spelling{"raw", "counts"},
    Spelling{"kgf", "kgf"},
    Spelling{"gf", "gf"},
    Spelling{"mm s-1", "mm/s"},
    Spelling{"radian", "rad"},
    Spelling{"radians", "rad"},
    Spelling{"degree", "deg"},
    Spelling{"degrees", "deg"},
    Spelling{"°", "deg"},
    Spelling{"rad s-1", "rad/s"},
    Spelling{"rads", "rad/s"},
    Spelling{"°/s", "deg/s"},
    Spelling{"1/min", "rpm"},
    Spelling{"mnm", "mN*m"},
    Spelling{"mm_s", "mm/s"},
    Spelling{"mm_per_s", "mm/s"},
    Spelling{"m_s", "m/s"},
    Spelling{"m_per_s", "m/s"},
    Spelling{"rad_s", "rad/s"},
    Spelling{"deg_s", "deg/s"},
    Spelling{"n_m", "N*m"},
    Spelling{"rad_per_s", "rad/s"},
    Spelling{"lb", "lbf"},
    Spelling{"lbs", "lbf"},
    Spelling{"pounds", "lbf"},
    Spelling{"mn_m", "mN*m"},
    Spelling{"n_mm", "N*mm"},
    Spelling{"deg_per_s", "deg/s"},
    Spelling{"s", "s"},
    Spelling{"milliseconds", "ms"},
    Spelling{"microseconds", "us"},
};

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return copy;
}

/// `text` as a unit. A nanometre is "nm"; a torque "Nm".
std::optional<std::string> as_unit(std::string_view text) {
  text = trimmed(text);
  if (text == "g" || text == "kg" || parse_unit(text)) return std::string(text);
  const auto written = lower(text);
  for (const auto& spelling : kSpellings)
    if (spelling.written == written) return std::string(spelling.unit);
  return std::nullopt;
}

std::optional<NamedUnit> in_brackets(std::string_view column, char open, char close) {
  const auto begin = column.rfind(open);
  if (begin == column.npos || !column.ends_with(close)) return std::nullopt;
  auto unit = as_unit(column.substr(begin + 1, column.size() - begin - 2));
  if (!unit) return std::nullopt;
  return NamedUnit{std::string(trimmed(column.substr(0, begin))), std::move(*unit)};
}

/// The longest that is a unit: "speed_mm_s" is in mm/s.
std::optional<NamedUnit> behind(std::string_view column, char separator) {
  for (auto at = column.find(separator); at != column.npos; at = column.find(separator, at + 1)) {
    if (at == 0) continue;
    if (auto unit = as_unit(column.substr(at + 1)))
      return NamedUnit{std::string(trimmed(column.substr(0, at))), std::move(*unit)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<NamedUnit> unit_in_name(std::string_view column) {
  column = trimmed(column);
  if (auto found = in_brackets(column, '[', ']')) return found;
  if (auto found = in_brackets(column, '(', ')')) return found;
  for (const char separator : {'/', '_', ' ', '.'})
    if (auto found = behind(column, separator)) return found;
  return std::nullopt;
}

std::optional<std::string> unit_called(std::string_view name) {
  name = trimmed(name);
  if (name.ends_with("()")) name.remove_suffix(2);  // of an Arduino: "millis()"
  return as_unit(name);
}

bool is_unit(std::string_view text) { return as_unit(text).has_value(); }

}  // namespace tactelier
