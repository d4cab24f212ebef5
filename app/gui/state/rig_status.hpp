#pragma once
// The rig process's answer to {"do": "status"}, and what the window's banner makes of it.

#include <QString>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/gui/state/mode.hpp"

namespace tactelier::gui {

struct RigStatus {
  QString task;  // "record", "jog", ...; "" when idle
  bool paused = false;
  bool resting = false;  // paused, and the tip is up
  QString jog_refused;   // why the last jog of a pause was not carried out
  bool position_trusted = false, surface_found = false, registered = false;
  QString stage;  // "idle", "run", "hold", "alarm" ...
  std::array<double, 3> position_mm{};
  double force_N = 0, peak_N = 0, latency_ms = 0;
  bool tared = false;
  std::optional<std::array<double, 3>> zero_N;  // what the sensor's axes read in the air
  std::int64_t force_samples = 0, frames = 0, force_lost = 0, frames_lost = 0;
  std::optional<bool> emergency_stop;
  QString trip;  // "" without one
  bool trip_cause_gone = true;
  QString trip_waits_for;  // while it lasts
  QString recording;       // file; "" without one
  double recorded_s = 0;
  std::int64_t committed_rows = 0;
};

RigStatus rigStatus(const nlohmann::json& answer);

/// The trip of the STOP button, not of a limit.
bool stoppedByHand(const RigStatus& status);

}  // namespace tactelier::gui
