#pragma once
// Many sensors: batch plan, run, status, retry, merge, watch, submit, collect.

#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "app/workflow/batch/plan_batch.hpp"
#include "app/workflow/batch/run_batch.hpp"
#include "app/workflow/batch/submit_batch.hpp"
#include "app/workflow/batch/watch_batch.hpp"

namespace tactelier::cli {

int run_batch_plan(Console& console, const PlanRequest& request);

struct BatchRunArguments {
  std::string plan;
  RunRequest request;
  std::string only;  // one sensor in this process
  int threads = 0;   // with `only`
};
int run_batch_run(Console& console, const BatchRunArguments& arguments);
int run_batch_watch(Console& console, const WatchRequest& request);

struct MergeArguments {
  std::vector<std::string> catalogues;
  std::string into;
};
int run_batch_merge(Console& console, const MergeArguments& arguments);
int run_batch_status(Console& console, const std::string& plan);

struct ClusterArguments {
  std::string plan;
  SubmitRequest submit;
  CollectRequest collect;
};
int run_batch_submit(Console& console, const ClusterArguments& arguments);
int run_batch_collect(Console& console, const ClusterArguments& arguments);

}  // namespace tactelier::cli
