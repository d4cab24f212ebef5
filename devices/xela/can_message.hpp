#pragma once
// A message on a CAN bus, with an id of 11 bits.

#include <cstdint>

#include "devices/link/link.hpp"

namespace tactelier::devices {

constexpr std::uint32_t kLargestCanId = 0x7FF;

struct CanMessage {
  std::uint32_t id = 0;
  Bytes data;  // at most 8

  bool operator==(const CanMessage&) const = default;
};

}  // namespace tactelier::devices
