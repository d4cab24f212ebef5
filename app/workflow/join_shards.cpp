#include "app/workflow/join_shards.hpp"

#include <fmt/ranges.h>

#include "app/workflow/batch_poses.hpp"
#include "app/workflow/image_batch_file.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"

namespace tactelier {
namespace {

BatchRequest shard_request(BatchRequest request, int number, int of) {
  request.shard = Shard{static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
  return request;
}

Result<void> none_missing(const SensorModel& model, const BatchRequest& request, int of) {
  const auto missing = missing_shards(model, request, of);
  if (!missing) return fail(missing.error());
  if (missing->empty()) return {};
  return fail(ErrorCode::kUsage,
              "{}: {} of {} shards are not there: {}; make them first, with "
              "--shard I/{} or with --slurm",
              request.output.string(), missing->size(), of, fmt::join(*missing, ", "), of);
}

}  // namespace

Result<std::vector<int>> missing_shards(const BatchRequest& request, int of) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return missing_shards(*model, request, of);
}

Result<std::vector<int>> missing_shards(const SensorModel& model, const BatchRequest& request,
                                        int of) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  const auto poses = read_batch_poses(request.table, request.indenter);
  if (!poses) return fail(poses.error());
  const auto table = batch_table_text(request);
  if (!table) return fail(table.error());
  const auto model_sha256 = model_hash(model);
  std::vector<int> missing;
  for (int number = 1; number <= of; ++number) {
    auto part = request;
    part.shard = Shard{static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
    const auto done =
        done_before(named_files(part), inputs_hash(part, model_sha256, *part.shard, *table));
    if (!done && !request.overwrite) return fail(done.error());
    if (!done || !*done) missing.push_back(number);
  }
  return missing;
}

Result<BatchOutcome> join_shards(const BatchRequest& request, int of, const Job& job) {
  if (auto sound = check_batch(request); !sound) return fail(sound.error());
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return join_shards(*model, request, of, job);
}

Result<BatchOutcome> join_shards(const SensorModel& model, const BatchRequest& request, int of,
                                 const Job& job) {
  if (auto whole = none_missing(model, request, of); !whole) return fail(whole.error());
  const auto table = batch_table_text(request);
  if (!table) return fail(table.error());
  auto outcome = named_files(request);
  outcome.model_sha256 = model_hash(model);
  outcome.unit = request.counts ? "counts" : "N";
  const auto inputs = inputs_hash(request, outcome.model_sha256, Shard{}, *table);
  const auto before = request.overwrite ? Result<bool>(false) : done_before(outcome, inputs);
  if (!before) return fail(before.error());
  outcome.done_before = *before;
  ImageColumns columns;
  for (int number = 1; number <= of; ++number) {
    if (job.stopped()) return Job::cancelled();
    job.progress("joining shards", number - 1, of);
    if (auto read = read_columns(named_files(shard_request(request, number, of)), columns); !read)
      return fail(read.error());
  }
  outcome.count = columns.rows.size();
  if (outcome.done_before) return outcome;
  if (auto written = write_columns(columns, model.sensor.arrays.front(), outcome, inputs); !written)
    return fail(written.error());
  return outcome;
}

}  // namespace tactelier
