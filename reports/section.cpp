#include "reports/section.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <sstream>

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

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

/// The lines of a cell, none longer than `most` unless a word is.
std::vector<std::string> broken(const std::string& text, std::size_t most) {
  if (width(text) <= most) return {text};
  std::vector<std::string> lines;
  for (const auto& word : words_of(text))
    if (lines.empty() || width(lines.back()) + 1 + width(word) > most)
      lines.push_back(word);
    else
      lines.back() += " " + word;
  return lines;
}

/// Takes from the widest column what is too much, down to its longest word or kNarrow characters.
void fit_widths(const Table& table, std::size_t line_characters, std::vector<std::size_t>& widths) {
  constexpr std::size_t kNarrow = 24;
  std::vector<std::size_t> least;
  for (const auto& column : table.columns) least.push_back(width(column));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      for (const auto& word : words_of(row[i])) least[i] = std::max(least[i], width(word));
  for (std::size_t i = 0; i < widths.size(); ++i)
    least[i] = std::min(widths[i], std::max(kNarrow, least[i]));
  auto total = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
  for (; total > line_characters; --total) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < widths.size(); ++i)
      if (widths[i] - least[i] > 0 &&
          (widths[i] > widths[widest] || widths[widest] == least[widest]))
        widest = i;
    if (widths[widest] == least[widest]) return;
    --widths[widest];
  }
}

void append_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                std::string& out) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(broken(row[i], widths[i]));
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<std::string> parts;
    for (const auto& cell : cells) parts.push_back(line < cell.size() ? cell[line] : "");
    append_line(parts, widths, out);
  }
}

void append(const Table& table, std::optional<std::size_t> line_characters, std::string& out) {
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(width(column));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  if (line_characters && !widths.empty()) fit_widths(table, *line_characters, widths);
  append_line(table.columns, widths, out);
  std::vector<std::string> rule;
  for (const auto& column : table.columns) rule.emplace_back(width(column), '-');
  append_line(rule, widths, out);
  for (const auto& row : table.rows) append_row(row, widths, out);
}

}  // namespace

std::string to_text(std::span<const Section> sections, std::optional<std::size_t> line_characters) {
  std::string out;
  for (const auto& section : sections) {
    if (!out.empty()) out += "\n";
    out += section.title + "\n" + std::string(width(section.title), '=') + "\n";
    for (const auto& table : section.tables) {
      if (&table != &section.tables.front()) out += "\n";
      append(table, line_characters, out);
    }
    for (const auto& warning : section.warnings) out += "! " + warning + "\n";
  }
  return out;
}

}  // namespace tactelier
