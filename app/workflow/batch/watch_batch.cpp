#include "app/workflow/batch/watch_batch.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>

namespace tactelier {
namespace {

/// Nothing need be in it yet, but a name that is misspelt would be watched for ever.
Result<void> check_sources(const std::vector<std::string>& sources) {
  for (const auto& source : sources) {
    std::error_code unknown;
    const bool pattern = source.find_first_of("*?[") != source.npos;
    if (!pattern && !std::filesystem::exists(source, unknown))
      return fail(ErrorCode::kIo, "'{}': no such file or folder", source);
  }
  return {};
}

Result<WatchRound> watch_round(const WatchRequest& request, const Job& job) {
  auto planned = plan_batch(request.plan, job);
  if (!planned) return fail(planned.error());
  auto outcome = run_batch(planned->plan, request.run, job);
  if (!outcome) return fail(outcome.error());
  return WatchRound{std::move(*planned), std::move(*outcome)};
}

void wait_for_next(double seconds, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_lock lock(mutex);
  woken.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
}

}  // namespace

Result<void> watch_batch(const WatchRequest& request,
                         const std::function<void(const WatchRound&)>& on_round, const Job& job) {
  if (auto there = check_sources(request.plan.sources); !there) return there;
  auto patient = request;
  patient.plan.recording_goes_on = true;
  while (!job.stopped()) {
    const auto round = watch_round(patient, job);
    if (!round && job.stopped()) return {};
    if (!round) return fail(round.error());
    if (round->outcome.fitted > 0 || request.once) on_round(*round);
    if (request.once) return {};
    wait_for_next(request.every_s, job.stop);
  }
  return {};
}

}  // namespace tactelier
