#pragma once
// Row i of what record_forever records: noisy, and known to whoever checks it.

#include <array>
#include <cstdint>

namespace tactelier::test {

inline std::array<std::int64_t, 8> recorded_row(std::int64_t i) {
  std::array<std::int64_t, 8> row{143 * i};  // microseconds at 7 kHz
  auto state = static_cast<std::uint64_t>(i);
  for (std::size_t column = 1; column < row.size(); ++column) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    row[column] = static_cast<std::int64_t>(state >> 48) - 32768;
  }
  return row;
}

}  // namespace tactelier::test
