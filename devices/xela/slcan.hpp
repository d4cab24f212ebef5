#pragma once
// CAN over a serial port ("slcan", the protocol of Lawicel's CANUSB, which most USB adapters
// speak): lines of ASCII that end with CR.
//
//   host:    C  close   S8  1 Mbit/s   O  open   tIIILDD..  send (11-bit id, length, data)
//   adapter: CR done    BEL refused    z CR  sent    tIIILDD..[TTTT]  received, maybe with a time
//   T, r and R are the same with 29-bit ids and for remote frames.
// Source: Lawicel CANUSB manual as quoted by mac-can/SLCAN and pic-can-mon.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "devices/xela/can_message.hpp"

namespace tactelier::devices {

/// With its CR.
std::string encode_slcan(const CanMessage& message);

/// What an adapter says.
struct SlcanSaying {
  enum class Kind { kDone, kRefused, kReceived };
  Kind kind{};
  CanMessage message;  // kReceived

  bool operator==(const SlcanSaying&) const = default;
};

/// Sayings out of a stream. Messages with 29-bit ids and remote frames are nobody's here and left
/// out; so are answers to what we don't ask (versions).
class SlcanReader {
 public:
  void add(ByteView bytes) { buffer_.append(bytes.begin(), bytes.end()); }
  /// What has come and makes no whole line yet won't be one.
  void forget() { buffer_.clear(); }
  std::optional<SlcanSaying> next();
  /// Lines that are no message although they begin like one, or are too long.
  std::int64_t malformed() const { return malformed_; }

 private:
  std::string buffer_;
  std::int64_t malformed_ = 0;
};

}  // namespace tactelier::devices
