#pragma once
// Bytes as manuals print them.

#include <charconv>
#include <string_view>

#include "devices/link/link.hpp"

namespace tactelier::devices {

inline Bytes from_hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t at = 0; at + 1 < text.size();) {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
      continue;
    }
    std::uint8_t byte = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, byte, 16);
    bytes.push_back(byte);
    at += 2;
  }
  return bytes;
}

}  // namespace tactelier::devices
