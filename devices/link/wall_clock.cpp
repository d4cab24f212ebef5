#include "devices/link/wall_clock.hpp"

#include <time.h>

#include <algorithm>

#include "devices/link/host_clock.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kTogether_ns = 20'000;  // near enough not to look again
constexpr int kLooks = 20;                     // at a time
constexpr std::int64_t kSet_ns = 100'000;      // less is the clocks' own grain

}  // namespace

WallClock WallClock::of_host() {
  return {[] { return steady_host_clock().now_ns(); },
          [] {
            timespec now{};
            ::clock_gettime(CLOCK_REALTIME, &now);
            return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
          }};
}

WallClock::Lead WallClock::look() const {
  const auto before_ns = steady_();
  const auto wall_ns = wall_();
  const auto after_ns = steady_();
  return {wall_ns - after_ns, wall_ns - before_ns};
}

void WallClock::take(const Lead& seen) {
  if (lead_ && (seen.low_ns > lead_->high_ns + kSet_ns || seen.high_ns < lead_->low_ns - kSet_ns))
    set_ns_ = steady_();
  const Lead shared{std::max(seen.low_ns, lead_.value_or(seen).low_ns),
                    std::min(seen.high_ns, lead_.value_or(seen).high_ns)};
  lead_ = shared.low_ns <= shared.high_ns ? shared : seen;
}

std::optional<std::int64_t> WallClock::steady_ns(std::int64_t wall_ns) {
  take(look());
  for (int i = 1; i < kLooks && bounds_apart_ns() > kTogether_ns; ++i) take(look());
  const auto then_ns = wall_ns - (lead_->low_ns + bounds_apart_ns() / 2);
  if (set_ns_ && then_ns < *set_ns_) return std::nullopt;
  return then_ns;
}

}  // namespace tactelier::devices
