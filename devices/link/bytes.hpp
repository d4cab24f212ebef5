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

/// Of as many bytes as there are, at most eight.
inline std::uint64_t unsigned_number(ByteView bytes, bool big_endian) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    number = number << 8U | bytes[big_endian ? i : bytes.size() - 1 - i];
  return number;
}

/// `bits` (at most 32) of a stream of bits that are packed without gaps. With the high bits first
/// 0x12 0x3F are 0001 0010 0011 1111, else 0100 1000 1111 1100, least significant bit first.
inline std::uint32_t packed_number(ByteView bytes, std::size_t first_bit, int bits,
                                   bool high_first) {
  std::uint32_t number = 0;
  for (int i = 0; i < bits; ++i) {
    const auto at = first_bit + static_cast<std::size_t>(i);
    const auto shift = high_first ? 7 - at % 8 : at % 8;
    const std::uint32_t bit = bytes[at / 8] >> shift & 1U;
    number = high_first ? number << 1U | bit : number | bit << static_cast<unsigned>(i);
  }
  return number;
}

}  // namespace tactelier::devices
