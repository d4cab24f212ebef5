#pragma once
// CRC-32 (as in zlib.crc32) over numbers and texts in one fixed byte order: 64-bit little-endian
// numbers, texts with their length in front. Finds any flipped byte of a row.

#include <cstdint>
#include <span>
#include <string_view>

namespace tactelier {

class Checksum {
 public:
  Checksum& add(std::span<const std::uint8_t> bytes);
  Checksum& add(std::int64_t number);
  Checksum& add(double number);
  Checksum& add(std::string_view text);
  Checksum& add(std::span<const std::int64_t> numbers);

  std::uint32_t value() const { return crc_; }

 private:
  std::uint32_t crc_ = 0;
};

}  // namespace tactelier
