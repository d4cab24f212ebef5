#pragma once
// simulate --batch TABLE --shards N: which shards are there, and all of them as one file.

#include "app/workflow/simulate_batch.hpp"

namespace tactelier {

/// Which of `of` shards are not there yet, from 1; with `overwrite` also those made of other
/// inputs. Fails as simulate_batch() does, as far as the table shows it.
Result<std::vector<int>> missing_shards(const BatchRequest& request, int of);
/// The same with a model that is at hand.
Result<std::vector<int>> missing_shards(const SensorModel& model, const BatchRequest& request,
                                        int of);

/// The file that simulate_batch() writes without shards, byte for byte, out of the shards, which
/// stay. Fails with kUsage while some are missing or made of other inputs, naming them.
Result<BatchOutcome> join_shards(const BatchRequest& request, int of, const Job& job);
/// The same with a model that is at hand.
Result<BatchOutcome> join_shards(const SensorModel& model, const BatchRequest& request, int of,
                                 const Job& job);

}  // namespace tactelier
