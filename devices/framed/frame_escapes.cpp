// HDLC-like (RFC 1662), SLIP (RFC 1055) and COBS (Cheshire and Baker 1999) framing.

#include "devices/framed/frame_finder.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint8_t kHdlcFlag = 0x7E, kHdlcEscape = 0x7D, kHdlcFlip = 0x20;
constexpr std::uint8_t kSlipEnd = 0xC0, kSlipEscape = 0xDB, kSlipForEnd = 0xDC,
                       kSlipForEscape = 0xDD;
constexpr std::uint8_t kCobsFull = 0xFF;

}  // namespace

std::optional<Bytes> unescape_hdlc(ByteView bytes) {
  Bytes frame;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != kHdlcEscape) {
      frame.push_back(bytes[i]);
      continue;
    }
    if (++i == bytes.size()) return std::nullopt;
    frame.push_back(bytes[i] ^ kHdlcFlip);
  }
  return frame;
}

std::optional<Bytes> unescape_slip(ByteView bytes) {
  Bytes frame;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != kSlipEscape) {
      frame.push_back(bytes[i]);
      continue;
    }
    if (++i == bytes.size() || (bytes[i] != kSlipForEnd && bytes[i] != kSlipForEscape))
      return std::nullopt;
    frame.push_back(bytes[i] == kSlipForEnd ? kSlipEnd : kSlipEscape);
  }
  return frame;
}

/// Each block: its length + 1, then bytes; a zero follows unless the block is full or the last.
std::optional<Bytes> unescape_cobs(ByteView bytes) {
  Bytes frame;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t code = bytes[at];
    if (code == 0 || at + code > bytes.size()) return std::nullopt;
    for (std::size_t i = at + 1; i < at + code; ++i) frame.push_back(bytes[i]);
    at += code;
    if (code != kCobsFull && at < bytes.size()) frame.push_back(0);
  }
  return frame;
}

Bytes escape_hdlc(ByteView frame) {
  Bytes bytes{kHdlcFlag};
  for (const auto byte : frame) {
    const bool special = byte == kHdlcFlag || byte == kHdlcEscape;
    if (special) bytes.push_back(kHdlcEscape);
    bytes.push_back(special ? byte ^ kHdlcFlip : byte);
  }
  bytes.push_back(kHdlcFlag);
  return bytes;
}

Bytes escape_slip(ByteView frame) {
  Bytes bytes{kSlipEnd};
  for (const auto byte : frame) {
    const bool special = byte == kSlipEnd || byte == kSlipEscape;
    if (special) bytes.push_back(kSlipEscape);
    bytes.push_back(byte == kSlipEnd ? kSlipForEnd : (byte == kSlipEscape ? kSlipForEscape : byte));
  }
  bytes.push_back(kSlipEnd);
  return bytes;
}

Bytes escape_cobs(ByteView frame) {
  Bytes bytes{0};
  std::size_t code_at = 0;
  const auto close = [&] { bytes[code_at] = static_cast<std::uint8_t>(bytes.size() - code_at); };
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (frame[i] != 0) bytes.push_back(frame[i]);
    const bool full = bytes.size() - code_at == kCobsFull;
    if (frame[i] != 0 && !(full && i + 1 < frame.size())) continue;
    close();
    code_at = bytes.size();
    bytes.push_back(0);
  }
  close();
  bytes.push_back(0);
  return bytes;
}

}  // namespace tactelier::devices
