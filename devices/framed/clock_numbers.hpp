#pragma once
// Numbers for frames that carry a clock and none: how many periods have passed since the one
// before, so that lost frames can be counted. Pure; one thread.

#include <cstdint>
#include <optional>

namespace tactelier::devices {

class ClockNumbers {
 public:
  /// Nothing when ticks are too coarse to tell one period from the next.
  static std::optional<ClockNumbers> create(double tick_s, double rate_hz);

  struct Numbered {
    std::int64_t number = 0;  // as the one before: the same frame again
    bool restarted = false;   // the clock began anew; how many frames that cost, nobody knows
  };
  /// `tick` unwrapped. A clock that went back, or further on than the host's by a minute, began
  /// anew: a reset looks like either, whatever the clock's width.
  Numbered next(std::int64_t tick, std::int64_t host_time_ns);

 private:
  ClockNumbers(double tick_s, double rate_hz) : tick_s_(tick_s), rate_hz_(rate_hz) {}

  double tick_s_, rate_hz_;
  bool started_ = false;
  std::int64_t tick_ = 0, host_time_ns_ = 0, number_ = 0;
};

}  // namespace tactelier::devices
