#include "devices/framed/text_frames.hpp"

#include <fmt/format.h>

#include <utility>

#include "devices/framed/text_numbers.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kLongestLine = 65536;

}  // namespace

TextFrameFinder::TextFrameFinder(const FrameLayout& layout, std::size_t numbers_per_line)
    : layout_(layout), numbers_per_line_(numbers_per_line), waiting_(layout.tells_begin()) {
  const auto at = layout.prefix.find(kRowInPrefix);
  if (at == std::string::npos) {
    prefixes_ = {layout.prefix};
    return;
  }
  for (std::size_t row = 0; row < layout.text_rows; ++row)
    prefixes_.push_back(
        std::string(layout.prefix)
            .replace(at, kRowInPrefix.size(), fmt::to_string(row + layout.first_row)));
}

void TextFrameFinder::add(ByteView bytes) {
  for (const auto byte : bytes) {
    const bool behind_cr = std::exchange(after_cr_, byte == '\r');
    if (byte == '\n' && behind_cr) continue;
    if (byte != '\n' && byte != '\r') {
      if (line_.size() < kLongestLine) line_.push_back(static_cast<char>(byte));
      continue;
    }
    // The first line may have begun before we listened.
    if (std::exchange(joined_, true)) take_line(line_);
    line_.clear();
  }
}

void TextFrameFinder::begin_frame() {
  if (lines_ > 0 || damaged_) ++malformed_;
  numbers_.clear();
  lines_ = 0;
  damaged_ = waiting_ = false;
}

void TextFrameFinder::end_frame() {
  const bool whole = !damaged_ && lines_ == layout_.text_rows;
  if (whole) {
    frames_.push_back(std::move(numbers_));
    lines_ = 0;
  }
  begin_frame();
  waiting_ = layout_.tells_begin();
  complete_ = whole;
}

std::optional<std::string_view> TextFrameFinder::behind_prefix(std::string_view line,
                                                               std::size_t row) const {
  const auto& prefix = prefixes_[prefixes_.size() > 1 ? row : 0];
  if (!line.starts_with(prefix)) return {};
  line.remove_prefix(prefix.size());
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (prefixes_.size() > 1 && digit(prefix.back()) && !line.empty() && digit(line.front()))
    return {};  // line 12 of line 1
  return line;
}

void TextFrameFinder::take_line(std::string_view line) {
  const bool empty = line.find_first_not_of(" \t,;") == line.npos;
  if (empty) return layout_.empty_line_ends ? end_frame() : void();
  if (!layout_.begin.empty() && line.starts_with(layout_.begin)) return begin_frame();
  if (line.starts_with('#')) return;
  auto numbers = behind_prefix(line, lines_ < layout_.text_rows ? lines_ : 0);
  if (prefixes_.size() > 1 && (!numbers || waiting_)) {
    numbers = behind_prefix(line, 0);
    if (numbers) begin_frame();
  }
  if (waiting_) {
    // Behind a whole frame there are more lines than are described.
    if (std::exchange(complete_, false)) ++malformed_;
    return;
  }
  if (!numbers) {
    damaged_ = true;
    return;
  }
  const auto found = layout_.words        ? numbers_among_words(*numbers)
                     : layout_.digits > 0 ? numbers_joined(*numbers, layout_.base, layout_.digits)
                                          : numbers_of(*numbers, layout_.base);
  if (!found.odd.empty() || found.numbers.size() != numbers_per_line_ + layout_.skip)
    damaged_ = true;
  for (std::size_t i = layout_.skip; i < found.numbers.size(); ++i)
    numbers_.push_back(found.numbers[i]);
  ++lines_;
  if (!layout_.empty_line_ends && lines_ == layout_.text_rows) end_frame();
}

std::optional<std::vector<double>> TextFrameFinder::next() {
  if (frames_.empty()) return std::nullopt;
  auto frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

}  // namespace tactelier::devices
