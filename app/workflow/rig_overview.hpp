#pragma once
// A rig as a person wants to see it before anything moves: its limits with what happens when one is
// reached, whether somebody declared an emergency stop, where things are. `record --limits` and the
// Bench page show the same.

#include <optional>
#include <string>
#include <vector>

#include "devices/registry/device_file.hpp"
#include "devices/supervision/limits.hpp"

namespace tactelier {

/// `stiffness_N_per_m`, `speed_m_per_s`: of the press whose overshoot is told.
std::vector<rig::LimitRow> rig_limits(const RigFile& rig, const devices::DeviceFile& devices,
                                      const SensorDescription& sensor, double stiffness_N_per_m,
                                      double speed_m_per_s);

/// "declared present", "declared ABSENT", "not declared (emergency_stop in the rig file)".
std::string emergency_stop_words(const RigFile& rig);

struct RigFact {
  std::string what;   // "Travel"
  std::string words;  // "80 x 80 x 40 mm"
};
/// Indenter, frames, pressing axis and tip, compliance, travel, keep-out boxes.
std::vector<RigFact> rig_geometry(const RigFile& rig);

}  // namespace tactelier
