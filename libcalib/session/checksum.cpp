#include "libcalib/session/checksum.hpp"

#include <libdeflate.h>

#include <cstring>

namespace tactelier {

std::uint32_t Checksum::value() const { return libdeflate_crc32(crc_, buffer_.data(), waiting_); }

void Checksum::append(const void* bytes, std::size_t size) {
  if (waiting_ + size > buffer_.size()) {
    crc_ = value();
    waiting_ = 0;
  }
  if (size > buffer_.size()) {
    crc_ = libdeflate_crc32(crc_, bytes, size);
    return;
  }
  if (size == 0) return;
  std::memcpy(buffer_.data() + waiting_, bytes, size);
  waiting_ += size;
}

Checksum& Checksum::add(std::span<const std::uint8_t> bytes) {
  append(bytes.data(), bytes.size());
  return *this;
}

Checksum& Checksum::add(std::int64_t number) {
  append(&number, sizeof number);
  return *this;
}

Checksum& Checksum::add(double number) {
  append(&number, sizeof number);
  return *this;
}

Checksum& Checksum::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  append(text.data(), text.size());
  return *this;
}

Checksum& Checksum::add(std::span<const std::int64_t> numbers) {
  append(numbers.data(), numbers.size_bytes());
  return *this;
}

}  // namespace tactelier
