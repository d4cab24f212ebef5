#pragma once
// All that tactelier doctor looks at, in its order: this computer, the devices of a file, and what
// would narrow a protocol's numbers most on a rig.

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/workflow/doctor.hpp"
#include "app/workflow/plan_recording.hpp"

namespace tactelier {

struct ExamineRequest {
  std::filesystem::path devices;  // "": this computer alone
  RecordingPlanRequest plan;      // of a rig; without one no protocol is looked at
};

/// Whether the stage's controller is sent what these checks would have, for good. What it fails
/// with ends the whole, and nothing is sent.
using AgreeToFix = std::function<Result<void>(const SystemChecks& checks)>;

/// `agrees`: empty where nothing is to be sent. It is asked where something could be; the devices
/// are looked at again then. Fails as load_device_file(), fix_stage() and plan_recording().
Result<SystemChecks> examine(const ExamineRequest& request, const AgreeToFix& agrees,
                             const Job& job);

std::string_view to_string(CheckState state);  // "good"
/// As --json has it: what, state, words, remedy.
nlohmann::json check_json(const SystemCheck& check);

}  // namespace tactelier
