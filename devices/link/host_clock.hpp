#pragma once
// The host's time as drivers see it. Drivers never ask the system: they are handed a clock, so that
// a test runs an hour of a device's life in milliseconds and always the same way.

#include <chrono>
#include <cstdint>

namespace tactelier::devices {

class HostClock {
 public:
  virtual ~HostClock() = default;

  /// Nanoseconds of a clock that never steps (CLOCK_MONOTONIC on a real host).
  virtual std::int64_t now_ns() const = 0;

  /// Comes back at `time_ns` or a little later; at once when it has passed. For pauses that a
  /// device's manual asks for, never for waiting until something has happened.
  virtual void wait_until(std::int64_t time_ns) = 0;
};

/// The one real clock.
HostClock& steady_host_clock();

/// How long to wait at most. Every call that waits for a device takes one.
using Timeout = std::chrono::milliseconds;

constexpr std::int64_t to_ns(Timeout timeout) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(timeout).count();
}

/// What is left until then, rounded up, 0 when it has passed.
constexpr Timeout time_left(std::int64_t deadline_ns, std::int64_t now_ns) {
  return deadline_ns <= now_ns
             ? Timeout(0)
             : std::chrono::ceil<Timeout>(std::chrono::nanoseconds(deadline_ns - now_ns));
}

}  // namespace tactelier::devices
