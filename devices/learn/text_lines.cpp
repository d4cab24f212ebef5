#include "devices/learn/text_lines.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace tactelier::devices {
namespace {

constexpr std::size_t kFewest = 8;
constexpr double kNearlyAll = 0.9;
constexpr std::size_t kMaxSkipped = 3;

bool is_text(ByteView bytes) {
  const auto odd = std::count_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) {
    return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte > 0x7E;
  });
  return static_cast<double>(odd) < 0.01 * static_cast<double>(bytes.size());
}

struct Line {
  std::string prefix;
  std::vector<double> numbers;
  bool readable = true;
};

Line read_line(std::string_view text) {
  Line line;
  const auto first = text.find_first_of("0123456789");
  if (first == text.npos) return line.readable = text.empty(), line;
  const auto begin = first > 0 && text[first - 1] == '-' ? first - 1 : first;
  line.prefix = text.substr(0, begin);
  text.remove_prefix(begin);
  while (!text.empty()) {
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return line.readable = false, line;
    line.numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    const auto next = text.find_first_not_of(" ,;\t");
    text.remove_prefix(next == text.npos ? text.size() : next);
  }
  return line;
}

std::vector<Line> whole_lines(ByteView capture) {
  std::string_view text(reinterpret_cast<const char*>(capture.data()), capture.size());
  const auto first = text.find('\n');
  text.remove_prefix(first == text.npos ? text.size() : first + 1);  // it may have begun anywhere
  std::vector<Line> lines;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    auto line = text.substr(0, end);
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    lines.push_back(read_line(line));
    text.remove_prefix(end + 1);
  }
  return lines;
}

template <class Key>
std::pair<Key, std::size_t> most_frequent(const std::map<Key, std::size_t>& counts) {
  return *std::max_element(counts.begin(), counts.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// How many numbers at the begin of each line only ever go up.
std::size_t counting_up(const std::vector<std::vector<double>>& lines) {
  std::size_t skip = 0;
  for (; skip < std::min(kMaxSkipped, lines.front().size() - 1); ++skip) {
    std::size_t up = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) up += lines[i][skip] > lines[i - 1][skip];
    if (static_cast<double>(up) < kNearlyAll * static_cast<double>(lines.size() - 1)) break;
  }
  return skip;
}

}  // namespace

std::optional<TextLines> find_text_lines(ByteView capture) {
  if (!is_text(capture)) return std::nullopt;
  const auto lines = whole_lines(capture);
  std::map<std::size_t, std::size_t> counts, runs;
  std::map<std::string, std::size_t> prefixes;
  std::size_t filled = 0, run = 0;
  for (const auto& line : lines) {
    if (line.readable && line.numbers.empty()) {
      if (run > 0) ++runs[run];
      run = 0;
      continue;
    }
    ++filled;
    ++run;
    if (!line.readable) continue;
    ++counts[line.numbers.size()];
    ++prefixes[line.prefix];
  }
  if (counts.empty()) return std::nullopt;
  const auto [numbers, often] = most_frequent(counts);
  if (often < kFewest || static_cast<double>(often) < kNearlyAll * static_cast<double>(filled))
    return std::nullopt;
  TextLines found;
  found.numbers = numbers;
  found.prefix = most_frequent(prefixes).first;
  if (!runs.empty()) {
    found.rows = most_frequent(runs).first;
    found.empty_line_ends = true;
  }
  std::vector<std::vector<double>> rows;
  for (const auto& line : lines)
    if (line.readable && line.numbers.size() == numbers) rows.push_back(line.numbers);
  if (found.rows == 1) found.skip = counting_up(rows);
  for (std::size_t i = 0; i + found.rows <= rows.size(); i += found.rows) {
    std::vector<double> frame;
    for (std::size_t row = 0; row < found.rows; ++row)
      frame.insert(frame.end(), rows[i + row].begin() + static_cast<std::ptrdiff_t>(found.skip),
                   rows[i + row].end());
    found.frames.push_back(std::move(frame));
  }
  return found;
}

}  // namespace tactelier::devices
