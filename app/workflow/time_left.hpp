#pragma once
// How much longer something takes that goes on at the pace it had.

#include <optional>

namespace tactelier {

/// `fraction` of it took `elapsed_s`; nothing while that says too little.
inline std::optional<double> time_left_s(double elapsed_s, double fraction) {
  constexpr double kTooLittle = 0.01;
  if (fraction <= kTooLittle) return {};
  return elapsed_s * (1 - fraction) / fraction;
}

}  // namespace tactelier
