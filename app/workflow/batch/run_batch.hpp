#pragma once
// tactelier batch run, status, retry: carries a plan out, one worker process per sensor at a time
// and `jobs` of them at once, and goes on where an earlier run ended, however that ended.

#include <string>
#include <vector>

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/batch_result.hpp"
#include "app/workflow/batch/sensor_key.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct RunRequest {
  int jobs = 0;               // 0: as many as the machine has processors
  bool retry_failed = false;  // those that failed are tried again; else they wait for new inputs
  bool anew = false;          // all of them, up to date or not
  std::filesystem::path program{};    // empty: command_line_program()
  std::filesystem::path catalogue{};  // empty: catalogue_of() the plan
};

struct RunOutcome {
  std::vector<SensorResult> results;  // of every sensor that has one now, in the plan's order
  int fitted = 0;                     // in this run
  int up_to_date = 0;
  int catalogued = 0;    // new in the catalogue
  bool stopped = false;  // before all were done; what is done is kept
};

/// A sensor that fails fails alone. Fails as a whole only when another run has the plan, or nothing
/// can be written or started.
Result<RunOutcome> run_batch(const BatchPlan& plan, const RunRequest& request, const Job& job);

enum class Standing {
  kUpToDate,  // `result` is of the sessions, edits and options as they are
  kStale,     // there is a result, of other sessions, edits or options
  kWaiting,   // none yet
};
std::string_view to_string(Standing standing);

struct SensorStatus {
  const PlannedSensor* sensor = nullptr;
  Standing standing = Standing::kWaiting;
  SensorInputs inputs;
  std::optional<SensorResult> result;

  bool failed() const { return result && result->state == SensorState::kFailed; }
};

/// Looks into every session, fits nothing.
Result<std::vector<SensorStatus>> batch_status(const BatchPlan& plan, const Job& job);

}  // namespace tactelier
