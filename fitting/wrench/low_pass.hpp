#pragma once
// Second-order Butterworth low-pass (docs/theory/force.md 4): force and tactile sums go through the
// same one, or through none, since a difference in delay looks like damping. Never before contact
// is found: without phase, force would appear before the touch.

#include <array>
#include <span>
#include <vector>

namespace tactelier {

/// y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''
struct Biquad {
  std::array<double, 3> b{};
  std::array<double, 3> a{1, 0, 0};
};

/// Bilinear transform with the cut-off pre-warped; 0 < cutoff_hz < rate_hz / 2.
Biquad butterworth(double cutoff_hz, double rate_hz);

/// Causal, from rest.
std::vector<double> filtered(const Biquad& biquad, std::span<const double> values);

/// Forward and backward: no phase, and -3 dB at `cutoff_hz` for both passes together. Ends are
/// extended oddly by nine samples; needs more than nine.
std::vector<double> filtered_both_ways(std::span<const double> values, double cutoff_hz,
                                       double rate_hz);

}  // namespace tactelier
