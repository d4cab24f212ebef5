#pragma once
// What a stage of the fit is run for, and how much of it was found: a gain is what `response` is
// for, a nonlinearity beside a refused gain is not. Verdict, headline and exit status count by
// this.

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// `path` as for_each_parameter() gives it.
bool is_purpose(std::string_view stage, std::string_view path, const Parameter& parameter);

/// The stages that were asked for by name; all that calibrate when none was. `time`, `wrench` and
/// `contact` find something in every recording (a rate, a contact point): that is not yet a
/// calibration, unless it is what was asked for.
std::vector<std::string> asked_stages(const SensorModel& model);

struct StageFound {
  std::string stage;
  int found = 0;  // of its purpose
  int of = 0;
  bool tactels = false;  // counted in tactels, else in numbers
};
std::vector<StageFound> found_by_stage(const SensorModel& model);

/// "response 12 of 84 tactels, friction 6 of 6 numbers; nothing of stiffness, psf"
std::string found_words(const SensorModel& model);

}  // namespace tactelier
