#include "app/workflow/cluster/submit_shards.hpp"

#include "app/workflow/command_line_program.hpp"
#include "app/workflow/join_shards.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

fs::path whole_path(const fs::path& file) { return fs::absolute(file).lexically_normal(); }

/// An indenter is given as JSON or as a file.
std::string indenter_word(const std::string& indenter) {
  std::error_code unknown;
  const bool is_file = fs::is_regular_file(indenter, unknown);
  return shell_word(is_file ? whole_path(indenter).string() : indenter);
}

std::string shard_body(const ShardsRequest& request) {
  const auto& batch = request.batch;
  const auto program = request.program.empty() ? command_line_program() : request.program;
  auto text = fmt::format(
      "{} simulate --model {} \\\n  --batch {}", shell_word(whole_path(program).string()),
      shell_word(whole_path(batch.model).string()), shell_word(whole_path(batch.table).string()));
  if (!batch.indenter.empty())
    text += fmt::format(" \\\n  --indenter {}", indenter_word(batch.indenter));
  text += fmt::format(" \\\n  --method {}", shell_word(batch.method));
  if (batch.counts) text += " --counts";
  if (batch.seed) text += fmt::format(" --noise --seed {}", *batch.seed);
  if (batch.overwrite) text += " --overwrite";
  return text + fmt::format(
                    " \\\n  --shard \"$SLURM_ARRAY_TASK_ID/{}\" --threads "
                    "\"$SLURM_CPUS_PER_TASK\" \\\n  -o {}\n",
                    request.shards, shell_word(whole_path(batch.output).string()));
}

}  // namespace

Result<SubmittedShards> submit_shards(const ShardsRequest& request) {
  if (auto ok = check_settings(request.slurm); !ok) return fail(ok.error());
  const auto missing = missing_shards(request.batch, request.shards);
  if (!missing) return fail(missing.error());
  SubmittedShards submitted;
  submitted.submitted = static_cast<int>(missing->size());
  submitted.done = request.shards - submitted.submitted;
  SlurmArray array;
  array.name = slurm_name(request.batch.output);
  if (!request.dry_run) {
    const auto queued = queued_elements(array.name);
    if (!queued) return fail(queued.error());
    if (!queued->empty())
      return fail(ErrorCode::kUsage, "{}: {}; {} of {} shards are there. Try again when it ends",
                  request.batch.output.string(), queue_words(*queued), submitted.done,
                  request.shards);
  }
  if (missing->empty()) return submitted;
  array.folder = whole_path(request.batch.output).replace_extension(".slurm");
  array.what = fmt::format("Images of {}: element I makes shard I.",
                           request.batch.table.filename().string());
  array.elements = *missing;
  array.body = shard_body(request);
  submitted.script = script_of(array);
  if (auto written = write_array(array, request.slurm); !written) return fail(written.error());
  if (request.dry_run) return submitted;
  const auto number = submit_array(array);
  if (!number) return fail(number.error());
  submitted.job = *number;
  return submitted;
}

}  // namespace tactelier
