#pragma once
// Complex stiffness of a pad that swings about a preload (docs/theory/damping-and-relaxation.md 6):
// force over depth, cycle by cycle. K' is what it stores, K'' what it loses; K''/w is the viscous
// coefficient at that frequency, which a single c_n or d is only the middle of.

#include <vector>

#include "fitting/damping/rate_data.hpp"

namespace tactelier {

struct ComplexStiffness {
  double frequency_hz = 0;  // mean over the band
  double storage_N_per_m = 0;
  double loss_N_per_m = 0;
  double u_storage_N_per_m = 0;  // standard errors of the means, from cycle to cycle
  double u_loss_N_per_m = 0;
  std::size_t cycles = 0;
};

/// Bands of half a decade (0.1 to 0.316 Hz, 0.316 to 1 Hz, ...) with three whole cycles or more, by
/// rising frequency. Of anything but a chirp nothing.
std::vector<ComplexStiffness> chirp_stiffness(const RatePress& press);

}  // namespace tactelier
