#pragma once
// Whether a result is up to date: a hash of everything that it came from.

#include <string>

#include "app/workflow/batch/batch_plan.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct SensorInputs {
  std::string key;
  std::string recorded;  // UTC, of the latest session; "" when no session says
};

/// The key is a SHA-256 over the program's version, the plan's options (with the text of a sensor
/// description that is a file) and, of each session, its name, content and edits. A session that
/// can't be read counts with its size, its time and what is wrong, so that a mended one is tried
/// again.
SensorInputs sensor_inputs(const BatchPlan& plan, const PlannedSensor& sensor, const Job& job);

}  // namespace tactelier
