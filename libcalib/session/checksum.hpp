#pragma once
// CRC-32 (as in zlib.crc32) over numbers and texts in one fixed byte order: 64-bit little-endian
// numbers, texts with their length in front. Finds any flipped byte of a row.

#include <array>
#include <cstddef>
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

  std::uint32_t value() const;

 private:
  void append(const void* bytes, std::size_t size);

  std::uint32_t crc_ = 0;
  // A row's dozen of numbers goes through the CRC at once: eight bytes cost it as much as eighty.
  std::size_t waiting_ = 0;
  std::array<std::uint8_t, 128> buffer_;
};

}  // namespace tactelier
