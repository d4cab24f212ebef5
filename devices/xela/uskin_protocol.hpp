#pragma once
// XELA uSkin on CAN, 1 Mbit/s: one message triggers a board, which then sends one message per
// tactel round after round:
//
//   to the board  id 0x200 + board   07 00
//   from it       id 0x710 + tactel  ?? | X | Y | Z, u16 each, most significant byte first | ??
// X and Y are shear, Z the normal direction; what they are worth the maker doesn't say. There is no
// clock, no number and no check of ours: CAN has its own.
// Source: o2as/ur-o2as (o2as_xela_sensor/src/o2as_xela_sensor/xela_sensor.py), written for one
// board of 4 x 4; how several boards tell theirs apart isn't in it.

#include <optional>
#include <vector>

#include "devices/xela/can_message.hpp"

namespace tactelier::devices {

constexpr std::uint32_t kUskinFirstId = 0x710;
constexpr int kUskinMostTactels = 0x7FF - 0x710 + 1;
constexpr int kUskinChannels = 3;  // X, Y, Z

/// Begins the stream of board `board`, from 1.
CanMessage uskin_trigger(int board);

struct UskinReading {
  int x = 0, y = 0, z = 0;

  bool operator==(const UskinReading&) const = default;
};

/// Fails with kProtocol on a message of less than seven bytes.
Result<UskinReading> decode_uskin(const CanMessage& message);
CanMessage encode_uskin(std::uint32_t id, const UskinReading& reading);

/// Rounds out of messages: one begins with tactel 0 and holds each of the others once. One that
/// lacks a tactel is damaged as a whole, since nobody knows when the others were read.
class UskinRounds {
 public:
  UskinRounds(std::uint32_t first_id, int tactels);

  /// X, Y, Z of all tactels, once the last has come.
  std::optional<std::vector<double>> take(const CanMessage& message);
  /// What has come of a round is none: a new stream.
  void begin();

  std::int64_t damaged() const { return damaged_; }
  std::int64_t duplicates() const { return duplicates_; }

 private:
  void forget();

  std::uint32_t first_id_;
  std::vector<std::optional<UskinReading>> readings_;
  std::size_t filled_ = 0;
  bool strays_ = false, begun_ = false;  // tactels without a round; a first tactel 0 has come
  CanMessage last_;
  std::int64_t damaged_ = 0, duplicates_ = 0;
};

}  // namespace tactelier::devices
