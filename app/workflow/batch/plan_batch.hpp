#pragma once
// tactelier batch plan: sessions to a plan, grouped by the sensor that they are of.

#include <string>
#include <vector>

#include "app/workflow/batch/batch_plan.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct PlanRequest {
  std::vector<std::string> sources;  // as find_sessions() takes them
  std::filesystem::path target;
  BatchOptions options;
  bool recording_goes_on = false;  // unfinished sessions are left out, and there may be none yet
  bool each_session = false;  // one fit per session instead of one per sensor: to follow a sensor
};

struct PlannedBatch {
  BatchPlan plan;
  Warnings warnings;
};

/// Looks into every session and writes the plan. Sessions of one serial number and one description
/// go together; a session that names no serial number stands alone, for it could be of any sensor.
/// What can't be opened stands alone, too, and fails alone when it is run.
Result<PlannedBatch> plan_batch(const PlanRequest& request, const Job& job);

}  // namespace tactelier
