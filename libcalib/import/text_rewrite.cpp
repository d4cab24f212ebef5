// Rows of an unusual table as plain CSV.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "libcalib/import/clock_text.hpp"
#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/text_cells.hpp"
#include "libcalib/import/text_layout.hpp"

namespace tactelier {
namespace {

void put_cell(std::string& out, std::string_view cell) {
  if (cell.find_first_of(",\"") == cell.npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  out += '"';
}

void put_row(std::string& out, std::span<const std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    put_cell(out, cells[i]);
  }
  out += '\n';
}

void point_for_comma(std::string& cell) {
  if (is_text_number(cell, true)) std::replace(cell.begin(), cell.end(), ',', '.');
}

/// A cell for each number that a cell lists; a row that lists others than the rest shows its cell
/// as it is.
std::vector<std::string> with_lists(std::vector<std::string> cells,
                                    const std::vector<std::size_t>& listed) {
  if (listed.empty() || cells.size() != listed.size()) return cells;
  std::vector<std::string> all;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto numbers = listed[c] > 0 ? listed_numbers(cells[c]) : std::vector<std::string>{};
    if (numbers.size() != listed[c] || numbers.empty()) numbers = {std::move(cells[c])};
    numbers.resize(std::max<std::size_t>(1, listed[c]));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

/// What is no row becomes an empty line, so that lines keep their numbers.
bool is_no_row(std::string_view line, const TextLayout& layout) {
  return trimmed(line).empty() || line == layout.units_line ||
         is_note(line, layout.delimiter, layout.columns + (layout.closed_rows ? 1 : 0));
}

/// What is no time of day stays as it is, so that reading it names its place.
void seconds_for_clocks(std::vector<std::string>& cells, const TextLayout& layout,
                        std::vector<DayClock>& clocks) {
  for (std::size_t c = 0; c < std::min(cells.size(), clocks.size()); ++c)
    if (!layout.clocks[c].empty())
      if (auto seconds = clocks[c].seconds(cells[c])) cells[c] = std::move(*seconds);
}

/// A line behind the names.
void put_line(std::string& out, std::string_view line, const TextLayout& layout,
              std::span<const std::string> names, std::vector<DayClock>& clocks) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!layout.names_line.empty() && line == layout.names_line) return put_row(out, names);
  if (is_no_row(line, layout)) {
    out += '\n';
    return;
  }
  auto cells = text_cells(line, layout.delimiter);
  if (layout.closed_rows && !cells.empty() && cells.back().empty()) cells.pop_back();
  seconds_for_clocks(cells, layout, clocks);
  if (layout.decimal_comma)
    for (auto& cell : cells) point_for_comma(cell);
  if (cells.empty()) cells.emplace_back(trimmed(line));  // quotes that don't close: shown as it is
  put_row(out, with_lists(std::move(cells), layout.listed));
}

}  // namespace

Result<void> write_plain(const std::filesystem::path& table, const std::string& name,
                         const TextLayout& layout, std::span<const std::string> names,
                         const std::filesystem::path& csv, const Job& job) {
  ImportProgress progress{&job};
  auto blocks = LineBlocks::open(table, name, &progress);
  if (!blocks) return fail(blocks.error());
  std::ofstream file(csv, std::ios::binary);
  std::string out;
  put_row(out, names);
  std::vector<DayClock> clocks(layout.clocks.size());
  for (std::uint64_t number = 1;;) {
    const auto block = blocks->next(number);
    if (!block) return fail(block.error());
    for (auto rest = *block; !rest.empty(); ++number) {
      const auto end = rest.find('\n');
      if (number >= layout.first_row) put_line(out, rest.substr(0, end), layout, names, clocks);
      rest.remove_prefix(end + 1);
    }
    file << out;
    out.clear();
    if (block->empty()) break;
  }
  file.close();
  if (!file) return fail(ErrorCode::kIo, "'{}': cannot be written", csv.string());
  return {};
}

}  // namespace tactelier
