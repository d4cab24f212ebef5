#include "devices/xela/slcan.hpp"

#include <charconv>

namespace tactelier::devices {
namespace {

constexpr char kEnd = '\r', kRefusal = '\a';
constexpr std::size_t kHead = 5;          // t, three digits of id, length
constexpr std::size_t kTime = 4;          // digits of a time stamp
constexpr std::size_t kLongestLine = 40;  // a message with 29-bit id and time has 30

std::optional<std::uint32_t> hex(std::string_view digits) {
  std::uint32_t number = 0;
  const auto* last = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), last, number, 16);
  if (error != std::errc{} || stop != last) return std::nullopt;
  return number;
}

/// "tIIILDD..", with or without a time.
std::optional<CanMessage> parse_message(std::string_view line) {
  if (line.size() < kHead) return std::nullopt;
  const auto id = hex(line.substr(1, 3));
  const auto length = hex(line.substr(4, 1));
  if (!id || *id > kLargestCanId || !length || *length > 8) return std::nullopt;
  const auto rest = line.size() - kHead;
  if (rest != 2 * *length && rest != 2 * *length + kTime) return std::nullopt;
  CanMessage message{*id, {}};
  for (std::size_t i = 0; i < *length; ++i) {
    const auto byte = hex(line.substr(kHead + 2 * i, 2));
    if (!byte) return std::nullopt;
    message.data.push_back(static_cast<std::uint8_t>(*byte));
  }
  return message;
}

}  // namespace

std::string encode_slcan(const CanMessage& message) {
  auto line = fmt::format("t{:03X}{}", message.id, message.data.size());
  for (const auto byte : message.data) line += fmt::format("{:02X}", byte);
  return line + kEnd;
}

std::optional<SlcanSaying> SlcanReader::next() {
  std::size_t begin = 0;
  std::optional<SlcanSaying> saying;
  while (!saying) {
    const auto end = buffer_.find_first_of("\r\a", begin);
    if (end == buffer_.npos) break;
    const auto line = std::string_view(buffer_).substr(begin, end - begin);
    begin = end + 1;
    if (buffer_[end] == kRefusal)
      saying = SlcanSaying{SlcanSaying::Kind::kRefused, {}};
    else if (line.empty() || line == "z" || line == "Z")
      saying = SlcanSaying{SlcanSaying::Kind::kDone, {}};
    else if (line[0] != 't')
      continue;
    else if (auto message = parse_message(line))
      saying = SlcanSaying{SlcanSaying::Kind::kReceived, std::move(*message)};
    else
      ++malformed_;
  }
  buffer_.erase(0, begin);
  if (buffer_.size() > kLongestLine && buffer_.find_first_of("\r\a") == buffer_.npos) {
    buffer_.clear();
    ++malformed_;
  }
  return saying;
}

}  // namespace tactelier::devices
