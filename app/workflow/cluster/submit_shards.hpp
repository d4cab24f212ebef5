#pragma once
// tactelier simulate --batch TABLE --shards N --slurm: a table's images made by a cluster, a shard
// per element of a job array.

#include <filesystem>
#include <string>

#include "app/workflow/cluster/slurm.hpp"
#include "app/workflow/simulate_batch.hpp"

namespace tactelier {

struct ShardsRequest {
  BatchRequest batch;  // without a shard
  int shards = 1;
  SlurmSettings slurm;
  bool dry_run = false;             // the script is written and not submitted
  std::filesystem::path program{};  // empty: command_line_program(); every node must find it
};

struct SubmittedShards {
  std::filesystem::path script;  // empty: all shards are there
  std::string job;               // Slurm's number; empty: not submitted
  int done = 0, submitted = 0;
};

/// Submits the shards that are not there, so that it is also how those that failed are tried again.
/// "images.npz" keeps script and logs in "images.slurm". Fails with kUsage while an earlier array
/// is in the queue, saying how far it is.
Result<SubmittedShards> submit_shards(const ShardsRequest& request);

}  // namespace tactelier
