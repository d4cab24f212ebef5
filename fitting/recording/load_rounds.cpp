#include "fitting/recording/load_rounds.hpp"

#include <algorithm>

namespace tactelier {

std::vector<std::size_t> round_begins(std::span<const double> force_N) {
  constexpr double kLow = 0.2, kHigh = 0.8;  // of the highest force
  constexpr std::size_t kReadings = 5;
  std::vector<std::size_t> begins{0};
  if (force_N.empty()) return begins;
  const double highest_N = *std::max_element(force_N.begin(), force_N.end());
  bool loaded = false;
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    if (loaded && force_N[i] < kLow * highest_N && i - begins.back() >= kReadings) {
      begins.push_back(i);
      loaded = false;
    }
    loaded = loaded || force_N[i] > kHigh * highest_N;
  }
  // The last one may be no whole round.
  if (begins.size() > 1 && (!loaded || force_N.size() - begins.back() < kReadings))
    begins.pop_back();
  return begins;
}

}  // namespace tactelier
