#include "app/workflow/device_health_json.hpp"

#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;

std::string_view word_of(HealthState state) {
  switch (state) {
    case HealthState::kConnecting:
      return "connecting";
    case HealthState::kGood:
      return "good";
    case HealthState::kLook:
      return "look";
    case HealthState::kBad:
      return "bad";
  }
  return {};
}

template <class T>
json or_nothing(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json unusable_json(const DeviceHealth& health) {
  const auto& unusable = health.unusable;
  if (unusable.count == 0) return nullptr;
  const auto after_s = [&](std::int64_t time_ns) {
    return static_cast<double>(time_ns - health.begin_ns.value_or(time_ns)) * 1e-9;
  };
  return {{"count", unusable.count},
          {"first_s", after_s(unusable.first_ns)},
          {"last_s", after_s(unusable.last_ns)},
          {"cause", unusable.cause},
          {"axis", unusable.axis}};
}

}  // namespace

json health_json(const DeviceHealth& health) {
  const auto& c = health.counters;
  return {{"role", health.role},
          {"driver", health.driver},
          {"place", health.place},
          {"state", word_of(health.state)},
          {"words", health.words},
          {"detail", health.detail},
          {"values", health.values},
          {"nominal_hz", or_nothing(health.nominal_hz)},
          {"rate_hz", health.mean_rate_hz},
          {"stated_hz", or_nothing(health.stated_hz)},
          {"sent_hz", or_nothing(health.sent_rate_hz)},
          {"rate_as_stated", health.rate_as_stated},
          {"unusable", unusable_json(health)},
          {"samples", health.samples},
          {"lost", c.lost},
          {"lost_in_host", c.lost_in_host},
          {"malformed", c.malformed},
          {"duplicates", c.duplicates},
          {"out_of_order", c.out_of_order},
          {"timeouts", c.timeouts},
          {"restarts", c.restarts},
          {"longest_pause_s", health.longest_pause_s},
          {"position_trusted", or_nothing(health.position_trusted)}};
}

}  // namespace tactelier
