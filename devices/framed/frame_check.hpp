#pragma once
// Check values that tactile boards put behind their frames. The catalogue's check value of each is
// that of the nine ASCII digits "123456789" (tested). A CRC follows the Rocksoft model: width,
// polynomial, initial value, reflection, final xor. The Weiss CRC is none of the catalogue's: the
// table of polynomial 0x1021 for most significant bit first, but shifted right (WTS Command Set
// Reference Manual, 2013).

#include <cstdint>
#include <optional>
#include <string_view>

#include "devices/link/link.hpp"

namespace tactelier::devices {

struct CrcModel {
  int width = 16;  // 8, 16, 32
  std::uint32_t polynomial = 0, initial = 0, final_xor = 0;
  bool reflected = false;
};

std::uint32_t crc(ByteView bytes, const CrcModel& model);
std::uint16_t weiss_crc(ByteView bytes);

enum class CheckKind { kNone, kSum8, kLrc8, kXor8, kSum16, kFletcher16, kWeiss, kCrc };

struct FrameCheck {
  CheckKind kind = CheckKind::kNone;
  CrcModel model;  // kCrc

  std::size_t size() const;  // bytes
  std::uint32_t value(ByteView bytes) const;
};

/// "sum8", "crc16-modbus", ...: the words of the device description, "crc" left out.
/// Nothing for another word.
std::optional<FrameCheck> frame_check_named(std::string_view name);

}  // namespace tactelier::devices
