#include "app/workflow/batch/run_batch.hpp"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <system_error>
#include <thread>

#include "app/workflow/batch/feed_catalogue.hpp"
#include "app/workflow/batch/fit_sensor.hpp"
#include "app/workflow/batch/result_folder.hpp"
#include "app/workflow/batch/sensor_key.hpp"
#include "app/workflow/batch/worker.hpp"
#include "app/workflow/command_line_program.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr int kLook_ms = 100;  // for a stop, and for the progress bar

std::string crash_words(int status, const fs::path& log) {
  if (status > 128)
    return fmt::format("BA-05 the fit was ended by signal {} ({}); {}", status - 128,
                       ::strsignal(status - 128), last_words(log));
  return fmt::format("BA-05 the fit ended with status {} and no result; {}", status,
                     last_words(log));
}

/// Of what an earlier run was doing when it was killed nothing is of use. A sensor whose lock is
/// held is being fitted elsewhere, on a cluster's node.
void clear_work(const BatchPlan& plan) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(plan.work(), ignored)) {
    const auto& path = entry.path();
    if (path.extension() == ".lock") continue;
    const auto own = plan.work() / (path.stem().string() + ".lock");
    if (FileLock::attempt(own, "")) fs::remove_all(path, ignored);
  }
}

/// Carries out what is left to do.
class BatchRun {
 public:
  BatchRun(const BatchPlan& plan, const RunRequest& request, const Job& job)
      : plan_(plan), job_(job), jobs_(static_cast<std::size_t>(std::max(1, request.jobs))) {
    if (request.jobs == 0) jobs_ = std::max(1U, std::thread::hardware_concurrency());
    program_ = request.program.empty() ? command_line_program() : request.program;
  }

  void add(const SensorStatus& status) { left_.push_back(&status); }

  /// Calls nothing back: what came of each stands in its folder.
  Result<int> run() {
    const auto all = static_cast<double>(left_.size());
    while (!running_.empty() || (!left_.empty() && !job_.stopped())) {
      while (!left_.empty() && running_.size() < jobs_ && !job_.stopped())
        if (auto started = start(*left_.front()); !started) return fail(started.error());
      wait();
      if (auto done = collect(); !done) return fail(done.error());
      job_.progress("fitting sensors", static_cast<double>(fitted_), all);
    }
    return fitted_;
  }

 private:
  struct Running {
    const SensorStatus* status;
    Worker worker;
  };

  fs::path log_of(const PlannedSensor& sensor) const { return plan_.work() / (sensor.id + ".log"); }

  Result<void> start(const SensorStatus& status) {
    left_.pop_front();
    const auto threads = jobs_ > 1 ? "1" : "0";
    const BatchPlan part{plan_.part_of(*status.sensor), plan_.options, {*status.sensor}};
    if (auto written = write_plan(part); !written) return written;
    auto worker = Worker::start({program_.string(), "batch", "run", part.file.string(), "--only",
                                 status.sensor->id, "--anew", "--threads", threads},
                                log_of(*status.sensor));
    if (!worker) return fail(worker.error());
    running_.push_back({&status, std::move(*worker)});
    return {};
  }

  void wait() {
    if (job_.stopped() && !std::exchange(interrupted_, true))
      for (const auto& running : running_) running.worker.interrupt();
    std::vector<pollfd> ends;
    for (const auto& running : running_) ends.push_back({running.worker.descriptor(), POLLIN, 0});
    ::poll(ends.data(), ends.size(), kLook_ms);
  }

  Result<void> collect() {
    Result<void> noted;
    std::erase_if(running_, [&](Running& running) {
      const auto status = running.worker.ended();
      if (status && noted) noted = note_end(*running.status, *status);
      std::error_code ignored;
      if (status) fs::remove(plan_.part_of(*running.status->sensor), ignored);
      return status.has_value();
    });
    return noted;
  }

  /// A worker that ended in order has left a result of the key that was asked for; one that was
  /// stopped on request leaves things as they were.
  Result<void> note_end(const SensorStatus& status, int exit) {
    const auto& sensor = *status.sensor;
    if (exit == kExitInterrupted) return {};
    ++fitted_;
    if (exit == kExitDone || exit == kExitMissingResult || exit == kExitBadInput)
      if (const auto left = read_result(plan_.results_of(sensor)); left && *left) {
        const bool is_new = !status.result || (*left)->finished != status.result->finished ||
                            (*left)->key != status.result->key;
        if (is_new || (*left)->key == status.inputs.key) return {};
      }
    const auto result =
        note_failure(plan_, sensor, status.inputs, crash_words(exit, log_of(sensor)));
    return result ? Result<void>() : fail(result.error());
  }

  const BatchPlan& plan_;
  const Job& job_;
  std::size_t jobs_;
  fs::path program_;
  std::deque<const SensorStatus*> left_;
  std::vector<Running> running_;
  int fitted_ = 0;
  bool interrupted_ = false;
};

bool is_due(const SensorStatus& status, const RunRequest& request) {
  return request.anew || status.standing != Standing::kUpToDate ||
         (request.retry_failed && status.failed());
}

SensorStatus status_of(const BatchPlan& plan, const PlannedSensor& sensor, const Job& job) {
  SensorStatus status{&sensor, Standing::kWaiting, sensor_inputs(plan, sensor, job), {}};
  auto known = read_result(plan.results_of(sensor));
  if (!known || !*known) return status;  // what can't be read is made again
  status.result = std::move(*known);
  status.standing =
      status.result->key == status.inputs.key ? Standing::kUpToDate : Standing::kStale;
  return status;
}

}  // namespace

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::kUpToDate:
      return "up to date";
    case Standing::kStale:
      return "stale";
    case Standing::kWaiting:
      return "waiting";
  }
  return "waiting";
}

Result<std::vector<SensorStatus>> batch_status(const BatchPlan& plan, const Job& job) {
  std::vector<SensorStatus> all;
  for (const auto& sensor : plan.sensors) {
    if (job.stopped()) return Job::cancelled();
    job.progress("comparing with the results", static_cast<double>(all.size()),
                 static_cast<double>(plan.sensors.size()));
    all.push_back(status_of(plan, sensor, job));
  }
  return all;
}

Result<RunOutcome> run_batch(const BatchPlan& plan, const RunRequest& request, const Job& job) {
  const auto lock = FileLock::attempt(
      plan.work() / "run.lock",
      fmt::format("{}: another 'batch run' has this plan; wait until it ends, or stop it with "
                  "Ctrl-C: what it did is kept",
                  plan.file.string()));
  if (!lock) return fail(lock.error());
  clear_work(plan);
  const auto before = batch_status(plan, job);
  if (!before) return fail(before.error());
  BatchRun run(plan, request, job);
  RunOutcome outcome;
  for (const auto& status : *before) {
    if (is_due(status, request))
      run.add(status);
    else
      ++outcome.up_to_date;
  }
  const auto fitted = run.run();
  if (!fitted) return fail(fitted.error());
  outcome.fitted = *fitted;
  outcome.stopped = job.stopped();
  for (const auto& sensor : plan.sensors)
    if (auto known = read_result(plan.results_of(sensor)); known && *known)
      outcome.results.push_back(std::move(**known));
  const auto file = request.catalogue.empty() ? catalogue_of(plan) : request.catalogue;
  Job undisturbed;  // what is done is catalogued, stopped or not
  undisturbed.on_progress = job.on_progress;
  const auto added = feed_catalogue(plan, outcome.results, file, undisturbed);
  if (!added) return fail(added.error());
  outcome.catalogued = *added;
  return outcome;
}

}  // namespace tactelier
