#pragma once
// A number in a frame: where it stands and how it is written.

#include <cstddef>
#include <cstdint>

namespace tactelier::devices {

enum class FieldType { kU8, kI8, kU16, kI16, kU24, kI24, kU32, kI32, kU64, kF32, kF64 };

std::size_t size_of(FieldType type);

struct FrameField {
  int offset = 0;  // negative: from the frame's end
  FieldType type = FieldType::kU16;
  bool big_endian = false;
  std::uint64_t mask = ~std::uint64_t{0};
  int shift = 0;
};

}  // namespace tactelier::devices
