#pragma once
// The clock of a simulated world: runs faster than real time, and may stand.

#include "devices/link/host_clock.hpp"

namespace tactelier::devices {

class WorldClock : public HostClock {
 public:
  /// Of a moment of the real clock not long ago: a kernel's stamp.
  virtual std::int64_t from_base_ns(std::int64_t base_ns) const = 0;
  /// How many times faster than real time it runs, at best.
  virtual double scale() const = 0;
};

}  // namespace tactelier::devices
