#pragma once
// tactelier batch submit, collect: a plan carried out by a cluster. An element of the job array
// runs `batch run PLAN --only ID` for each sensor of its group, so that a folder of results is what
// it is on one machine; what Slurm kills leaves none and is submitted again.

#include <string>
#include <vector>

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/batch_result.hpp"
#include "app/workflow/cluster/slurm.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct SubmitRequest {
  SlurmSettings slurm;
  int group = 0;                    // sensors per element; 0: one, or what 1000 elements take
  bool retry_failed = false;        // those that failed are fitted again, too
  bool dry_run = false;             // the script is written and not submitted
  std::filesystem::path program{};  // empty: command_line_program(); every node must find it
};

struct Submission {
  std::filesystem::path script;  // empty: nothing was left to do
  std::string job;               // Slurm's number; empty: not submitted
  std::size_t elements = 0, sensors = 0, up_to_date = 0;
};

/// Submits what is not up to date. "fleet.json" keeps each submission in a folder of
/// "fleet.slurm" beside it: array.sh, elements.txt (a line per element: its sensors), logs. Fails
/// with kUsage while an earlier array of the plan is in the queue.
Result<Submission> submit_batch(const BatchPlan& plan, const SubmitRequest& request,
                                const Job& job);

struct LostSensor {
  std::string id;
  std::string words;  // the last that its element said
};

struct CollectRequest {
  bool wait = false;                  // until the queue holds nothing of this plan
  std::filesystem::path catalogue{};  // empty: catalogue_of() the plan
};

struct Collected {
  std::vector<SensorResult> results;  // up to date, in the plan's order
  std::vector<std::string> queued;    // their element waits or runs
  std::vector<LostSensor> lost;       // their element has ended without a result
  std::vector<std::string> waiting;   // never submitted, or not since their sessions changed
  std::string queue;                  // "job 17: 3 elements run, 5 wait"; "" when empty
  int catalogued = 0;
};

/// Puts what is there into the catalogue, from this machine alone, and says what became of the
/// rest. Stopped while it waits, it fails with kCancelled; the array goes on.
Result<Collected> collect_batch(const BatchPlan& plan, const CollectRequest& request,
                                const Job& job);

}  // namespace tactelier
