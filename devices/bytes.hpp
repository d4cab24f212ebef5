#pragma once
// Numbers in bytes, most (be) or least (le) significant byte first. The caller has checked that the
// bytes are there.

#include <cstdint>

#include "devices/link/link.hpp"

namespace tactelier::devices {

template <class T>
T read_be(ByteView bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) number = (number << 8U) | bytes[at + i];
  return static_cast<T>(number);
}

template <class T>
T read_le(ByteView bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) number = (number << 8U) | bytes[at + i];
  return static_cast<T>(number);
}

template <class T>
void append_be(Bytes& bytes, T number) {
  for (std::size_t i = sizeof(T); i-- > 0;)
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i)));
}

template <class T>
void append_le(Bytes& bytes, T number) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i)));
}

}  // namespace tactelier::devices
