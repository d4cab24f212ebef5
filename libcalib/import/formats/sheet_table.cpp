#include "libcalib/import/formats/sheet_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace tactelier {
namespace {

using Kind = SheetCell::Kind;

/// Columns that have a name in `row` and a number below it.
std::size_t named_columns(const Sheet& sheet, std::size_t row) {
  std::size_t columns = 0;
  for (std::size_t c = 0; c < sheet.rows[row].size(); ++c)
    columns += sheet.at(row, c).kind == Kind::kText && sheet.at(row + 1, c).kind == Kind::kNumber;
  return columns;
}

std::optional<std::size_t> header_row(const Sheet& sheet) {
  constexpr std::size_t kLooked = 50;
  for (std::size_t row = 0; row + 1 < std::min(sheet.rows.size(), kLooked); ++row)
    if (named_columns(sheet, row) >= 2) return row;
  return std::nullopt;
}

std::string cell_name(std::size_t row, std::size_t column) {
  std::string letters;
  for (std::size_t c = column + 1; c > 0; c = (c - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (c - 1) % 26));
  return fmt::format("{}{}", letters, row + 1);
}

void take_column(const Sheet& sheet, std::size_t header, std::size_t column, ArrayFile& file) {
  NamedArray array;
  array.name = sheet.at(header, column).text;
  if (array.name.empty()) array.name = fmt::format("column {}", cell_name(header, column));
  std::string text_in;
  for (std::size_t row = header + 1; row < sheet.rows.size(); ++row) {
    const auto& cell = sheet.at(row, column);
    if (cell.kind == Kind::kText && text_in.empty()) text_in = cell_name(row, column);
    array.values.push_back(cell.kind == Kind::kNumber ? cell.number
                                                      : std::numeric_limits<double>::quiet_NaN());
  }
  array.rows = array.values.size();
  if (!text_in.empty()) file.unread.push_back(fmt::format("{}: text in {}", array.name, text_in));
  file.arrays.push_back(std::move(array));
}

}  // namespace

const SheetCell& Sheet::at(std::size_t row, std::size_t column) const {
  static const SheetCell kNone;
  return row < rows.size() && column < rows[row].size() ? rows[row][column] : kNone;
}

SheetCell& Sheet::place(std::size_t row, std::size_t column) {
  if (rows.size() <= row) rows.resize(row + 1);
  if (rows[row].size() <= column) rows[row].resize(column + 1);
  return rows[row][column];
}

ArrayFile table_of(const std::vector<Sheet>& sheets) {
  ArrayFile file;
  for (const auto& sheet : sheets) {
    if (sheet.rows.empty()) continue;
    const auto header = header_row(sheet);
    if (!file.arrays.empty() || !header) {
      file.unread.push_back(fmt::format("sheet '{}'{}", sheet.name,
                                        header ? "" : ": no line of names above numbers"));
      continue;
    }
    const auto columns = std::max(sheet.rows[*header].size(), sheet.rows[*header + 1].size());
    for (std::size_t c = 0; c < columns; ++c)
      if (sheet.at(*header, c).kind != Kind::kEmpty ||
          sheet.at(*header + 1, c).kind != Kind::kEmpty)
        take_column(sheet, *header, c, file);
  }
  return file;
}

}  // namespace tactelier
