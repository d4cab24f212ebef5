#pragma once
// tactelier batch run PLAN --only ID: one sensor of a plan, in this process. What every worker of a
// batch does, and what one element of a cluster's job array does.

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/batch_result.hpp"
#include "app/workflow/batch/sensor_key.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

/// Fits, writes model, table and exports, and puts the folder of results in its place. A fit that
/// fails is a result, too: only a stop, or a result that can't be written, is an error. With
/// `anew` unset a result that is up to date is returned as it is.
Result<SensorResult> fit_sensor(const BatchPlan& plan, const PlannedSensor& sensor, int threads,
                                bool anew, const Job& job);

/// Says of a sensor whose worker crashed that it did.
Result<SensorResult> note_failure(const BatchPlan& plan, const PlannedSensor& sensor,
                                  const SensorInputs& inputs, const std::string& reason);

}  // namespace tactelier
