#include "app/workflow/press_ranges.hpp"

#include <charconv>

namespace tactelier {
namespace {

constexpr int kMaxPresses = 1'000'000;

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<PressRange> parse_range(std::string_view text) {
  const auto dash = text.find('-', 1);
  const auto first = whole_number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : whole_number(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last > kMaxPresses) return std::nullopt;
  return PressRange{*first, *last};
}

}  // namespace

std::optional<std::vector<PressRange>> parse_press_ranges(std::string_view text) {
  std::vector<PressRange> ranges;
  while (true) {
    const auto comma = text.find(',');
    const auto range = parse_range(text.substr(0, comma));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
    if (comma == text.npos) return ranges;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace tactelier
