#include "devices/framed/frame_check.hpp"

#include <array>

namespace tactelier::devices {
namespace {

std::uint32_t ones(int width) {
  return width == 32 ? 0xFFFFFFFFU : (1U << static_cast<unsigned>(width)) - 1;
}

std::uint32_t reflected(std::uint32_t value, int width) {
  std::uint32_t mirror = 0;
  for (int bit = 0; bit < width; ++bit) mirror |= (value >> bit & 1U) << (width - 1 - bit);
  return mirror;
}

/// The usual table of 0x1021, most significant bit first: 0x0000, 0x1021, 0x2042, ...
std::array<std::uint16_t, 256> weiss_table() {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i << 8U;
    for (int bit = 0; bit < 8; ++bit)
      value = (value << 1U) ^ ((value & 0x8000U) != 0 ? 0x1021U : 0U);
    table[i] = static_cast<std::uint16_t>(value);
  }
  return table;
}

struct NamedCheck {
  std::string_view name;
  FrameCheck check;
};

const std::array<NamedCheck, 15>& named_checks() {
  static const std::array<NamedCheck, 15> checks{{
      {"sum8", {CheckKind::kSum8, {}}},
      {"lrc8", {CheckKind::kLrc8, {}}},
      {"xor8", {CheckKind::kXor8, {}}},
      {"sum16", {CheckKind::kSum16, {}}},
      {"fletcher16", {CheckKind::kFletcher16, {}}},
      {"crc16-weiss", {CheckKind::kWeiss, {}}},
      {"crc8", {CheckKind::kCrc, {8, 0x07, 0, 0, false}}},
      {"crc8-maxim", {CheckKind::kCrc, {8, 0x31, 0, 0, true}}},
      {"crc16-ccitt-false", {CheckKind::kCrc, {16, 0x1021, 0xFFFF, 0, false}}},
      {"crc16-xmodem", {CheckKind::kCrc, {16, 0x1021, 0, 0, false}}},
      {"crc16-kermit", {CheckKind::kCrc, {16, 0x1021, 0, 0, true}}},
      {"crc16-x25", {CheckKind::kCrc, {16, 0x1021, 0xFFFF, 0xFFFF, true}}},
      {"crc16-modbus", {CheckKind::kCrc, {16, 0x8005, 0xFFFF, 0, true}}},
      {"crc16-arc", {CheckKind::kCrc, {16, 0x8005, 0, 0, true}}},
      {"crc32", {CheckKind::kCrc, {32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF, true}}},
  }};
  return checks;
}

}  // namespace

std::uint32_t crc(ByteView bytes, const CrcModel& model) {
  const auto width = model.width;
  const std::uint32_t top = 1U << static_cast<unsigned>(width - 1);
  std::uint32_t value = model.initial & ones(width);
  for (const auto byte : bytes) {
    const auto in = model.reflected ? reflected(byte, 8) : byte;
    value ^= in << static_cast<unsigned>(width - 8);
    for (int bit = 0; bit < 8; ++bit)
      value = ((value << 1U) ^ ((value & top) != 0 ? model.polynomial : 0U)) & ones(width);
  }
  if (model.reflected) value = reflected(value, width);
  return (value ^ model.final_xor) & ones(width);
}

std::uint16_t weiss_crc(ByteView bytes) {
  static const auto table = weiss_table();
  std::uint32_t value = 0xFFFF;
  for (const auto byte : bytes) value = table[(value ^ byte) & 0xFFU] ^ (value >> 8U);
  return static_cast<std::uint16_t>(value);
}

std::size_t FrameCheck::size() const {
  switch (kind) {
    case CheckKind::kNone:
      return 0;
    case CheckKind::kSum8:
    case CheckKind::kLrc8:
    case CheckKind::kXor8:
      return 1;
    case CheckKind::kSum16:
    case CheckKind::kFletcher16:
    case CheckKind::kWeiss:
      return 2;
    case CheckKind::kCrc:
      return static_cast<std::size_t>(model.width) / 8;
  }
  return 0;
}

std::uint32_t FrameCheck::value(ByteView bytes) const {
  if (kind == CheckKind::kCrc) return crc(bytes, model);
  if (kind == CheckKind::kWeiss) return weiss_crc(bytes);
  std::uint32_t sum = 0, exclusive = 0, low = 0, high = 0;
  for (const auto byte : bytes) {
    sum += byte;
    exclusive ^= byte;
    low = (low + byte) % 255;
    high = (high + low) % 255;
  }
  switch (kind) {
    case CheckKind::kSum8:
      return sum & 0xFFU;
    case CheckKind::kLrc8:
      return (0U - sum) & 0xFFU;
    case CheckKind::kXor8:
      return exclusive;
    case CheckKind::kSum16:
      return sum & 0xFFFFU;
    case CheckKind::kFletcher16:
      return high << 8U | low;
    default:
      return 0;
  }
}

std::optional<FrameCheck> frame_check_named(std::string_view name) {
  for (const auto& named : named_checks())
    if (named.name == name) return named.check;
  return std::nullopt;
}

}  // namespace tactelier::devices
