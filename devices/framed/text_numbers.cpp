#include "devices/framed/text_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tactelier::devices {
namespace {

constexpr std::string_view kBetween = " \t,;";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c < 0;
}

bool read_cell(std::string_view cell, int base, double& number) {
  const auto* const end = cell.data() + cell.size();
  if (base != 10) {
    std::uint32_t whole = 0;
    const auto [stop, error] = std::from_chars(cell.data(), end, whole, base);
    number = whole;
    return error == std::errc{} && stop == end;
  }
  if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-') cell.remove_prefix(1);
  const auto [stop, error] = std::from_chars(cell.data(), end, number);
  return error == std::errc{} && stop == end && std::isfinite(number);
}

}  // namespace

TextNumbers numbers_of(std::string_view line, int base) {
  TextNumbers found;
  for (auto begin = line.find_first_not_of(kBetween); begin != line.npos;
       begin = line.find_first_not_of(kBetween)) {
    line.remove_prefix(begin);
    const auto cell = line.substr(0, line.find_first_of(kBetween));
    double number = 0;
    if (!read_cell(cell, base, number) && found.odd.empty()) found.odd = cell;
    found.numbers.push_back(number);
    line.remove_prefix(cell.size());
  }
  return found;
}

TextNumbers numbers_joined(std::string_view line, int base, std::size_t digits) {
  TextNumbers found;
  const auto begin = line.find_first_not_of(kBetween);
  if (begin == line.npos) return found;
  line = line.substr(begin, line.find_last_not_of(kBetween) + 1 - begin);
  for (; !line.empty(); line.remove_prefix(std::min(digits, line.size()))) {
    const auto cell = line.substr(0, digits);
    std::uint32_t whole = 0;
    const auto* const end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, whole, base);
    const bool right = cell.size() == digits && error == std::errc{} && stop == end;
    if (!right && found.odd.empty()) found.odd = cell;
    found.numbers.push_back(whole);
  }
  return found;
}

TextNumbers numbers_among_words(std::string_view line) {
  TextNumbers found;
  std::size_t at = 0;
  while (at < line.size()) {
    if (!is_digit(line[at])) {
      ++at;
      continue;
    }
    if (at > 0 && is_of_word(line[at - 1])) {  // the end of a word
      while (at < line.size() && is_of_word(line[at])) ++at;
      continue;
    }
    auto begin = at;
    if (begin > 0 && line[begin - 1] == '.') --begin;  // ".5"
    if (begin > 0 && line[begin - 1] == '-' && (begin < 2 || !is_of_word(line[begin - 2]))) --begin;
    double number = 0;
    const auto [stop, error] =
        std::from_chars(line.data() + begin, line.data() + line.size(), number);
    if (error == std::errc{} && std::isfinite(number)) found.numbers.push_back(number);
    at = static_cast<std::size_t>(stop - line.data());
    while (at < line.size() && is_digit(line[at])) ++at;
  }
  return found;
}

}  // namespace tactelier::devices
