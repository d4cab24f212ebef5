#include "devices/link/line_splitter.hpp"

#include <utility>

namespace tactelier::devices {
namespace {

constexpr std::size_t kLongestLine = 1024;

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void LineSplitter::add(ByteView bytes) {
  for (const auto byte : bytes) {
    if (byte == '\r') continue;
    if (byte != '\n') {
      rest_.push_back(static_cast<char>(byte));
      if (rest_.size() > kLongestLine) rest_.clear();
      continue;
    }
    if (const auto text = trimmed(rest_); !text.empty())
      lines_.insert(lines_.begin(), std::string(text));
    rest_.clear();
  }
}

std::optional<std::string> LineSplitter::next() {
  if (lines_.empty()) return std::nullopt;
  auto line = std::move(lines_.back());
  lines_.pop_back();
  return line;
}

}  // namespace tactelier::devices
