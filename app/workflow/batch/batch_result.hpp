#pragma once
// What became of one sensor of a batch: result.json, the last file that its folder is given. A
// folder appears under its name all at once, so whoever finds one finds it whole.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

enum class SensorState {
  kIdentified,  // a model, and what was asked for is in it
  kIncomplete,  // a model, but nothing identified or a required stage missing
  kFailed,      // no model; `reason` says why
};
std::string_view to_string(SensorState state);

struct RefusedExport {
  std::string format, reason;
};

struct SensorResult {
  std::string id;
  std::string key;  // of what it came from: sensor_inputs()
  SensorState state = SensorState::kFailed;
  std::string reason;              // "BA-03 ...": code and words; "" when identified
  std::string found;               // "response 12 of 84 tactels; nothing of psf"
  std::vector<std::string> files;  // names in the folder: "model.json" ...
  std::vector<RefusedExport> refused;
  std::string recorded;  // UTC, of the latest session; "" when no session says
  std::string finished;  // UTC
  double duration_s = 0;
};

/// Nothing when the sensor has no result; fails when there is one that can't be read.
Result<std::optional<SensorResult>> read_result(const std::filesystem::path& folder);
std::string result_text(const SensorResult& result);

/// The reason of a sensor that failed: the error's own code, or one by what kind of error it is.
std::string failure_reason(const Error& error);

inline constexpr const char* kResultFile = "result.json";
inline constexpr const char* kModelFile = "model.json";

}  // namespace tactelier
