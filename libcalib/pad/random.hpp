#pragma once
// Random numbers of the simulated pad: the same from one seed on every platform and compiler, which
// the standard's distributions don't promise. Each use draws from a stream of its own, so switching
// one effect off leaves the noise of all others as it was.
// Source: Blackman, Vigna, Scrambled linear pseudorandom number generators (xoshiro256**), 2021.

#include <array>
#include <cstdint>
#include <string_view>

namespace tactelier::pad {

class Random {
 public:
  /// `purpose` names the stream: "force noise", "reading noise".
  Random(std::uint64_t seed, std::string_view purpose);
  /// From a bare state, not all zero: for comparison with published sequences.
  explicit Random(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// In (0, 1): 52 bits, the middle of each of 2^52 cells.
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double log_uniform(double low, double high);
  /// Mean 0, standard deviation 1.
  double normal();
  /// Mean 1.
  double exponential();

 private:
  static std::uint64_t rotate(std::uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
  }

  std::array<std::uint64_t, 4> state_{};
};

/// Quantile of the standard normal distribution, to 1e-15 of its value; 0 < probability < 1.
/// Source: Wichura, Algorithm AS241, Applied Statistics 37(3), 1988.
double normal_quantile(double probability);

}  // namespace tactelier::pad
