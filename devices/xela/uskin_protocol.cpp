#include "devices/xela/uskin_protocol.hpp"

#include <algorithm>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint32_t kTriggerId = 0x200;
constexpr std::size_t kX = 1, kY = 3, kZ = 5, kEnd = 7;

}  // namespace

CanMessage uskin_trigger(int board) {
  return {kTriggerId + static_cast<std::uint32_t>(board), {0x07, 0x00}};
}

Result<UskinReading> decode_uskin(const CanMessage& message) {
  if (message.data.size() < kEnd)
    return fail(ErrorCode::kProtocol, "uSkin message of {} bytes, at least {} expected",
                message.data.size(), kEnd);
  return UskinReading{read_be<std::uint16_t>(message.data, kX),
                      read_be<std::uint16_t>(message.data, kY),
                      read_be<std::uint16_t>(message.data, kZ)};
}

CanMessage encode_uskin(std::uint32_t id, const UskinReading& reading) {
  CanMessage message{id, {0}};
  for (const int number : {reading.x, reading.y, reading.z})
    append_be(message.data, static_cast<std::uint16_t>(number));
  message.data.push_back(0);
  return message;
}

UskinRounds::UskinRounds(std::uint32_t first_id, int tactels)
    : first_id_(first_id), readings_(static_cast<std::size_t>(tactels)) {}

void UskinRounds::forget() {
  std::fill(readings_.begin(), readings_.end(), std::nullopt);
  filled_ = 0;
}

void UskinRounds::begin() {
  forget();
  strays_ = begun_ = false;
  last_ = {};
}

std::optional<std::vector<double>> UskinRounds::take(const CanMessage& message) {
  const auto tactel = static_cast<std::size_t>(message.id - first_id_);
  if (message.id < first_id_ || tactel >= readings_.size()) return std::nullopt;
  if (readings_.size() > 1 && message == last_) {  // no tactel comes twice in a row
    ++duplicates_;
    return std::nullopt;
  }
  last_ = message;
  const auto reading = decode_uskin(message);
  if (tactel == 0) {
    if (begun_ && (filled_ > 0 || strays_)) ++damaged_;
    forget();
    strays_ = false;
    begun_ = true;
  } else if (filled_ == 0) {
    strays_ = true;
    return std::nullopt;
  }
  if (!reading || readings_[tactel]) {  // it spoils its round
    forget();
    strays_ = true;
    return std::nullopt;
  }
  readings_[tactel] = *reading;
  if (++filled_ < readings_.size()) return std::nullopt;
  std::vector<double> counts;
  for (const auto& one : readings_)
    for (const int number : {one->x, one->y, one->z}) counts.push_back(number);
  forget();
  return counts;
}

}  // namespace tactelier::devices
