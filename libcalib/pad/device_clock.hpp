#pragma once
// The clock of one stream: skew, start, wrapping counter, and the way of a sample to the host.

#include <cmath>
#include <cstdint>

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/random.hpp"

namespace tactelier::pad {

/// Host time is true time. Offset means host - device.
struct Stamp {
  double true_s = 0;
  double device_s = 0;        // on the stream's clock, unwrapped
  double host_s = 0;          // arrival
  std::uint32_t counter = 0;  // the device's microsecond counter, wrapped
};

class DeviceClock {
 public:
  /// `most_ppm`: largest skew of this kind of clock.
  DeviceClock(const ClockEffects& effects, double most_ppm, std::uint64_t seed,
              std::string_view stream)
      : effects_(effects), random_(seed, stream) {
    if (!effects.own) return;
    skew_ = most_ppm * 1e-6 * random_.uniform(-1, 1);
    start_s_ = random_.uniform(0, effects.start_s);
  }

  double skew() const { return skew_; }
  double at_s(double true_s) const { return start_s_ + true_s * (1 + skew_); }

  Stamp stamp(double true_s) {
    Stamp stamp{true_s, at_s(true_s), true_s, 0};
    if (!effects_.own) return stamp;
    stamp.host_s += effects_.transport_s + effects_.jitter_s * random_.exponential();
    const auto ticks = static_cast<std::uint64_t>(std::llround(stamp.device_s * 1e6));
    const int bits = effects_.counter_bits;
    stamp.counter =
        static_cast<std::uint32_t>(bits > 0 && bits < 32 ? ticks & ((1U << bits) - 1) : ticks);
    return stamp;
  }

 private:
  ClockEffects effects_;
  Random random_;
  double skew_ = 0;
  double start_s_ = 0;
};

}  // namespace tactelier::pad
