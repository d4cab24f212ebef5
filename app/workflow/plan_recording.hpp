#pragma once
// The dry run: what a protocol does on a rig, and what it will and won't tell, at which
// uncertainty. Connects to nothing, records nothing.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fitting/plan/additions.hpp"
#include "libcalib/protocol/rig.hpp"
#include "reports/protocol_guide.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct RecordRequest;
struct RecordPreview;

struct RecordingPlanRequest {
  std::string protocol;                         // name or file
  std::optional<std::string> written;           // instead of it: a protocol as JSON text
  std::string sensor = "weiss-wts0614";         // name or file
  std::optional<SensorDescription> on_rig;      // instead of `sensor`: that of a device file
  std::optional<std::filesystem::path> rig;     // else the virtual bench's
  std::optional<std::filesystem::path> expect;  // model whose values are expected
  bool additions = true;                        // what would help is worked out, too
};

struct PlannedRecording {
  std::string description;
  Plan plan;
  PlanSetup setup;
  SensorDescription sensor;
  RigQuality quality;
  std::vector<PlannedParameter> parameters;
  std::vector<Addition> additions;

  /// Time and travel, what it will and won't tell, what would help most.
  std::vector<Section> sections() const;
  /// "7 min 12 s (20 s of them by hand), 61 presses, 1.2 m of travel, up to 2.1 N".
  std::string summary() const;
};

Result<PlannedRecording> plan_recording(const RecordingPlanRequest& request, const Job& job);

/// The same of what record would do.
Result<PlannedRecording> plan_recording(const RecordRequest& request, const RecordPreview& preview,
                                        bool additions, const Job& job);

/// All shipped protocols on a rig.
Result<std::vector<ProtocolGuide>> list_protocols(const RecordingPlanRequest& request);

}  // namespace tactelier
