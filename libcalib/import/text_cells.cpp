#include "libcalib/import/text_cells.hpp"

#include <algorithm>
#include <array>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/number_rows.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::array<std::string_view, 4> kCommentMarks{"#", "%", "//", "!"};

bool is_bracketed(std::string_view cell) {
  return cell.size() > 2 && ((cell.front() == '[' && cell.back() == ']') ||
                             (cell.front() == '(' && cell.back() == ')'));
}

std::vector<std::string> between_blanks(std::string_view line) {
  std::vector<std::string> cells;
  for (auto at = line.find_first_not_of(kBlanks); at != line.npos;) {
    const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
    cells.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return cells;
}

}  // namespace

std::vector<std::string> text_cells(std::string_view line, char delimiter) {
  if (delimiter == ' ') return between_blanks(line);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> split;
  std::string scratch;
  if (split_record(line, delimiter, split, scratch) != Split::kDone) return {};
  std::vector<std::string> cells;
  for (const auto cell : split) cells.emplace_back(trimmed(cell));
  return cells;
}

bool is_text_number(std::string_view cell, bool comma) {
  std::string point(cell);
  if (comma && point.find('.') != point.npos) return false;
  if (const auto at = point.find(','); at != point.npos) {
    if (!comma || at == 0 || at + 1 == point.size()) return false;
    point[at] = '.';
  }
  std::string why;
  return !point.empty() && read_table_number(point, why).has_value();
}

std::vector<std::string> listed_numbers(std::string_view cell) {
  const bool bracketed = is_bracketed(cell);
  if (bracketed) cell = cell.substr(1, cell.size() - 2);
  const char by = cell.find(',') != cell.npos ? ',' : cell.find(';') != cell.npos ? ';' : ' ';
  if (!bracketed && by != ',') return {};
  auto numbers = text_cells(cell, by);
  const bool all = std::all_of(numbers.begin(), numbers.end(), [](const std::string& number) {
    return is_text_number(number, false);
  });
  if (!all || (!bracketed && numbers.size() < 3)) return {};
  return numbers;
}

bool may_part_thousands(std::string_view cell) {
  const auto groups = listed_numbers(cell);
  if (groups.empty() || is_bracketed(cell)) return false;
  const auto is_group = [](const std::string& group) {
    return group.size() == 3 && group.find_first_not_of("0123456789") == group.npos;
  };
  const std::size_t sign = groups.front().starts_with('-') ? 1 : 0;
  return groups.front().size() <= sign + 3 &&
         std::all_of(groups.begin() + 1, groups.end(), is_group);
}

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return std::any_of(kCommentMarks.begin(), kCommentMarks.end(),
                     [line](std::string_view mark) { return line.starts_with(mark); });
}

bool is_note(std::string_view line, char delimiter, std::size_t columns) {
  if (!is_comment(line)) return false;
  const auto text = trimmed(line);
  if (text.size() > 1 && kBlanks.find(text[1]) != kBlanks.npos) return true;
  const auto cells = text_cells(line, delimiter);
  return cells.size() != columns ||
         std::none_of(cells.begin(), cells.end(),
                      [](const std::string& cell) { return is_text_number(cell, false); });
}

std::string_view without_comment_mark(std::string_view line) {
  line = trimmed(line);
  while (is_comment(line)) line = trimmed(line.substr(1));
  return line;
}

}  // namespace tactelier
