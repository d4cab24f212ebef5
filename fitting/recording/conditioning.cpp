#include "fitting/recording/conditioning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// Rubber under one tip at one place of one mounting.
std::string rubber_of(const SessionMetadata& metadata, const Press& press) {
  const auto place = press.x_m && press.y_m
                         ? fmt::format("{:.2f} {:.2f}", m_to_mm(*press.x_m), m_to_mm(*press.y_m))
                         : fmt::format("tactel {}", press.tactel.value_or(-1));
  return fmt::format("{}|{}|{}|{}", metadata.sensor_serial, metadata.mount, place,
                     press.indenter ? press.indenter->describe() : "");
}

template <class T>
void keep_least(std::optional<T>& least, const std::optional<T>& other) {
  if (other) least = std::min(*other, least.value_or(*other));
}

void keep_least(Conditions& least, const Conditioning& one) {
  keep_least(least.conditioning_cycles, std::optional(one.cycles));
  keep_least(least.conditioning_depth_m, one.depth_m);
  keep_least(least.conditioning_force_N, one.force_N);
}

}  // namespace

void state_conditioning(FitContext& context) {
  auto& conditions = context.model.conditions;
  std::set<std::string> conditioned;
  bool counted = false, all = true;
  for (const auto& session : context.sessions) {
    const auto& metadata = session.session->metadata();
    const auto known = conditionings(session.session->events());
    const auto events = known ? *known : std::vector<Conditioning>{};
    auto event = events.begin();
    std::set<std::string> pressed;  // not rested yet
    for (const auto& press : session.presses) {
      for (; event != events.end() && event->t_s <= press.begin_s; ++event) {
        conditioned.merge(pressed);
        pressed.clear();
        keep_least(conditions, *event);
      }
      if (press.outcome == "conditioning") pressed.insert(rubber_of(metadata, press));
      if (!press.usable() || press.kind == PressKind::kArea) continue;
      counted = true;
      all = all && conditioned.contains(rubber_of(metadata, press));
    }
  }
  conditions.conditioned = counted && all;
}

}  // namespace tactelier
