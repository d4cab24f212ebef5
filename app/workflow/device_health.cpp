#include "app/workflow/device_health.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace tactelier {

bool device_failed(const DeviceHealth& health) {
  return health.state == HealthState::kBad || health.unusable.count > 0 || !health.rate_as_stated;
}

std::string counter_words(const devices::StreamCounters& counters) {
  std::vector<std::string> words;
  const auto say = [&](std::int64_t count, std::string_view what) {
    if (count > 0) words.push_back(fmt::format("{} {}", count, what));
  };
  say(counters.lost, "lost");
  say(counters.lost_in_host, "of these in this computer");
  say(counters.malformed, "damaged");
  say(counters.duplicates, "repeated");
  say(counters.out_of_order, "late");
  say(counters.timeouts, counters.timeouts == 1 ? "pause" : "pauses");
  say(counters.restarts, counters.restarts == 1 ? "restart" : "restarts");
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace tactelier
