#include "libcalib/import/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "libcalib/import/clock_text.hpp"
#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/header_unit.hpp"
#include "libcalib/import/text_cells.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kLooked = 200;   // lines that tell the layout
constexpr std::size_t kLeastRows = 2;  // of numbers, one after the other
constexpr double kTextCounts = 1.5;    // against as many numbers
constexpr std::string_view kNoUnit = "-";

struct TextLine {
  std::uint64_t number;
  std::string text;
};

Result<std::vector<TextLine>> lines_of(const std::filesystem::path& table,
                                       const std::string& name) {
  auto blocks = LineBlocks::open(table, name, nullptr);
  if (!blocks) return fail(blocks.error());
  const auto block = blocks->next(1);
  if (!block) return fail(block.error());
  std::vector<TextLine> lines;
  std::uint64_t number = 0;
  for (auto rest = *block; !rest.empty() && lines.size() < kLooked;) {
    const auto end = rest.find('\n');
    auto line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    if (!trimmed(line).empty()) lines.push_back({number, std::string(line)});
    rest.remove_prefix(end + 1);
  }
  return lines;
}

struct CellCounts {
  std::size_t cells = 0;
  double numbers = 0, texts = 0;
  bool closed = false;

  std::size_t in_lists = 0;

  bool like_a_row() const { return (cells > 1 || in_lists > 1) && numbers > 0 && numbers >= texts; }
};

CellCounts count_cells(std::string_view line, char delimiter, bool comma) {
  const auto cells = text_cells(line, delimiter);
  CellCounts counts;
  counts.cells = cells.size();
  for (const auto& cell : cells) {
    if (cell.empty()) continue;
    const auto listed = listed_numbers(cell).size();
    counts.in_lists += listed;
    const bool number = is_text_number(cell, comma) || listed > 0 || is_time_of_day(cell);
    ++(number ? counts.numbers : counts.texts);
  }
  counts.closed = !cells.empty() && cells.back().empty();
  return counts;
}

/// Lines that follow each other with the same number of cells, most of them numbers.
struct RowRun {
  std::size_t first = 0, lines = 0, cells = 0;
  double score = -std::numeric_limits<double>::infinity();
  bool closed = true;  // every line
};

/// A note, or the line of names or of units once more: what may stand between rows.
bool between_rows(const std::vector<TextLine>& lines, const RowRun& run, std::size_t line,
                  char delimiter) {
  if (run.lines == 0) return false;
  const auto& text = lines[line].text;
  for (const std::size_t above : {1, 2})
    if (run.first >= above && lines[run.first - above].text == text) return true;
  return is_note(text, delimiter, run.cells);
}

RowRun longest_run(const std::vector<TextLine>& lines, char delimiter, bool comma) {
  RowRun best, run;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (between_rows(lines, run, i, delimiter)) continue;
    const auto counts = count_cells(lines[i].text, delimiter, comma);
    if (!counts.like_a_row()) {
      run = {};
      continue;
    }
    if (run.lines == 0 || counts.cells != run.cells) run = {i, 0, counts.cells, 0, true};
    ++run.lines;
    run.closed = run.closed && counts.closed;
    run.score += counts.numbers - kTextCounts * counts.texts;
    if (run.lines > best.lines) best = run;
  }
  return best.lines >= kLeastRows ? best : RowRun{};
}

/// How many numbers each cell of the run's rows lists, where all rows agree.
std::vector<std::size_t> lists_in(const std::vector<TextLine>& lines, const RowRun& run,
                                  char delimiter) {
  std::vector<std::size_t> listed(run.cells, 0);
  std::vector<bool> agree(run.cells, true), thousands(run.cells, true);
  for (std::size_t i = run.first, rows = 0; i < lines.size() && rows < run.lines; ++i) {
    const auto cells = text_cells(lines[i].text, delimiter);
    if (cells.size() != run.cells || between_rows(lines, run, i, delimiter)) continue;
    ++rows;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].empty()) continue;
      const auto here = listed_numbers(cells[c]).size();
      agree[c] = agree[c] && here > 0 && (listed[c] == 0 || here == listed[c]);
      thousands[c] = thousands[c] && may_part_thousands(cells[c]);
      listed[c] = here;
    }
  }
  for (std::size_t c = 0; c < listed.size(); ++c)
    if (!agree[c] || thousands[c]) listed[c] = 0;
  const bool none = std::all_of(listed.begin(), listed.end(), [](auto n) { return n == 0; });
  return none ? std::vector<std::size_t>{} : listed;
}

/// The first time of day of each column that holds nothing else.
std::vector<std::string> clocks_in(const std::vector<TextLine>& lines, const RowRun& run,
                                   char delimiter, std::size_t columns) {
  std::vector<std::string> clocks(columns);
  std::vector<bool> only(columns, true);
  for (std::size_t i = run.first, rows = 0; i < lines.size() && rows < run.lines; ++i) {
    const auto cells = text_cells(lines[i].text, delimiter);
    if (cells.size() != run.cells || between_rows(lines, run, i, delimiter)) continue;
    ++rows;
    for (std::size_t c = 0; c < columns; ++c) {
      if (cells[c].empty()) continue;
      only[c] = only[c] && is_time_of_day(cells[c]);
      if (clocks[c].empty()) clocks[c] = cells[c];
    }
  }
  bool any = false;
  for (std::size_t c = 0; c < columns; ++c) {
    if (!only[c]) clocks[c].clear();
    any = any || !clocks[c].empty();
  }
  return any ? clocks : std::vector<std::string>{};
}

/// 0, 1, 2 ... as pandas numbers columns that have no names.
bool counts_up(const std::vector<std::string>& cells) {
  if (cells.size() < 3) return false;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] != std::to_string(i) && cells[i] != std::to_string(i + 1)) return false;
  return cells[0] != cells[1];
}

std::string as_utf8(std::string_view text) {
  if (check_text(text, "")) return std::string(text);
  std::string latin;  // ISO 8859-1, in which instruments write degrees and micrometres
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      latin += c;
    } else {
      latin += static_cast<char>(0xC0U | (byte >> 6U));
      latin += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return latin;
}

std::vector<std::string> between_wide_blanks(std::string_view line) {
  std::vector<std::string> cells;
  while (!(line = trimmed(line)).empty()) {
    const auto end = std::min({line.find("  "), line.find('\t'), line.size()});
    cells.emplace_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end);
  }
  return cells;
}

/// The names in a line above the rows, empty when it doesn't hold as many.
std::vector<std::string> names_in(const TextLine& line, char delimiter, std::size_t columns) {
  const auto text = as_utf8(without_comment_mark(line.text));
  const auto fits = [columns](std::vector<std::string>& cells) {
    if (cells.size() == columns + 1 && cells.back().empty()) cells.pop_back();
    return cells.size() == columns && std::any_of(cells.begin(), cells.end(), [](const auto& cell) {
             return !cell.empty() && !is_text_number(cell, false);
           });
  };
  for (const char by : {delimiter, ',', ';', '\t'})
    if (auto cells = text_cells(text, by); fits(cells)) return cells;
  if (auto cells = between_wide_blanks(text); fits(cells)) return cells;
  if (auto cells = text_cells(text, ' '); fits(cells)) return cells;
  return {};
}

/// "(s)" or "[s]" as "s".
std::string bare_unit(const std::string& cell) {
  const bool bracketed = cell.size() > 2 && ((cell.front() == '(' && cell.back() == ')') ||
                                             (cell.front() == '[' && cell.back() == ']'));
  return bracketed ? cell.substr(1, cell.size() - 2) : cell;
}

bool are_units(const std::vector<std::string>& cells) {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.empty() || cell == kNoUnit || is_unit(bare_unit(cell));
  });
}

void name_the_nameless(std::vector<std::string>& names) {
  const auto numbered = numbered_columns(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = numbered[i];
}

/// Whether what was found is what plain CSV looks like.
struct Found {
  TextLayout layout;
  bool plain = false;
};

/// Looks for the names above the rows, and for the units between.
Found with_names(const std::vector<TextLine>& lines, const RowRun& run, TextLayout layout) {
  std::size_t above = run.first;
  std::vector<std::string> units;
  if (above > 0) layout.names = names_in(lines[above - 1], layout.delimiter, layout.columns);
  if (above > 1 && are_units(layout.names)) {
    auto names = names_in(lines[above - 2], layout.delimiter, layout.columns);
    if (!names.empty()) {
      units = std::exchange(layout.names, std::move(names));
      layout.units_line = lines[above - 1].text;
      --above;
    }
  }
  for (std::size_t i = 0; i < std::min(units.size(), layout.names.size()); ++i)
    if (!units[i].empty() && units[i] != kNoUnit)
      layout.names[i] += fmt::format(" [{}]", bare_unit(units[i]));
  Found found;
  found.plain = !layout.names.empty() && units.empty() && layout.first_row == 2 &&
                layout.delimiter != ' ' && !layout.decimal_comma && !layout.closed_rows &&
                layout.listed.empty() && layout.clocks.empty() &&
                text_cells(lines[above - 1].text, layout.delimiter).size() == layout.columns &&
                !is_comment(lines[above - 1].text) &&
                check_text(lines[above - 1].text, "").has_value();
  if (!layout.names.empty()) layout.names_line = lines[above - 1].text;
  name_the_nameless(layout.names);
  if (!layout.names.empty()) layout.names = with_listed(layout.names, layout);
  found.layout = std::move(layout);
  return found;
}

/// Rows of one number each, without a name above them: a logger's "2.42" line by line.
std::optional<TextLayout> single_column(const std::vector<TextLine>& lines) {
  for (const bool comma : {false, true}) {
    const auto is_row = [comma](const TextLine& line) {
      return is_text_number(trimmed(line.text), comma) || is_comment(line.text);
    };
    if (lines.size() < kLeastRows || !std::all_of(lines.begin(), lines.end(), is_row)) continue;
    TextLayout layout;
    layout.delimiter = ' ';
    layout.decimal_comma = comma;
    layout.first_row = lines.front().number;
    layout.columns = 1;
    return layout;
  }
  return std::nullopt;
}

struct Choice {
  char delimiter;
  bool comma;
};
constexpr std::array kChoices{Choice{'\t', false}, Choice{';', false}, Choice{'|', false},
                              Choice{',', false},  Choice{'\t', true}, Choice{';', true},
                              Choice{',', true},   Choice{' ', false}, Choice{' ', true}};

}  // namespace

std::vector<std::string> with_listed(const std::vector<std::string>& names,
                                     const TextLayout& layout) {
  if (layout.listed.empty()) return names;
  std::vector<std::string> all;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto numbers = c < layout.listed.size() ? layout.listed[c] : 0;
    if (numbers < 2) all.push_back(names[c]);
    for (std::size_t i = 0; numbers >= 2 && i < numbers; ++i)
      all.push_back(fmt::format("{}_{}", names[c], i));
  }
  return all;
}

std::vector<std::string> numbered_columns(std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= columns; ++i) names.push_back(fmt::format("column_{}", i));
  return names;
}

Result<std::optional<TextLayout>> unusual_layout(const std::filesystem::path& table,
                                                 const std::string& name) {
  const auto lines = lines_of(table, name);
  if (!lines) return fail(lines.error());
  RowRun best;
  TextLayout layout;
  for (const auto& choice : kChoices) {
    const auto run = longest_run(*lines, choice.delimiter, choice.comma);
    if (run.score <= best.score) continue;
    best = run;
    layout.delimiter = choice.delimiter;
    layout.decimal_comma = choice.comma;
  }
  if (best.lines == 0) return single_column(*lines);
  if (best.first == 0 && counts_up(text_cells(lines->front().text, layout.delimiter))) {
    if (layout.delimiter != ' ') return std::nullopt;
    ++best.first;
  }
  layout.first_row = (*lines)[best.first].number;
  layout.closed_rows = best.closed && layout.delimiter != ' ';
  layout.columns = best.cells - (layout.closed_rows ? 1 : 0);
  layout.listed = lists_in(*lines, best, layout.delimiter);
  if (!layout.listed.empty()) layout.listed.resize(layout.columns);
  layout.clocks = clocks_in(*lines, best, layout.delimiter, layout.columns);
  const auto found = with_names(*lines, best, layout);
  const bool all_comments =
      std::all_of(lines->begin(), lines->begin() + static_cast<std::ptrdiff_t>(best.first),
                  [](const TextLine& line) { return is_comment(line.text); });
  if (found.plain || (found.layout.names.empty() && !all_comments)) return std::nullopt;
  return found.layout;
}

}  // namespace tactelier
