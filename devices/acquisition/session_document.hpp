#pragma once
// session.json of a live recording: what is known when it begins.

#include <chrono>
#include <optional>
#include <string>

#include "devices/acquisition/live_recording.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier::rig {

struct SessionNames {
  std::string sensor_serial, mount, operator_name, notes;
  std::optional<double> temperature_degC = {};  // of the room
};

/// What the stage tells of its motors' steps, where the rig file leaves it open: positions that it
/// reports have too few digits to show them.
RigFile with_steps_of(const devices::StageTravel& travel, RigFile rig);

/// `created`: UTC of the recording's begin, "2026-11-20T10:00:00Z".
Result<SessionMetadata> live_metadata(const RigFile& rig, const SensorDescription& sensor,
                                      const Plan& plan, const Protocol& protocol,
                                      const StreamShapes& shapes, const SessionNames& names,
                                      const std::string& created);

/// Now, in UTC, whole seconds.
std::string utc_now();
/// "2026-11-20T10:00:00Z"; nothing when it isn't one.
std::optional<std::chrono::system_clock::time_point> time_of_utc(const std::string& utc);

}  // namespace tactelier::rig
