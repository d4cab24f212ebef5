#pragma once
// What a stage of the fit is run for, and how much of it was found: a gain is what `response` is
// for, a nonlinearity beside a refused gain is not. Verdict, headline and exit status count by
// this.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/stage_facts.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// `path` as for_each_parameter() gives it.
bool is_purpose(std::string_view stage, std::string_view path, const Parameter& parameter);

/// By one who names no stages.
bool is_expected(const StageFacts& facts, const SensorDescription& sensor);

/// The stages that were asked for by name; when none was, all that calibrate and that the sensor's
/// description gives what they take. Those that prepare find something in every recording, which is
/// not yet a calibration, unless it was asked for.
std::vector<std::string> asked_stages(const SensorModel& model);

struct StageFound {
  std::string stage;
  StageTally tally;
  bool tactels = false;  // counted in tactels, else in numbers
};
std::vector<StageFound> found_by_stage(const SensorModel& model);

/// "response 12 of 84 tactels, friction 6 of 6 numbers; nothing of stiffness, psf"
std::string found_words(const SensorModel& model);

/// What `--require STAGE` asks and the model lacks, with the reason; empty when it is met.
std::optional<std::string> unmet_requirement(const SensorModel& model, std::string_view stage);
/// Anything that the stages asked for are run for.
bool anything_identified(const SensorModel& model);

}  // namespace tactelier
