#pragma once
// What a session was recorded for, read off its events before anything is fitted: which protocols
// of the experiment design it holds, and so which stages have something to work on. Whether the
// data determine a number is another question, which only the fit answers.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/session/session.hpp"

namespace tactelier {

/// "P0", "P2" ...; presses that are excluded or went wrong don't count.
Result<std::set<std::string>> recorded_protocols(const Session& session);

struct StageProspect {
  std::string_view stage;
  bool recorded = false;  // at least one number that the stage is run for has its recording
  std::string protocol;   // not recorded: which one it takes
};

/// One for each stage that calibrates and is expected of the sensor, in the order of stages(): of
/// all its purposes the stage's own facts name the protocol.
std::vector<StageProspect> stage_prospects(const std::set<std::string>& protocols,
                                           const SensorDescription& sensor);

}  // namespace tactelier
