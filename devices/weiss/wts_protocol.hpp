#pragma once
// Weiss Robotics WTS tactile transducers: frames both ways, least significant byte first. Source:
// WTS Command Set Reference Manual (March 2013); RLE and defects of other drivers:
// ksatyaki/wts_driver, CNCR-NTU/wts-ft.
//
//   AA AA AA | u8 id | u16 payload length n | n bytes | u16 CRC over everything before it
//   (weiss_crc)
//
// A reply has the id of its command and begins with a u16 status; 26 "command pending" promises
// another reply. Frames of their own accord have id 0 and no status:
//   u32 time [ms] | u8 flags (bit 0: RLE) | cells, row by row, u16 each, 12 bits
//   RLE: u16 words, high 4 bits = times (1 to 15), low 12 bits = value

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

enum class WtsCommand : std::uint8_t {
  kFrame = 0x00,  // from the device, unasked
  kLoop = 0x06,
  kSingleFrame = 0x20,
  kStartPeriodic = 0x21,
  kStopPeriodic = 0x22,
  kTare = 0x23,
  kMatrixInfo = 0x30,
  kSetThreshold = 0x34,
  kGetThreshold = 0x35,
  kSetGain = 0x36,
  kGetGain = 0x37,
  kSensorType = 0x38,
  kTemperature = 0x46,
  kSystemInfo = 0x50,
  kGetTag = 0x52,
};

constexpr std::uint16_t kWtsSuccess = 0;
constexpr std::uint16_t kWtsCommandUnknown = 14;
constexpr std::uint16_t kWtsPending = 26;

struct WtsFrame {
  WtsCommand id{};
  Bytes payload;

  bool operator==(const WtsFrame&) const = default;
};

Bytes encode(const WtsFrame& frame);

/// Frames out of a stream. A wrong length or CRC costs one byte: runs of AA occur in data, and of
/// four AA the last three begin a frame (no command is AA).
class WtsFrameFinder {
 public:
  /// Longer payloads can't be right; an answer or a frame of that many cells is the longest.
  void expect_cells(std::size_t count);
  void add(ByteView bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
  std::optional<WtsFrame> next();
  std::int64_t malformed() const { return malformed_; }

 private:
  Bytes buffer_;
  std::size_t longest_payload_ = 8192;
  std::int64_t malformed_ = 0;
};

struct WtsMatrix {
  int columns = 0, rows = 0;
  double pitch_x_m = 0, pitch_y_m = 0;
  int full_scale = 4095;
};

/// Payload of the reply to kMatrixInfo, after its status. Fails with kProtocol on a length or a
/// shape that can't be.
Result<WtsMatrix> decode_wts_matrix(ByteView payload);

struct WtsReadings {
  std::uint32_t time_ms = 0;
  std::vector<std::uint16_t> cells;  // index = y * columns + x
};

/// Time, flags and cells, raw or run-length coded. Fails with kProtocol unless exactly `count`
/// cells come out.
Result<WtsReadings> decode_wts_readings(ByteView payload, std::size_t count);
Bytes encode_wts_readings(const WtsReadings& readings, bool rle);

/// Table A of the WTS: the DSA controllers number theirs differently from 12 on.
std::string_view describe_wts_status(std::uint16_t status);

}  // namespace tactelier::devices
