#include "libcalib/session/checksum.hpp"

#include <libdeflate.h>

namespace tactelier {

Checksum& Checksum::add(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty()) crc_ = libdeflate_crc32(crc_, bytes.data(), bytes.size());
  return *this;
}

Checksum& Checksum::add(std::int64_t number) {
  crc_ = libdeflate_crc32(crc_, &number, sizeof number);
  return *this;
}

Checksum& Checksum::add(double number) {
  crc_ = libdeflate_crc32(crc_, &number, sizeof number);
  return *this;
}

Checksum& Checksum::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  if (!text.empty()) crc_ = libdeflate_crc32(crc_, text.data(), text.size());
  return *this;
}

Checksum& Checksum::add(std::span<const std::int64_t> numbers) {
  if (!numbers.empty()) crc_ = libdeflate_crc32(crc_, numbers.data(), numbers.size_bytes());
  return *this;
}

}  // namespace tactelier
