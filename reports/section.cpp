#include "reports/section.hpp"

#include <algorithm>
#include <cstddef>

namespace tactelier {
namespace {

/// Characters as people count them: bytes that begin a UTF-8 sequence.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

void append_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 std::string& out) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += "  ";
    line += cells[i] + std::string(widths[i] - width(cells[i]), ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

void append(const Table& table, std::string& out) {
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(width(column));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  append_line(table.columns, widths, out);
  std::vector<std::string> rule;
  for (const auto& column : table.columns) rule.emplace_back(width(column), '-');
  append_line(rule, widths, out);
  for (const auto& row : table.rows) append_line(row, widths, out);
}

}  // namespace

std::string to_text(std::span<const Section> sections) {
  std::string out;
  for (const auto& section : sections) {
    if (!out.empty()) out += "\n";
    out += section.title + "\n" + std::string(width(section.title), '=') + "\n";
    for (const auto& table : section.tables) {
      if (&table != &section.tables.front()) out += "\n";
      append(table, out);
    }
    for (const auto& warning : section.warnings) out += "! " + warning + "\n";
  }
  return out;
}

}  // namespace tactelier
