#pragma once
// For targets that can't run here: verify_in_TARGET.py, one file with the exported pad, the presses
// and what our model says of each. A colleague who has the target runs it and gets a verification
// record of our schema. The presses are data/verify/verify_pad.py, a target's part is
// data/verify/in_TARGET.py.

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Formats for which there is a script: "bullet", "drake" ...
std::vector<std::string> scripted_formats();

/// "verify_in_drake.py"
std::string verify_script_name(std::string_view format);

/// `tool`: "tactelier 0.1.0". Fails with kUsage for a format without a script, and wherever the
/// export, or the list of presses, fails.
Result<std::string> verify_script(const SensorModel& model, std::string_view format,
                                  std::string_view tool);

}  // namespace tactelier
