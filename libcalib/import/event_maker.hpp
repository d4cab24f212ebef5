#pragma once
// Makes a session's events of what the rules of a map found: numbers them, fills in what rows say
// (place, tactel, force of a hold, speed of a slide), puts holds into their press.

#include <span>
#include <vector>

#include "libcalib/import/event_rule.hpp"
#include "libcalib/import/event_spans.hpp"
#include "libcalib/import/rule_rows.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier {

/// What one rule found, in order of time.
struct RuleFinding {
  const EventRule* rule = nullptr;
  const std::vector<EventData>* data = nullptr;  // FoundEvent::event counts it
  std::vector<FoundEvent> events;
};

/// Rows under a load that the map states: {"event": "load"}, and rest.
struct StatedLoad {
  double begin_s = 0;
  double end_s = 0;
  Decimal load;  // in MadeEvents::load_unit
};

struct MadeEvents {
  std::vector<Event> events;  // in order of time
  int presses = 0;
  std::vector<StatedLoad> loads;  // in order of begin; empty when the map states none
  std::string load_unit;          // "gf" or "N"
  Warnings warnings;
};

/// Fails with kInvalidInput, naming rule and place: presses that overlap, a hold in no
/// press (unless it was found by detection), a list of values that is not as long as the events
/// found, data that the event does not know.
Result<MadeEvents> make_events(std::span<const RuleFinding> findings,
                               const SessionMetadata& metadata);

}  // namespace tactelier
