#include "devices/learn/text_lines.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "devices/framed/frame_description.hpp"
#include "devices/framed/text_numbers.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kFewest = 8;
constexpr double kNearlyAll = 0.9;
constexpr std::size_t kMaxSkipped = 3;
constexpr std::size_t kMostRows = 256;

/// A line as one way to read it sees it.
struct Line {
  std::string_view text;
  std::string_view prefix;  // before the first number
  std::vector<double> numbers;
  bool readable = false;  // nothing but numbers behind the prefix, or numbers among words
  bool empty() const { return text.empty(); }
};

std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n' && text[at] != '\r') continue;
    auto line = text.substr(begin, at - begin);
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    lines.push_back(line);
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
    begin = at + 1;
  }
  if (!lines.empty()) lines.erase(lines.begin());  // it may have begun anywhere
  return lines;
}

/// How lines may be read: as cells alone behind a prefix, as numbers of base 16, among words, as
/// digits of base 16 with nothing between.
enum class Reading { kCells, kHex, kWords, kJoined };

Line read_line(std::string_view text, Reading reading, std::size_t digits) {
  Line line{text, {}, {}, false};
  if (reading == Reading::kWords) {
    line.numbers = numbers_among_words(text).numbers;
    line.readable = !line.numbers.empty();
    return line;
  }
  if (reading == Reading::kHex || reading == Reading::kJoined) {
    auto found = reading == Reading::kHex ? numbers_of(text, 16) : numbers_joined(text, 16, digits);
    line.readable = found.odd.empty() && !found.numbers.empty();
    line.numbers = std::move(found.numbers);
    return line;
  }
  auto first = text.find_first_of("0123456789");
  if (first == text.npos) return line;
  if (first > 0 && text[first - 1] == '.') --first;
  if (first > 0 && (text[first - 1] == '-' || text[first - 1] == '+')) --first;
  line.prefix = text.substr(0, first);
  auto found = numbers_of(text.substr(first));
  line.readable = found.odd.empty();
  line.numbers = std::move(found.numbers);
  return line;
}

template <class Key>
std::pair<Key, std::size_t> most_frequent(const std::map<Key, std::size_t>& counts) {
  return *std::max_element(counts.begin(), counts.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

bool nearly_all(std::size_t part, std::size_t of) {
  return static_cast<double>(part) >= kNearlyAll * static_cast<double>(of);
}

/// How many numbers at the begin of each line only ever go up.
std::size_t counting_up(const std::vector<std::vector<double>>& lines) {
  std::size_t skip = 0;
  for (; skip < std::min(kMaxSkipped, lines.front().size() - 1); ++skip) {
    std::size_t up = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) up += lines[i][skip] > lines[i - 1][skip];
    if (!nearly_all(up, lines.size() - 1)) break;
  }
  return skip;
}

/// Lines of a frame that follow each other with `ends` between them; 0: no such number.
std::size_t rows_between(const std::vector<bool>& is_row, const std::vector<bool>& ends) {
  std::map<std::size_t, std::size_t> runs;
  std::size_t run = 0, all = 0;
  bool begun = false;
  for (std::size_t i = 0; i < is_row.size(); ++i) {
    run += is_row[i] ? 1 : 0;
    if (!ends[i]) continue;
    if (begun && run > 0) ++runs[run], ++all;
    begun = true;
    run = 0;
  }
  if (runs.empty()) return 0;
  const auto [rows, often] = most_frequent(runs);
  return often >= kFewest && nearly_all(often, all) ? rows : 0;
}

/// "R" and ":" of "R7:" with the number between, where the text ends a word in digits.
struct Label {
  std::string before, behind;
  std::size_t number = 0;
};
std::optional<Label> label_of(std::string_view text) {
  const auto first = text.find_first_of("0123456789");
  if (first == text.npos) return {};
  auto end = first;
  std::size_t number = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9' && end - first < 4)
    number = 10 * number + static_cast<std::size_t>(text[end++] - '0');
  const auto colon = text.find_first_of(":=)]|", end);
  if (colon != end) return {};
  return Label{std::string(text.substr(0, first)), std::string(1, text[colon]), number};
}

/// Lines numbered "R0:", "R1:" ... again and again.
bool find_row_labels(const std::vector<Line>& lines, TextLines& found) {
  std::vector<Label> labels;
  std::size_t filled = 0, lowest = kMostRows, highest = 0;
  for (const auto& line : lines) {
    if (line.empty()) continue;
    ++filled;
    auto label = label_of(line.text);
    if (!label || label->number >= kMostRows) continue;
    lowest = std::min(lowest, label->number);
    highest = std::max(highest, label->number);
    labels.push_back(std::move(*label));
  }
  if (labels.size() < kFewest || !nearly_all(labels.size(), filled) || highest <= lowest)
    return false;
  const auto rows = highest - lowest + 1;
  std::size_t next = 0;
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const auto& before = labels[i - 1];
    next += labels[i].number == (before.number == highest ? lowest : before.number + 1) &&
            labels[i].before == before.before && labels[i].behind == before.behind;
  }
  if (!nearly_all(next, labels.size() - 1) || labels.size() < 2 * rows) return false;
  found.rows = rows;
  found.first_row = lowest;
  found.prefix = labels.front().before + std::string(kRowInPrefix) + labels.front().behind;
  return true;
}

/// Lines whose first number is the line's in its frame, again and again: it is no reading.
bool find_row_numbers(std::vector<Line>& lines, TextLines& found) {
  std::vector<double> firsts;
  for (const auto& line : lines)
    if (line.readable && line.numbers.size() > 1) firsts.push_back(line.numbers.front());
  if (firsts.size() < kFewest) return false;
  const auto [low, high] = std::minmax_element(firsts.begin(), firsts.end());
  const double lowest = *low, highest = *high;
  if (!(lowest >= 0 && highest > lowest && highest < static_cast<double>(kMostRows))) return false;
  std::size_t next = 0;
  for (std::size_t i = 1; i < firsts.size(); ++i)
    next += firsts[i] == (firsts[i - 1] == highest ? lowest : firsts[i - 1] + 1) ? 1 : 0;
  const auto rows = static_cast<std::size_t>(highest - lowest) + 1;
  if (!nearly_all(next, firsts.size() - 1) || firsts.size() < 2 * rows) return false;
  found.rows = rows;
  found.first_row = static_cast<std::size_t>(lowest);
  for (auto& line : lines)
    if (line.readable) line.numbers.erase(line.numbers.begin());
  return true;
}

/// The line without numbers that stands before each frame, as far as it is always the same.
void find_begin(const std::vector<Line>& lines, TextLines& found) {
  std::map<std::string_view, std::size_t> texts;
  for (const auto& line : lines)
    if (!line.empty() && line.text != "#" && !line.readable) ++texts[line.text];
  if (texts.empty()) return;
  const auto text = most_frequent(texts).first;
  std::vector<bool> is_row, begins;
  for (const auto& line : lines) {
    is_row.push_back(line.readable);
    begins.push_back(line.text == text);
  }
  const auto rows = rows_between(is_row, begins);
  if (rows == 0) return;
  found.rows = rows;
  found.begin = std::string(text);
}

std::optional<TextLines> read_as(const std::vector<std::string_view>& texts, Reading reading,
                                 std::size_t digits = 0) {
  std::vector<Line> lines;
  for (const auto text : texts) lines.push_back(read_line(text, reading, digits));
  TextLines found;
  found.words = reading == Reading::kWords;
  found.base = reading == Reading::kHex || reading == Reading::kJoined ? 16 : 10;
  found.digits = digits;
  const bool labelled = reading == Reading::kWords && find_row_labels(lines, found);
  if (labelled)
    for (auto& line : lines) {
      const auto label = label_of(line.text);
      if (!label) continue;
      const auto behind = line.text.find(label->behind, label->before.size());
      line.numbers = numbers_among_words(line.text.substr(behind + 1)).numbers;
      line.readable = !line.numbers.empty();
    }
  const bool numbered = reading == Reading::kCells && find_row_numbers(lines, found);
  std::map<std::size_t, std::size_t> counts;
  std::map<std::string_view, std::size_t> prefixes;
  std::size_t filled = 0;
  for (const auto& line : lines) {
    filled += line.empty() ? 0 : 1;
    if (!line.readable) continue;
    ++counts[line.numbers.size()];
    ++prefixes[line.prefix];
  }
  if (counts.empty()) return {};
  const auto [numbers, often] = most_frequent(counts);
  if (!labelled && !numbered) {
    std::vector<bool> is_row, ends;
    for (const auto& line : lines) {
      is_row.push_back(line.readable);
      ends.push_back(line.empty());
    }
    if (const auto rows = rows_between(is_row, ends); rows > 0) {
      found.rows = rows;
      found.empty_line_ends = true;
    } else {
      find_begin(lines, found);
    }
  }
  const auto begins =
      static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](const Line& line) {
        return !found.begin.empty() && line.text == found.begin;
      }));
  if (often < kFewest || !nearly_all(often, filled - begins)) return {};
  found.numbers = numbers;
  if (!labelled) found.prefix = std::string(most_frequent(prefixes).first);
  if (numbered) found.prefix += kRowInPrefix;
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

/// "03FF": digits above 9, whole numbers of two digits and more, all alike.
bool looks_hex(const std::vector<std::string_view>& texts) {
  std::size_t letters = 0, lines = 0;
  for (const auto text : texts) {
    if (text.empty()) continue;
    ++lines;
    const bool odd = text.find_first_not_of("0123456789abcdefABCDEF ,;\t") != text.npos;
    letters += !odd && text.find_first_of("abcdefABCDEF") != text.npos ? 1 : 0;
  }
  return lines >= kFewest && 2 * letters > lines;
}

/// How many digits most lines are, where these are hexadecimal digits with nothing between; 0: they
/// aren't. Up to four are one number.
std::size_t joined_digits(const std::vector<std::string_view>& texts) {
  constexpr std::size_t kOneNumber = 4;
  std::map<std::size_t, std::size_t> lengths;
  std::size_t lines = 0, letters = 0;
  for (const auto text : texts) {
    if (text.empty()) continue;
    ++lines;
    if (text.find_first_not_of("0123456789abcdefABCDEF") != text.npos) continue;
    ++lengths[text.size()];
    letters += text.find_first_of("abcdefABCDEF") != text.npos ? 1 : 0;
  }
  if (lengths.empty() || letters == 0) return 0;
  const auto [length, often] = most_frequent(lengths);
  return length > kOneNumber && often >= kFewest && 2 * often > lines ? length : 0;
}

Result<TextLines> read_joined(const std::vector<std::string_view>& texts, std::size_t length,
                              std::optional<std::size_t> cells) {
  constexpr std::size_t kMostDigits = 8;
  const auto lines = read_as(texts, Reading::kJoined, 1);
  if (!lines)
    return fail(ErrorCode::kProtocol,
                "printed text of hexadecimal digits with nothing between, and lines that aren't "
                "equally long (most are {} digits)",
                length);
  const auto all = length * lines->rows;
  if (!cells)
    return fail(
        ErrorCode::kProtocol,
        "printed text: frames of {} hexadecimal digits with nothing between; how many are a "
        "number they don't say: state --rows and --columns",
        all);
  const auto digits = all / std::max<std::size_t>(*cells, 1);
  auto found = digits >= 1 && digits <= kMostDigits && digits * *cells == all
                   ? read_as(texts, Reading::kJoined, digits)
                   : std::nullopt;
  if (!found)
    return fail(ErrorCode::kProtocol,
                "printed text: frames of {} hexadecimal digits with nothing between are no {} "
                "readings of equally many digits",
                all, *cells);
  return std::move(*found);
}

}  // namespace

bool is_text(ByteView bytes) {
  const auto odd = std::count_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) {
    return (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte > 0x7E;
  });
  return static_cast<double>(odd) < 0.01 * static_cast<double>(bytes.size());
}

Result<TextLines> find_text_lines(ByteView capture, std::optional<std::size_t> cells) {
  const std::string_view text(reinterpret_cast<const char*>(capture.data()), capture.size());
  const auto texts = whole_lines(text);
  if (texts.size() < kFewest)
    return fail(ErrorCode::kProtocol,
                "printed text of {} whole lines, too few to tell how it is laid out; listen longer",
                texts.size());
  if (const auto length = joined_digits(texts); length > 0)
    return read_joined(texts, length, cells);
  if (looks_hex(texts))
    if (auto found = read_as(texts, Reading::kHex)) return std::move(*found);
  for (const auto reading : {Reading::kCells, Reading::kWords})
    if (auto found = read_as(texts, reading)) return std::move(*found);
  std::map<std::size_t, std::size_t> counts;
  std::map<std::size_t, std::string_view> examples;
  for (const auto line : texts) {
    if (line.empty()) continue;
    const auto numbers = numbers_among_words(line).numbers.size();
    ++counts[numbers];
    examples.try_emplace(numbers, line.substr(0, 60));
  }
  if (counts.empty()) return fail(ErrorCode::kProtocol, "printed text of empty lines");
  const auto [usual, often] = most_frequent(counts);
  std::string others;
  for (const auto& [numbers, example] : examples)
    if (numbers != usual && others.size() < 200)
      others += fmt::format("; line '{}' holds {}", example,
                            numbers == 0 ? "no numbers" : fmt::format("{}", numbers));
  return fail(ErrorCode::kProtocol,
              "printed text whose lines don't hold equally many numbers: {} of {} hold {}{}", often,
              texts.size(), usual, others);
}

}  // namespace tactelier::devices
