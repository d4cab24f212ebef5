#include "libcalib/import/csv_reader.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "libcalib/import/text_cells.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kLongestRecord = std::size_t{16} << 20U;

/// Bytes of the UTF-8 character that begins at `at`, 0 when it is broken.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

/// Undoes the quotes of the cell that begins behind `at`; `at` ends behind the closing quote.
bool unquote(std::string_view record, std::size_t& at, std::string& scratch) {
  for (;;) {
    const auto quote = record.find('"', at);
    if (quote == record.npos) return false;
    scratch.append(record, at, quote - at);
    at = quote + 1;
    if (at >= record.size() || record[at] != '"') return true;
    scratch += '"';
    ++at;
  }
}

}  // namespace

Split split_record(std::string_view record, char delimiter, std::vector<std::string_view>& cells,
                   std::string& scratch) {
  cells.clear();
  scratch.clear();
  scratch.reserve(record.size());  // so that views into it stay
  std::size_t at = 0;
  for (;;) {
    if (at < record.size() && record[at] == '"') {
      const auto begin = scratch.size();
      if (!unquote(record, ++at, scratch)) return Split::kOpenQuote;
      cells.push_back(std::string_view(scratch).substr(begin));
      if (at == record.size()) return Split::kDone;
      if (record[at++] != delimiter) return Split::kTextAfterQuote;
      continue;
    }
    const auto end = std::min(record.find(delimiter, at), record.size());
    const auto cell = record.substr(at, end - at);
    if (cell.find('"') != cell.npos) return Split::kQuoteInside;
    cells.push_back(cell);
    if (end == record.size()) return Split::kDone;
    at = end + 1;
  }
}

std::string_view describe(Split split) {
  switch (split) {
    case Split::kOpenQuote:
      return "a quote is opened and never closed";
    case Split::kTextAfterQuote:
      return "text behind a closing quote; write \"\" for a quote inside a quoted cell";
    case Split::kQuoteInside:
      return "a quote inside an unquoted cell; put the cell in quotes and write \"\" for each "
             "quote in it";
    case Split::kDone:
      break;
  }
  return "";
}

std::string CsvReader::place() const { return fmt::format("{}:{}", blocks_.name(), line_); }

Result<bool> CsvReader::read_line(std::string_view& line) {
  if (rest_.empty()) {
    const auto block = blocks_.next(next_line_);
    if (!block) return fail(block.error());
    if (block->empty()) return false;
    rest_ = *block;
  }
  const auto end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  ++next_line_;
  return true;
}

Result<bool> CsvReader::next() {
  began_again_ = false;
  if (!between_) return next_record();
  for (;;) {
    std::string_view line;
    line_ = next_line_;
    const auto found = read_line(line);
    if (!found || !*found) return found;
    const auto text = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    if (trimmed(text).empty() || (!first_.empty() && is_note(text, delimiter_, cells_.size())))
      continue;
    if (text == first_) {
      began_again_ = true;
      continue;
    }
    if (first_.empty()) first_ = text;
    return take_record(line);
  }
}

Result<bool> CsvReader::next_record() {
  std::uint64_t blank_line = 0;
  for (;;) {
    std::string_view line;
    line_ = next_line_;
    const auto found = read_line(line);
    if (!found || !*found) return found;
    const bool blank = line.empty() || line == "\r";
    if (blank_line != 0 && !blank)
      return fail(ErrorCode::kInvalidInput, "{}:{}: a blank line between rows", blocks_.name(),
                  blank_line);
    if (blank) {
      if (blank_line == 0) blank_line = line_;
      continue;
    }
    return take_record(line);
  }
}

Result<bool> CsvReader::take_record(std::string_view line) {
  auto record = line;
  if (record.ends_with('\r')) record.remove_suffix(1);
  auto split = split_record(record, delimiter_, cells_, scratch_);
  if (split == Split::kOpenQuote) {  // the cell goes on until the quotes are even in number
    joined_ = line;
    auto quotes = std::count(line.begin(), line.end(), '"');
    while (quotes % 2 != 0 && joined_.size() < kLongestRecord) {
      const auto more = read_line(line);
      if (!more) return more;
      if (!*more) break;
      quotes += std::count(line.begin(), line.end(), '"');
      joined_ += '\n';
      joined_ += line;
    }
    record = joined_;
    if (record.ends_with('\r')) record.remove_suffix(1);
    split = split_record(record, delimiter_, cells_, scratch_);
  }
  if (split != Split::kDone)
    return fail(ErrorCode::kInvalidInput, "{}: {}", place(), describe(split));
  return true;
}

Result<void> check_text(std::string_view text, std::string_view place) {
  for (std::size_t at = 0; at < text.size();) {
    const auto length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == 0)
      return fail(ErrorCode::kInvalidInput, "{}: a NUL byte; this is not a text file", place);
    if (length == 0 || byte < 0x20 || byte == 0x7F)
      return fail(ErrorCode::kInvalidInput,
                  "{}: byte 0x{:02X} at position {} is not UTF-8 text; is this a CSV file?", place,
                  byte, at + 1);
    at += length;
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (at >= kMost) return out + "...";
    const auto length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", byte);
      ++at;
    } else {
      out.append(text, at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace tactelier
