#include "libcalib/import/table_files.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "libcalib/import/formats/table_formats.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Shortest first, so that "{a}_{b}.csv" splits at the first underscore.
bool match(std::string_view pattern, std::string_view name, FileWords& words) {
  if (pattern.empty()) return name.empty();
  const bool star = pattern.front() == '*';
  const auto close = pattern.front() == '{' ? pattern.find('}') : pattern.npos;
  if (!star && close == pattern.npos)
    return !name.empty() && name.front() == pattern.front() &&
           match(pattern.substr(1), name.substr(1), words);
  const auto rest = pattern.substr(star ? 1 : close + 1);
  for (std::size_t length = star ? 0 : 1; length <= name.size(); ++length) {
    if (!match(rest, name.substr(length), words)) continue;
    if (!star) words[std::string(pattern.substr(1, close - 1))] = name.substr(0, length);
    return true;
  }
  return false;
}

/// The number that begins `text`, without leading zeros.
std::string_view leading_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  const auto digits = text.substr(0, end);
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

std::string_view behind_number(std::string_view text) {
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text;
}

/// "2.csv" before "10.csv".
bool naturally_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto x = leading_number(a);
      const auto y = leading_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      a = behind_number(a);
      b = behind_number(b);
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

bool looks_like_a_table(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kEndings{".csv", ".tsv", ".txt"};
  const auto ending = file.extension().string();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end() ||
         is_other_format(file);
}

}  // namespace

std::optional<FileWords> match_file_name(std::string_view pattern, std::string_view name) {
  FileWords words;
  return match(pattern, name, words) ? std::optional(words) : std::nullopt;
}

Result<std::string> fill_in(std::string_view text, const FileWords& words) {
  std::string filled;
  for (;;) {
    const auto open = text.find('{');
    const auto close = text.find('}', std::min(open, text.size()));
    filled += text.substr(0, close == text.npos ? text.npos : open);
    if (close == text.npos) return filled;
    const std::string name(text.substr(open + 1, close - open - 1));
    const auto found = words.find(name);
    if (found == words.end()) {
      std::vector<std::string> names;
      for (const auto& [known, ignored] : words) names.push_back(known);
      return fail(ErrorCode::kInvalidInput,
                  "nothing is called '{{{}}}'{}; there are the columns of the table and the words "
                  "in braces of 'files'",
                  name, did_you_mean(name, names));
    }
    filled += found->second;
    text.remove_prefix(close + 1);
  }
}

Result<std::vector<TableFile>> find_tables(const fs::path& source, std::string_view pattern) {
  std::error_code error;
  if (!fs::is_directory(source, error)) {
    auto name = source.filename().string();
    const auto words = pattern.empty() ? FileWords{} : match_file_name(pattern, name);
    if (!words)
      return fail(ErrorCode::kInvalidInput, "'{}' does not fit the map's files '{}'", name,
                  pattern);
    return std::vector{TableFile{source, std::move(name), *words}};
  }
  std::vector<TableFile> tables;
  std::string first_other;
  for (fs::directory_iterator entry(source, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    auto name = entry->path().filename().string();
    const auto words = pattern.empty() ? (looks_like_a_table(name) ? std::optional(FileWords{})
                                                                   : std::optional<FileWords>())
                                       : match_file_name(pattern, name);
    if (words)
      tables.push_back({entry->path(), std::move(name), *words});
    else if (first_other.empty() || name < first_other)
      first_other = name;
  }
  if (error) return fail(ErrorCode::kIo, "'{}': cannot list: {}", source.string(), error.message());
  if (tables.empty())
    return fail(ErrorCode::kInvalidInput, "'{}': no table in it fits '{}'{}", source.string(),
                pattern.empty() ? "*.csv" : pattern,
                first_other.empty() ? "; it is empty" : fmt::format(" (one is '{}')", first_other));
  std::sort(tables.begin(), tables.end(),
            [](const auto& a, const auto& b) { return naturally_before(a.name, b.name); });
  return tables;
}

}  // namespace tactelier
