#include "libcalib/import/guess/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/number_rows.hpp"
#include "libcalib/import/text_cells.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kLines = 20;  // that choose the delimiter

/// The first lines of a table as they are.
Result<std::vector<std::string>> first_lines(const std::filesystem::path& table,
                                             const std::string& name, ImportProgress& progress) {
  auto blocks = LineBlocks::open(table, name, &progress);
  if (!blocks) return fail(blocks.error());
  auto block = blocks->next(1);
  if (!block) return fail(block.error());
  std::vector<std::string> lines;
  for (auto text = *block; !text.empty() && lines.size() < kLines;) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = trimmed(line);
    if (!line.empty() && (lines.empty() || !is_comment(line))) lines.emplace_back(line);
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// How many cells each line has, 0 when they disagree. What stands in quotes parts no cells.
std::size_t cells_of(const std::vector<std::string>& lines, char delimiter) {
  std::size_t cells = 0;
  for (const auto& line : lines) {
    const auto here = text_cells(line, delimiter).size();
    if (cells != 0 && here != cells) return 0;
    cells = here;
  }
  return cells;
}

bool is_number(std::string_view cell) {
  std::string why;
  const auto number = read_number(cell, why);
  return number && number->mantissa != kMissing;
}

/// A comma between digits may be a decimal comma: other delimiters come first.
Result<char> delimiter_of(const TableFile& table, ImportProgress& progress) {
  if (table.delimiter) return *table.delimiter;
  const auto lines = first_lines(table.path, table.name, progress);
  if (!lines) return fail(lines.error());
  for (const char delimiter : {'\t', ';', '|', ','})
    if (cells_of(*lines, delimiter) > 1) return delimiter;
  if (cells_of(*lines, ',') == 1 && lines->size() > 1 && is_number(lines->back())) return ',';
  return fail(ErrorCode::kInvalidInput,
              "{}: no rows of numbers: its lines don't have the same number of cells for comma, "
              "semicolon, tab, bar or blanks. Save it with one header line and one row per line",
              table.name);
}

bool has_decimal_comma(std::string_view cell) {
  const auto comma = cell.find(',');
  if (comma == cell.npos) return false;
  std::string point(cell);
  point[comma] = '.';
  return is_number(point);
}

}  // namespace

bool LookedAt::Column::rises() const {
  return numeric && values.size() > 1 && values.front() < values.back() &&
         std::is_sorted(values.begin(), values.end());
}

bool LookedAt::Column::constant() const { return different() < 2; }

std::size_t LookedAt::Column::different() const {
  std::set<double> seen;
  for (const double value : values)
    if (!std::isnan(value)) seen.insert(value);
  return seen.size();
}

void hold_last(LookedAt& table) {
  for (auto& column : table.columns) {
    if (!column.numeric) continue;
    auto& values = column.values;
    const auto first =
        std::find_if(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
    if (first == values.end()) continue;
    std::fill(values.begin(), first, *first);
    for (auto value = first; value != values.end(); ++value)
      if (std::isnan(*value)) *value = *(value - 1);
  }
}

namespace {

/// 0, 1, 2 ... or 1, 2, 3 ...: names of columns that have none, as pandas writes them.
bool numbers_columns(std::span<const std::string_view> names) {
  if (names.size() < 2) return false;
  const std::size_t first = trimmed(names.front()) == "0" ? 0 : 1;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (trimmed(names[i]) != fmt::format("{}", first + i)) return false;
  return true;
}

}  // namespace

Result<LookedAt> look_at(const TableFile& table, const Job& job) {
  ImportProgress progress{&job};
  const auto& name = table.name;
  const auto delimiter = delimiter_of(table, progress);
  if (!delimiter) return fail(delimiter.error());
  LookedAt looked;
  looked.delimiter = *delimiter;
  auto blocks = LineBlocks::open(table.path, name, &progress);
  if (!blocks) return fail(blocks.error());
  CsvReader reader(std::move(*blocks), *delimiter, table.header_line);
  reader.allow_lines_between();
  if (const auto header = reader.next(); !header) return fail(header.error());
  const auto names = reader.cells();
  if (std::all_of(names.begin(), names.end(), is_number) && !numbers_columns(names))
    return fail(ErrorCode::kInvalidInput,
                "{}:1: the first line holds numbers; put a line with the columns' names above it",
                name);
  for (const auto cell : names) looked.columns.push_back({std::string(trimmed(cell)), {}});
  for (; looked.rows < LookedAt::kMaxRows; ++looked.rows) {
    const auto more = reader.next();
    if (!more) return fail(more.error());
    if (!*more) return looked;
    const auto cells = reader.cells();
    if (cells.size() != looked.columns.size())
      return fail(ErrorCode::kInvalidInput, "{}: {} cells, but the header has {} columns",
                  reader.place(), cells.size(), looked.columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      auto& column = looked.columns[i];
      std::string why;
      const auto number = read_table_number(cells[i], why);
      if (!number && has_decimal_comma(trimmed(cells[i])))
        return fail(ErrorCode::kInvalidInput,
                    "{}: column '{}': '{}' has a decimal comma; save the table with decimal points",
                    reader.place(), column.name, trimmed(cells[i]));
      column.numeric = column.numeric && number;
      const double value = number ? number->value() : std::numeric_limits<double>::quiet_NaN();
      column.whole = column.whole && (std::isnan(value) || value == std::floor(value));
      column.values.push_back(value);
    }
  }
  looked.all_rows = false;
  return looked;
}

}  // namespace tactelier
