#pragma once
// Devices of a simulated world that runs faster than real time (time_scale of a device file). Their
// drivers live in that world's time: clock, stamps, timeouts and pauses are scaled, so a watchdog
// of 50 ms is 50 ms of the world.

#include "devices/link/connector.hpp"
#include "devices/link/world_clock.hpp"

namespace tactelier::devices {

class ScaledClock final : public WorldClock {
 public:
  /// Begins at the base clock's time and runs `scale` times as fast.
  explicit ScaledClock(double scale, HostClock& base = steady_host_clock());

  std::int64_t now_ns() const override { return from_base_ns(base_.now_ns()); }
  void wait_until(std::int64_t time_ns) override { base_.wait_until(to_base_ns(time_ns)); }

  std::int64_t from_base_ns(std::int64_t base_ns) const override;
  std::int64_t to_base_ns(std::int64_t scaled_ns) const;
  double scale() const override { return scale_; }

 private:
  double scale_;
  HostClock& base_;
  std::int64_t begin_ns_;
};

/// Links that `connect` opens, on that clock; it must outlive them.
Connector time_scaled(Connector connect, WorldClock& clock);

}  // namespace tactelier::devices
