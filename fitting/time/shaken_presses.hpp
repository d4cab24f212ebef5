#pragma once
// Presses under which the force swings (docs/theory/clocks.md 4): a motor near resonance shakes the
// rubber, and readings with hysteresis follow the peaks on the way in and the troughs on the way
// out.

#include <optional>
#include <span>

#include "fitting/time/latency.hpp"

namespace tactelier {

/// What force is made of where it exceeds `min_force_N`: its mean over 25 ms, the course, and what
/// swings about it, noise included.
struct ForceSwing {
  double amplitude_N = 0;  // 1.48 times the median of the magnitudes; of a sine 1.05 times its own
  double course_N_per_s = 0;  // sum of dF/dt squared over sum of |dF/dt|; noise adds to slow ones
};
/// Empty where samples are too far apart to tell.
std::optional<ForceSwing> force_swing(const TimedSignal& force, double min_force_N);

/// combine_lags where some presses are shaken. With swings of amplitude a beyond noise, which all
/// presses share, a press shows less than the half band H of the others. Above H / 4, and with less
/// than 3 H / 4 shown, it is shaken: its lag is latency + (0 to H - a) / rate, an estimate of its
/// own for all of these. In others lag rate grows by a / 2 +- a / sqrt(12). The two estimates meet
/// in a weighted mean, widened where they differ by more than they should. As combine_lags where
/// the typical delay is one of milliseconds, so that no hysteresis shows.
Result<LatencyOverRates> combine_shaken_lags(std::span<const PressLag> presses);

}  // namespace tactelier
