#include "devices/weiss/weiss_frame.hpp"

#include <algorithm>
#include <array>

#include "devices/framed/frame_check.hpp"
#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kPreamble = 3, kHead = 6, kCrc = 2;
constexpr std::size_t kLongestAnswer = 256;
constexpr std::uint16_t kValueMask = 0x0FFF;
constexpr unsigned kTimesShift = 12, kMaxTimes = 15;

/// The WTS's table (WTS Command Set Reference Manual).
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
constexpr std::uint16_t kWtsPending = 26;
/// What a DSA lacks in the middle and at the end of that table.
constexpr std::uint16_t kNoParameterExpected = 12, kDsaStatuses = 28;

/// Of the `length` bytes of payload behind the head.
std::size_t crc_size(WeissDialect dialect, std::size_t length) {
  return dialect == WeissDialect::kDsa && length == 0 ? 0 : kCrc;
}

/// `frame`: from the preamble to the payload's end.
std::uint16_t crc_of(WeissDialect dialect, ByteView frame) {
  return weiss_crc(dialect == WeissDialect::kDsa ? frame.subspan(kPreamble) : frame);
}

}  // namespace

std::uint16_t weiss_pending(WeissDialect dialect) {
  return dialect == WeissDialect::kDsa ? kWtsPending - 1 : kWtsPending;
}

std::string_view describe_weiss_status(WeissDialect dialect, std::uint16_t status) {
  constexpr std::string_view kUnknown = "unknown status";
  if (dialect == WeissDialect::kWts)
    return status < kStatusTexts.size() ? kStatusTexts[status] : kUnknown;
  if (status >= kDsaStatuses) return kUnknown;
  return kStatusTexts[status < kNoParameterExpected ? status : status + 1U];
}

Bytes encode_weiss_frame(WeissDialect dialect, std::uint8_t id, ByteView payload) {
  Bytes bytes{0xAA, 0xAA, 0xAA, id};
  append_le(bytes, static_cast<std::uint16_t>(payload.size()));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  if (crc_size(dialect, payload.size()) > 0) append_le(bytes, crc_of(dialect, bytes));
  return bytes;
}

void WeissFrameFinder::expect_cells(std::size_t count) {
  longest_payload_ = std::max(kLongestAnswer, 7 + 2 * count);
}

std::optional<WeissFrame<std::uint8_t>> WeissFrameFinder::next() {
  std::size_t begin = 0;
  std::optional<WeissFrame<std::uint8_t>> found;
  const ByteView all(buffer_);
  while (!found && all.size() - begin >= kHead) {
    const auto rest = all.subspan(begin);
    if (rest[0] != 0xAA || rest[1] != 0xAA || rest[2] != 0xAA || rest[3] == 0xAA) {
      ++begin;
      continue;
    }
    const auto length = read_le<std::uint16_t>(rest, 4);
    const auto check = crc_size(dialect_, length);
    const auto whole = kHead + length + check;
    if (length <= longest_payload_ && rest.size() < whole) break;
    if (length <= longest_payload_ &&
        (check == 0 || crc_of(dialect_, rest.first(kHead + length)) ==
                           read_le<std::uint16_t>(rest, kHead + length))) {
      found = WeissFrame<std::uint8_t>{rest[3],
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

Result<WeissReadings> decode_weiss_readings(ByteView payload, std::size_t count) {
  constexpr std::size_t kFirst = 5;
  if (payload.size() < kFirst || (payload.size() - kFirst) % 2 != 0)
    return fail(ErrorCode::kProtocol, "Weiss frame of {} bytes", payload.size());
  WeissReadings readings{read_le<std::uint32_t>(payload, 0), {}};
  const bool rle = (payload[4] & 1U) != 0;
  for (std::size_t at = kFirst; at < payload.size(); at += 2) {
    const auto word = read_le<std::uint16_t>(payload, at);
    const std::size_t times = rle ? word >> kTimesShift : 1;
    if (times == 0 || readings.cells.size() + times > count)
      return fail(ErrorCode::kProtocol, "Weiss frame with other than {} cells", count);
    readings.cells.insert(readings.cells.end(), times,
                          static_cast<std::uint16_t>(rle ? word & kValueMask : word));
  }
  if (readings.cells.size() != count)
    return fail(ErrorCode::kProtocol, "Weiss frame with {} cells, {} expected",
                readings.cells.size(), count);
  return readings;
}

Bytes encode_weiss_readings(const WeissReadings& readings, bool rle) {
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

}  // namespace tactelier::devices
