#include "fitting/statistics/random.hpp"

#include <cassert>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {

double RandomSource::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

std::size_t RandomSource::below(std::size_t count) {
  assert(count > 0);
  // Draws beyond the last whole multiple of `count` would favour small indices: draw again.
  const std::uint64_t surplus = (UINT64_MAX % count + 1) % count;
  std::uint64_t drawn = bits();
  while (drawn > UINT64_MAX - surplus) drawn = bits();
  return static_cast<std::size_t>(drawn % count);
}

double RandomSource::normal() {
  return normal_quantile((static_cast<double>(bits() >> 12) + 0.5) * 0x1.0p-52);
}

}  // namespace tactelier
