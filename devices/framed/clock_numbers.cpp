#include "devices/framed/clock_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kCoarsest = 0.25;  // periods per tick
constexpr double kAhead_s = 60;

}  // namespace

std::optional<ClockNumbers> ClockNumbers::create(double tick_s, double rate_hz) {
  if (!(tick_s > 0) || !(rate_hz > 0) || tick_s * rate_hz > kCoarsest) return std::nullopt;
  return ClockNumbers(tick_s, rate_hz);
}

ClockNumbers::Numbered ClockNumbers::next(std::int64_t tick, std::int64_t host_time_ns) {
  const double passed_s = tick_s_ * static_cast<double>(tick - tick_);
  const double host_s = 1e-9 * static_cast<double>(host_time_ns - host_time_ns_);
  const bool again = started_ && tick == tick_;
  const bool restarted = started_ && (passed_s < 0 || passed_s - host_s > kAhead_s);
  if (started_ && !again)
    number_ += restarted ? 1 : std::max<std::int64_t>(1, std::llround(passed_s * rate_hz_));
  started_ = true;
  tick_ = tick;
  host_time_ns_ = host_time_ns;
  return {number_, restarted};
}

}  // namespace tactelier::devices
