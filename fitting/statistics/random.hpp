#pragma once
// Reproducible random numbers: the same seed gives the same fit on every machine and library.
// The generator is mt19937_64, whose sequence the C++ standard fixes; its distributions are not
// fixed, so the maps to indices and normals are our own.

#include <cstddef>
#include <cstdint>
#include <random>

namespace tactelier {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// In [0, 1), 53 bits.
  double uniform();
  /// In 0 .. count-1, without bias; count > 0.
  std::size_t below(std::size_t count);
  /// Standard normal, by the inverse of its distribution function.
  double normal();

 private:
  std::mt19937_64 engine_;
};

}  // namespace tactelier
