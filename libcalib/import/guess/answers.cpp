#include "libcalib/import/guess/answers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/units.hpp"

namespace tactelier {

std::optional<std::vector<double>> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    double number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !(number > 0) || !std::isfinite(number)) return std::nullopt;
    numbers.push_back(number);
    if (stop == end) return numbers;
    if (*stop != 'x' && *stop != 'X') return std::nullopt;
    at = stop + 1;
  }
}

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    names.emplace_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

std::optional<LoadCell> load_cell_in(std::string_view text) {
  LoadCell cell;
  std::size_t point = 0;
  for (const auto& part : listed(text)) {
    const auto equals = part.find('=');
    if (point == 2 || equals == part.npos) return std::nullopt;
    const auto value = std::string_view(part).substr(equals + 1);
    const auto blank = std::min(value.find(' '), value.size());
    const auto reads = parse_decimal(trimmed(std::string_view(part).substr(0, equals)));
    const auto is = parse_decimal(value.substr(0, blank));
    if (!reads || !is) return std::nullopt;
    cell.reads[point] = reads->value();
    cell.is[point++] = is->value();
    if (blank < value.size()) cell.unit = trimmed(value.substr(blank));
  }
  const bool known = cell.unit == "g" || cell.unit == "kg" || parse_unit(cell.unit).has_value();
  if (point != 2 || !known || cell.reads[0] == cell.reads[1]) return std::nullopt;
  return cell;
}

}  // namespace tactelier
