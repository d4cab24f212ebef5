#include "devices/weiss/wts_protocol.hpp"

#include <algorithm>
#include <array>

#include "devices/framed/frame_check.hpp"
#include "devices/link/bytes.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kHead = 6, kCrc = 2;
constexpr std::size_t kLongestAnswer = 256;
constexpr int kMaxCells = 4000;
constexpr std::uint16_t kValueMask = 0x0FFF;
constexpr unsigned kTimesShift = 12, kMaxTimes = 15;

constexpr std::array<std::string_view, 31> kStatusTexts{"success",
                                                        "not available",
                                                        "no sensor",
                                                        "not initialised",
                                                        "already running",
                                                        "feature not supported",
                                                        "inconsistent data",
                                                        "time-out",
                                                        "read error",
                                                        "write error",
                                                        "insufficient resources",
                                                        "checksum error",
                                                        "no parameter expected",
                                                        "not enough parameters",
                                                        "command unknown",
                                                        "command format error",
                                                        "access denied",
                                                        "already open",
                                                        "command failed",
                                                        "command aborted",
                                                        "invalid handle",
                                                        "not found",
                                                        "not open",
                                                        "I/O error",
                                                        "invalid parameter",
                                                        "index out of bounds",
                                                        "command pending",
                                                        "overrun",
                                                        "range error",
                                                        "axis blocked",
                                                        "file exists"};

}  // namespace

Bytes encode(const WtsFrame& frame) {
  Bytes bytes{0xAA, 0xAA, 0xAA, static_cast<std::uint8_t>(frame.id)};
  append_le(bytes, static_cast<std::uint16_t>(frame.payload.size()));
  bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  append_le(bytes, weiss_crc(bytes));
  return bytes;
}

void WtsFrameFinder::expect_cells(std::size_t count) {
  longest_payload_ = std::max(kLongestAnswer, 7 + 2 * count);
}

std::optional<WtsFrame> WtsFrameFinder::next() {
  std::size_t begin = 0;
  std::optional<WtsFrame> found;
  const ByteView all(buffer_);
  while (!found && all.size() - begin >= kHead) {
    const auto rest = all.subspan(begin);
    if (rest[0] != 0xAA || rest[1] != 0xAA || rest[2] != 0xAA || rest[3] == 0xAA) {
      ++begin;
      continue;
    }
    const auto length = read_le<std::uint16_t>(rest, 4);
    const auto whole = kHead + length + kCrc;
    if (length <= longest_payload_ && rest.size() < whole) break;
    if (length <= longest_payload_ &&
        weiss_crc(rest.first(kHead + length)) == read_le<std::uint16_t>(rest, kHead + length)) {
      found = WtsFrame{static_cast<WtsCommand>(rest[3]),
                       Bytes(rest.begin() + kHead, rest.begin() + kHead + length)};
      begin += whole;
    } else {
      ++malformed_;
      ++begin;
    }
  }
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin));
  return found;
}

Result<WtsMatrix> decode_wts_matrix(ByteView payload) {
  if (payload.size() < 10)
    return fail(ErrorCode::kProtocol, "WTS matrix info of {} bytes, 10 expected", payload.size());
  WtsMatrix matrix;
  matrix.columns = read_le<std::uint16_t>(payload, 0);
  matrix.rows = read_le<std::uint16_t>(payload, 2);
  matrix.pitch_x_m = mm_to_m(read_le<std::uint16_t>(payload, 4) * 0.01);
  matrix.pitch_y_m = mm_to_m(read_le<std::uint16_t>(payload, 6) * 0.01);
  matrix.full_scale = read_le<std::uint16_t>(payload, 8);
  if (matrix.columns < 1 || matrix.rows < 1 || matrix.columns > kMaxCells / matrix.rows)
    return fail(ErrorCode::kProtocol, "WTS matrix of {} x {} cells", matrix.rows, matrix.columns);
  return matrix;
}

Result<WtsReadings> decode_wts_readings(ByteView payload, std::size_t count) {
  constexpr std::size_t kFirst = 5;
  if (payload.size() < kFirst || (payload.size() - kFirst) % 2 != 0)
    return fail(ErrorCode::kProtocol, "WTS frame of {} bytes", payload.size());
  WtsReadings readings{read_le<std::uint32_t>(payload, 0), {}};
  const bool rle = (payload[4] & 1U) != 0;
  for (std::size_t at = kFirst; at < payload.size(); at += 2) {
    const auto word = read_le<std::uint16_t>(payload, at);
    const std::size_t times = rle ? word >> kTimesShift : 1;
    if (times == 0 || readings.cells.size() + times > count)
      return fail(ErrorCode::kProtocol, "WTS frame with other than {} cells", count);
    readings.cells.insert(readings.cells.end(), times,
                          static_cast<std::uint16_t>(rle ? word & kValueMask : word));
  }
  if (readings.cells.size() != count)
    return fail(ErrorCode::kProtocol, "WTS frame with {} cells, {} expected", readings.cells.size(),
                count);
  return readings;
}

Bytes encode_wts_readings(const WtsReadings& readings, bool rle) {
  Bytes payload;
  append_le(payload, readings.time_ms);
  payload.push_back(rle ? 1 : 0);
  const auto& cells = readings.cells;
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t times = 1;
    while (rle && times < kMaxTimes && i + times < cells.size() && cells[i + times] == cells[i])
      ++times;
    const auto high = rle ? static_cast<unsigned>(times) << kTimesShift : 0U;
    append_le(payload, static_cast<std::uint16_t>(high | (cells[i] & kValueMask)));
    i += times;
  }
  return payload;
}

std::string_view describe_wts_status(std::uint16_t status) {
  return status < kStatusTexts.size() ? kStatusTexts[status] : "unknown status";
}

}  // namespace tactelier::devices
