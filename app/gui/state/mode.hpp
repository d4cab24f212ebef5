#pragma once
// The one state of the rig, as the window mirrors it (docs/desktop-app.md 3), and what the safety
// bar shows of it. The rig process owns the truth; without devices there is only kIdle.

#include <QColor>
#include <QString>
#include <array>
#include <optional>

namespace tactelier::gui {

/// kUnknown: the rig process was lost, and nobody has looked at the stage since.
enum class Mode { kIdle, kSetUp, kArmed, kRunning, kPaused, kStopped, kFault, kUnknown };

enum class Lamp { kOff, kGood, kLook, kBad };

struct StreamState {
  Lamp lamp = Lamp::kOff;
  QString line;    // "7000 /s · age 0.3 ms"; "not connected" when off
  QString detail;  // "gaps 0 · sat 0"
};

/// One consistent picture of the rig, replaced as a whole.
struct RigSnapshot {
  Mode mode = Mode::kIdle;
  QString detail;  // the banner's second line; "" for the mode's own
  std::optional<double> force_N;
  std::optional<double> force_limit_N;  // empty: nobody set one, nothing is drawn
  std::optional<double> force_slow_N;
  std::optional<double> force_peak_N;
  std::array<StreamState, 3> streams;  // force, tactile, stage
  std::optional<QString> recording;    // clock; empty: not recording
  QString recording_detail;
  bool motion_possible = false;
  std::optional<double> stop_p99_ms;  // until the rig process has it; of the last 200
  bool stop_silent = false;           // the connection that STOP uses doesn't answer
};

struct ModeLook {
  QString word;
  QString icon;
  QRgb fill;
  QRgb ink;
  bool framed;  // STOPPED: a frame in the ink's colour
};

ModeLook modeLook(Mode mode);

}  // namespace tactelier::gui
