#include "libcalib/json_check.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace tactelier {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

Place place_of(std::string_view text, std::size_t byte) {
  Place place;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    place.column = text[i] == '\n' ? 1 : place.column + 1;
    if (text[i] == '\n') ++place.line;
  }
  return place;
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 160;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

tl::unexpected<Error> broken(std::string_view text, std::string_view where, std::size_t byte,
                             std::string_view what) {
  const auto place = place_of(text, byte);
  return fail(ErrorCode::kInvalidInput, "{}: line {}, column {}: {}", where, place.line,
              place.column, what);
}

/// Reads the text and says how far the parser has come: its callback gets no position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *farthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** farthest_;
};

struct Refusal : std::exception {
  explicit Refusal(std::string what) : text(std::move(what)) {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

/// What the grammar of JSON allows and our files don't.
class Limits {
 public:
  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    using Event = json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= kMaxDepth)
      throw Refusal(fmt::format("nested deeper than {} levels", kMaxDepth));
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& name = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(name).second)
        throw Refusal(fmt::format("key '{}' stands twice in one object", shortened(name)));
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

/// "[json.exception.parse_error.101] parse error at line 1, column 2: WHAT" -> "WHAT".
std::string plain_message(std::string_view library_message) {
  auto text = library_message;
  if (const auto end = text.find("] "); end != text.npos) text.remove_prefix(end + 2);
  if (text.starts_with("parse error"))
    if (const auto end = text.find(": "); end != text.npos) text.remove_prefix(end + 2);
  return shortened(std::string(text));
}

std::optional<std::string_view> wrong_encoding(std::string_view text) {
  const auto begins = [&](std::string_view mark) { return text.starts_with(mark); };
  const bool utf16 = begins("\xFF\xFE") || begins("\xFE\xFF") ||
                     (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'));
  if (utf16) return "this is UTF-16 text; save it as UTF-8";
  return std::nullopt;
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Edits (insert, delete, replace, swap of neighbours) from one word to another, letter case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replaced});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// "diameter" for "diameter_mm": the commonest slip, a unit forgotten.
bool lacks_ending(std::string_view word, std::string_view candidate) {
  return word.size() >= 3 && candidate.size() > word.size() && candidate.starts_with(word) &&
         candidate[word.size()] == '_';
}

}  // namespace

Result<json> parse_json(std::string_view text, std::string_view where) {
  if (const auto encoding = wrong_encoding(text))
    return fail(ErrorCode::kInvalidInput, "{}: {}", where, *encoding);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return fail(ErrorCode::kInvalidInput, "{}: is empty, JSON expected", where);
  if (const auto nul = text.find('\0'); nul != text.npos)
    return broken(text, where, nul, "NUL byte; this is no text file");
  const char* const begin = text.data();
  const char* farthest = begin;
  const auto reached = [&] { return static_cast<std::size_t>(farthest - begin); };
  try {
    return json::parse(CountingIterator(begin, &farthest),
                       CountingIterator(begin + text.size(), &farthest), Limits());
  } catch (const Refusal& refusal) {
    return broken(text, where, std::max<std::size_t>(reached(), 1) - 1, refusal.text);
  } catch (const json::parse_error& error) {
    return broken(text, where, std::max<std::size_t>(error.byte, 1) - 1,
                  plain_message(error.what()));
  } catch (const json::exception& error) {  // a number beyond double
    return broken(text, where, std::max<std::size_t>(reached(), 1) - 1,
                  plain_message(error.what()));
  }
}

Result<void> check_format(const json& document, std::string_view format, int version,
                          std::string_view where) {
  if (!document.is_object())
    return fail(ErrorCode::kInvalidInput, "{}: expected an object, found {}", where,
                document.type_name());
  const auto found = document.find("format");
  if (found == document.end() || !found->is_string())
    return fail(ErrorCode::kInvalidInput,
                "{}: key 'format' is missing; \"format\": \"{}\" expected", where, format);
  const auto& name = found->get_ref<const std::string&>();
  if (name != format)
    return fail(ErrorCode::kInvalidInput, "{}: is '{}', '{}' expected", where, shortened(name),
                format);
  const auto number = document.find("version");
  if (number == document.end() || !number->is_number_integer())
    return fail(ErrorCode::kInvalidInput, "{}: key 'version' is missing; \"version\": {} expected",
                where, version);
  if (*number > version)
    return fail(ErrorCode::kInvalidInput,
                "{}: {} version {} is newer than version {}, which this program reads; update "
                "Tactelier",
                where, format, number->dump(), version);
  if (*number != version)
    return fail(ErrorCode::kInvalidInput, "{}: there is no {} version {}; {} expected", where,
                format, number->dump(), version);
  return {};
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kLongest = 100;
  if (word.size() > kLongest) return "";
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(1, std::min<std::size_t>(word.size() / 3, 4)) + 1;
  for (const auto& candidate : known) {
    if (candidate.size() > kLongest) continue;
    const auto distance = lacks_ending(word, candidate) ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = &candidate;
    }
  }
  return best ? fmt::format(" (did you mean '{}'?)", *best) : "";
}

std::string canonical(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace tactelier
