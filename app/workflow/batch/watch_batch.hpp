#pragma once
// tactelier batch watch: what is recorded into a folder is planned and fitted as it comes.

#include <functional>

#include "app/workflow/batch/plan_batch.hpp"
#include "app/workflow/batch/run_batch.hpp"

namespace tactelier {

struct WatchRequest {
  PlanRequest plan;  // its target is written anew each round
  RunRequest run;
  double every_s = 10;  // from the end of a round to the next
  bool once = false;
};

struct WatchRound {
  PlannedBatch planned;
  RunOutcome outcome;
};

/// Rounds of planning and running until the job is stopped, which is how it ends in order. A
/// recording that goes on is left for a later round. `on_round` hears of every round in which
/// something was fitted, and of the only one with `once`. Fails when a source is not there.
Result<void> watch_batch(const WatchRequest& request,
                         const std::function<void(const WatchRound&)>& on_round, const Job& job);

}  // namespace tactelier
