#pragma once
// What the two families of Weiss Robotics arrays share: frames, least significant byte first, the
// cells in them, and most of their status codes.
//
//   AA AA AA | u8 id | u16 payload length n | n bytes | u16 CRC (weiss_crc)
//
// A reply has the id of its command and begins with a u16 status; "command pending" promises
// another reply. Frames of their own accord have id 0 and no status:
//   u32 time [ms] | u8 flags (bit 0: RLE) | cells, row by row, u16 each, 12 bits
//   RLE: u16 words, high 4 bits = times (1 to 15), low 12 bits = value
// Sources: wts_protocol.hpp, dsa_protocol.hpp; where they differ the line says which it follows.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

/// They must not be mixed: a frame of one is damaged for the other.
enum class WeissDialect {
  kWts,  // the CRC covers the preamble, too, and is always there (WTS Command Set Reference Manual)
  kDsa,  // it covers id, length and payload; a frame without payload has none (SDHLibrary-CPP,
         // sdh/dsa.cpp: cDSA::WriteCommandWithPayload(), cDSA::ReadResponse())
};

constexpr std::uint16_t kWeissSuccess = 0;
/// "Another reply will follow".
std::uint16_t weiss_pending(WeissDialect dialect);

/// The codes in words. Up to 11 both families number alike; from 12 on a DSA's are one ahead, since
/// it has no "no parameter expected" (SDHLibrary-CPP, sdh/dsa.h: cDSA::eDSAErrorCode).
std::string_view describe_weiss_status(WeissDialect dialect, std::uint16_t status);

/// `Command`: the family's enumeration, or its number.
template <class Command>
struct WeissFrame {
  Command id{};
  Bytes payload;

  bool operator==(const WeissFrame&) const = default;
};

Bytes encode_weiss_frame(WeissDialect dialect, std::uint8_t id, ByteView payload);

/// Frames out of a stream. A wrong length or CRC costs one byte: runs of AA occur in data, and of
/// four AA the last three begin a frame (no command is AA).
class WeissFrameFinder {
 public:
  explicit WeissFrameFinder(WeissDialect dialect) : dialect_(dialect) {}

  /// Longer payloads can't be right; an answer or a frame of that many cells is the longest.
  void expect_cells(std::size_t count);
  void add(ByteView bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
  /// What has come and makes no whole frame yet won't be one: input was thrown away behind it.
  void forget() { buffer_.clear(); }
  std::optional<WeissFrame<std::uint8_t>> next();
  std::int64_t malformed() const { return malformed_; }

 private:
  WeissDialect dialect_;
  Bytes buffer_;
  std::size_t longest_payload_ = 8192;
  std::int64_t malformed_ = 0;
};

/// The same for one family's commands.
template <class Command, WeissDialect kDialect>
class WeissFrameFinderOf : public WeissFrameFinder {
 public:
  WeissFrameFinderOf() : WeissFrameFinder(kDialect) {}

  std::optional<WeissFrame<Command>> next() {
    auto frame = WeissFrameFinder::next();
    if (!frame) return std::nullopt;
    return WeissFrame<Command>{static_cast<Command>(frame->id), std::move(frame->payload)};
  }
};

/// Most cells that a device of either family is believed to have.
constexpr int kMostWeissCells = 4000;

struct WeissReadings {
  std::uint32_t time_ms = 0;
  std::vector<std::uint16_t> cells;  // index = y * columns + x; matrix after matrix
};

/// Time, flags and cells, raw or run-length coded. Fails with kProtocol unless exactly `count`
/// cells come out.
Result<WeissReadings> decode_weiss_readings(ByteView payload, std::size_t count);
Bytes encode_weiss_readings(const WeissReadings& readings, bool rle);

}  // namespace tactelier::devices
