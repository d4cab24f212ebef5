#pragma once
// What a fit achieved, in the order in which a person asks: how much is calibrated, what is
// missing, and the recording that would supply it.

#include <span>
#include <string>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct MissingNumber {
  std::string path;
  std::string cause;     // "no plate press"
  std::string protocol;  // "P4"; "" when no recording is known to help
};

struct FitVerdict {
  enum class Level {
    kNothing,     // not one number of a calibration
    kIncomplete,  // a required number is missing
    kComplete,
  };
  Level level = Level::kNothing;
  int calibrated = 0;  // tactels with a gain
  int tactels = 0;
  int dead = 0, stuck = 0;
  // What a stage is run for comes first in both.
  std::vector<std::string> identified;  // paths, of the sensor as a whole
  std::vector<MissingNumber> missing;  // of the sensor as a whole, and each kind of tactel gap once
  std::vector<std::string> unmet;      // required, with the reason
};

/// `required`: stages, as `fit --require`; empty: those that the fit was asked for.
FitVerdict judge_fit(const SensorModel& model, std::span<const std::string> required = {});

/// What one stage left in the model.
struct StageOutcome {
  enum class Kind { kNotRun, kNothing, kInPart, kComplete };
  Kind kind = Kind::kNotRun;
  int have = 0, of = 0;  // tactels, for stages whose numbers go by tactel; else numbers
  bool tactels = false;
  std::string unmet;  // with the reason
};
StageOutcome stage_outcome(const SensorModel& model, const std::string& stage);

}  // namespace tactelier
