#pragma once
// Contactile PapillArray (controller v2.0) on the serial port of its USB cable: packets that come
// of their own accord, least significant byte first:
//
//   55 66 77 88 | n | index | blocks | sum, u16 | AA BB CC DD
//   index: entries of type, u16, and offset, n bytes; offsets count from n. No number of entries is
//          given: they end where the first block begins
//   type 1  number of the packet, u32 | time, u64, us
//   type 3  sensors, u16 | an offset each | per sensor: pillars, u16 | an offset each | per pillar:
//           2, u16 | Fx Fy Fz in N, Dx Dy Dz in mm, float each
//   type 4  sensors, u16 | an offset each | per sensor: 2, u16 | Fx Fy Fz in N, Tx Ty Tz in N mm
//   5 to 7  slip and friction, not read here
// The sum is that of all bytes between start mark and itself; the marks occur in data as well.
//   to the controller: f100 f250 f500 f1000 (samples a second), z (bias), S s (slip on, off), LF
// Sources: Contactile PTSCOM_2.0_SPEC_SEP22 (frame, sum, commands; its figures of the blocks as
// langxin11/contactile-papillarray-ros2, papillarray_serial_driver, reads them).

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

inline constexpr std::array kPapillArrayRates_hz{100, 250, 500, 1000};

/// What the controller makes of one pillar; Z goes into the sensor.
struct PillarReading {
  std::array<float, 3> force_N{};
  std::array<float, 3> displacement_mm{};

  bool operator==(const PillarReading&) const = default;
};

struct PapillArrayPacket {
  std::uint32_t number = 0;
  std::uint64_t time_us = 0;
  std::vector<std::vector<PillarReading>> sensors;  // by port, pillar P0 first

  bool operator==(const PapillArrayPacket&) const = default;
};

/// `content`: between the marks, with its sum. Fails with kProtocol where a block is missing or
/// isn't as described, or a reading is no finite number.
Result<PapillArrayPacket> decode_papillarray(ByteView content);

/// Between the marks, with sum, types 1, 3 and 4 (no torque); `slip`: types 5 and 6, too.
Bytes papillarray_content(const PapillArrayPacket& packet, bool slip = false);
/// With its marks.
Bytes encode_papillarray(const PapillArrayPacket& packet, bool slip = false);

/// "f500\n".
std::string papillarray_rate_command(int rate_hz);

/// Packets out of a stream: from a start mark to an end mark with the right sum before it.
class PapillArrayFinder {
 public:
  void add(ByteView bytes);
  /// What has come and makes no whole packet yet won't be one; a new stream.
  void forget();
  /// A packet's content, between its marks.
  std::optional<Bytes> next();
  /// Packets that had a wrong sum or lacked a mark. What precedes the first is none.
  std::int64_t malformed() const { return malformed_; }

 private:
  bool is_mark(std::size_t at, const std::array<std::uint8_t, 4>& mark) const;
  bool sum_fits(std::size_t start, std::size_t end) const;
  void count_skipped(std::size_t starts, std::size_t bytes);
  void erase(std::size_t bytes);

  Bytes buffer_;
  std::vector<std::uint16_t> sums_;  // of all bytes of the stream up to each one
  std::vector<std::size_t> starts_;  // of start marks before scanned_
  std::size_t scanned_ = 0;
  bool locked_ = false, skipped_ = false;  // a packet was found; bytes since then weren't one
  std::int64_t malformed_ = 0;
};

}  // namespace tactelier::devices
