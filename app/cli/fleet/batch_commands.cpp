// batch plan, run, status, retry, merge, watch, submit, collect

#include "app/cli/fleet/batch_commands.hpp"

#include <algorithm>

#include "app/workflow/batch/batch_json.hpp"
#include "app/workflow/batch/fit_sensor.hpp"
#include "app/workflow/catalogue/merge_catalogues.hpp"
#include "app/workflow/exit_status.hpp"
#include "libcalib/reason.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kRowsShown = 40;

std::string lacks_text(const PlannedSensor& sensor) {
  std::vector<std::string> words;
  for (const auto& lack : sensor.missing)
    words.push_back(lack.protocol.empty() ? lack.stage
                                          : fmt::format("{} ({})", lack.stage, lack.protocol));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string planned_text(const PlannedSensor& sensor, std::size_t width) {
  const auto head = fmt::format("{:<{}}  {} session{}", sensor.id, width, sensor.sessions.size(),
                                sensor.sessions.size() == 1 ? "" : "s");
  if (!sensor.problem.empty()) return fmt::format("{}  PROBLEM {}\n", head, sensor.problem);
  const auto stages = sensor.stages.empty() ? std::string("nothing")
                                            : fmt::format("{}", fmt::join(sensor.stages, ", "));
  return fmt::format("{}  recorded for {}{}\n", head, stages,
                     sensor.missing.empty() ? "" : "; not for " + lacks_text(sensor));
}

template <class Items, class Name>
std::size_t width_of(const Items& items, const Name& name) {
  std::size_t width = 6;
  for (const auto& item : items) width = std::max(width, name(item).size());
  return width;
}

struct Tally {
  std::ptrdiff_t identified = 0, incomplete = 0, failed = 0;
};

Tally tally_of(const std::vector<SensorResult>& results) {
  const auto count = [&](SensorState state) {
    return std::ranges::count(results, state, &SensorResult::state);
  };
  return {count(SensorState::kIdentified), count(SensorState::kIncomplete),
          count(SensorState::kFailed)};
}

std::string outcome_text(const BatchPlan& plan, const RunOutcome& outcome) {
  const auto tally = tally_of(outcome.results);
  return fmt::format(
      "{}: {} sensors: {} fitted now, {} were up to date; {} identified, {} incomplete, {} "
      "failed\n",
      plan.results().string(), plan.sensors.size(), outcome.fitted, outcome.up_to_date,
      tally.identified, tally.incomplete, tally.failed);
}

void print_shortfalls(Console& console, const std::vector<SensorResult>& results) {
  std::size_t shown = 0;
  for (const auto& result : results) {
    if (result.reason.empty()) continue;
    if (++shown > kRowsShown && !console.verbose()) continue;
    console.print(fmt::format("{}: {}: {}\n", result.id, to_string(result.state), result.reason));
  }
  if (shown > kRowsShown && !console.verbose())
    console.note(fmt::format("... and {} more; -v shows them", shown - kRowsShown));
}

int run_only(Console& console, const BatchPlan& plan, const BatchRunArguments& arguments) {
  const auto sensor = find_sensor(plan, arguments.only);
  if (!sensor) return console.fail(sensor.error());
  const auto result =
      fit_sensor(plan, **sensor, arguments.threads, arguments.request.anew, console.job());
  if (!result) return console.fail(result.error());
  const auto& words = result->reason.empty() ? result->found : result->reason;
  console.print(fmt::format("{}: {}: {}\n", result->id, to_string(result->state), words));
  const json document{{"sensors", json::array({result_json(*result)})},
                      {"fitted", 1},
                      {"up_to_date", 0},
                      {"stopped", false}};
  const int status = result->state == SensorState::kIdentified   ? kExitDone
                     : result->state == SensorState::kIncomplete ? kExitMissingResult
                                                                 : kExitBadInput;
  return console.finish(document, export_warnings({*result}), status);
}

int run_whole(Console& console, const BatchPlan& plan, const RunRequest& request) {
  const auto outcome = run_batch(plan, request, console.job());
  if (!outcome) return console.fail(outcome.error());
  print_shortfalls(console, outcome->results);
  const auto tally = tally_of(outcome->results);
  console.print(outcome_text(plan, *outcome));
  if (outcome->stopped) console.note("stopped on request; run it again to go on");
  const auto document = outcome_json(*outcome);
  const bool whole = tally.identified == static_cast<std::ptrdiff_t>(plan.sensors.size());
  return console.finish(document, export_warnings(outcome->results),
                        outcome->stopped ? kExitInterrupted
                        : whole          ? kExitDone
                                         : kExitMissingResult);
}

std::string standing_text(const SensorStatus& status) {
  if (!status.result) return "waiting";
  auto text = std::string(to_string(status.result->state));
  if (const auto code = reason_of(status.result->reason).code; !code.empty()) text += " " + code;
  return status.standing == Standing::kStale ? text + ", stale" : text;
}

std::string submission_text(const std::string& plan, const Submission& submission) {
  if (submission.script.empty())
    return fmt::format("{}: nothing to do, all {} sensors are up to date\n", plan,
                       submission.up_to_date);
  const auto work = fmt::format("{} elements, {} sensors; {} were up to date", submission.elements,
                                submission.sensors, submission.up_to_date);
  if (submission.job.empty())
    return fmt::format("{}: written, not submitted: {}\n", submission.script.string(), work);
  return fmt::format("{}: job {}: {}\n", submission.script.string(), submission.job, work);
}

std::string collected_text(const BatchPlan& plan, const Collected& collected) {
  const auto tally = tally_of(collected.results);
  return fmt::format(
      "{}: {} sensors: {} identified, {} incomplete, {} failed; {} in the queue, {} lost, {} "
      "waiting to be submitted\n",
      plan.results().string(), plan.sensors.size(), tally.identified, tally.incomplete,
      tally.failed, collected.queued.size(), collected.lost.size(), collected.waiting.size());
}

}  // namespace

int run_batch_plan(Console& console, const PlanRequest& request) {
  const auto planned = plan_batch(request, console.job());
  if (!planned) return console.fail(planned.error());
  const auto& sensors = planned->plan.sensors;
  const auto width = width_of(sensors, [](const PlannedSensor& s) { return s.id; });
  std::size_t sessions = 0;
  auto list = json::array();
  for (const auto& sensor : sensors) {
    sessions += sensor.sessions.size();
    if (list.size() < kRowsShown || console.verbose()) console.print(planned_text(sensor, width));
    list.push_back(sensor_json(sensor));
  }
  if (list.size() > kRowsShown && !console.verbose())
    console.note(fmt::format("... and {} more sensors; -v shows them", list.size() - kRowsShown));
  console.print(fmt::format("{}: {} sensors, {} sessions\n", request.target.string(),
                            sensors.size(), sessions));
  return console.finish({{"plan", request.target.string()}, {"sensors", list}}, planned->warnings);
}

int run_batch_run(Console& console, const BatchRunArguments& arguments) {
  const auto plan = read_plan(arguments.plan);
  if (!plan) return console.fail(plan.error());
  if (!arguments.only.empty()) return run_only(console, *plan, arguments);
  return run_whole(console, *plan, arguments.request);
}

int run_batch_watch(Console& console, const WatchRequest& request) {
  const auto tell = [&](const WatchRound& round) {
    console.print_now(outcome_text(round.planned.plan, round.outcome));
    auto warnings = round.planned.warnings;
    for (auto& refused : export_warnings(round.outcome.results))
      warnings.push_back(std::move(refused));
    console.announce(outcome_json(round.outcome), warnings);
  };
  if (const auto done = watch_batch(request, tell, console.job()); !done)
    return console.fail(done.error());
  return kExitDone;
}

int run_batch_merge(Console& console, const MergeArguments& arguments) {
  const std::vector<std::filesystem::path> sources(arguments.catalogues.begin(),
                                                   arguments.catalogues.end());
  const auto merged = merge_catalogues(sources, arguments.into, console.job());
  if (!merged) return console.fail(merged.error());
  console.print(
      fmt::format("{}: {} fits, {} of them new\n", arguments.into, merged->fits, merged->added));
  return console.finish(
      {{"catalogue", arguments.into}, {"fits", merged->fits}, {"added", merged->added}}, {});
}

int run_batch_status(Console& console, const std::string& file) {
  const auto plan = read_plan(file);
  if (!plan) return console.fail(plan.error());
  const auto all = batch_status(*plan, console.job());
  if (!all) return console.fail(all.error());
  const auto width = width_of(*all, [](const SensorStatus& s) { return s.sensor->id; });
  auto list = json::array();
  std::ptrdiff_t due = 0;
  for (const auto& status : *all) {
    due += status.standing != Standing::kUpToDate ? 1 : 0;
    const auto found = status.result ? status.result->found : std::string();
    console.print(fmt::format("{:<{}}  {:<20}  {}\n", status.sensor->id, width,
                              standing_text(status), found));
    list.push_back(status_json(status));
  }
  console.print(fmt::format("{}: {} sensors, {} to be fitted\n", file, all->size(), due));
  return console.finish({{"plan", file}, {"sensors", list}, {"due", due}}, {});
}

int run_batch_submit(Console& console, const ClusterArguments& arguments) {
  const auto plan = read_plan(arguments.plan);
  if (!plan) return console.fail(plan.error());
  const auto submission = submit_batch(*plan, arguments.submit, console.job());
  if (!submission) return console.fail(submission.error());
  console.print(submission_text(arguments.plan, *submission));
  auto document = submission_json(*submission);
  document["plan"] = arguments.plan;
  return console.finish(document, {});
}

int run_batch_collect(Console& console, const ClusterArguments& arguments) {
  const auto plan = read_plan(arguments.plan);
  if (!plan) return console.fail(plan.error());
  const auto collected = collect_batch(*plan, arguments.collect, console.job());
  if (!collected) return console.fail(collected.error());
  print_shortfalls(console, collected->results);
  for (const auto& sensor : collected->lost)
    console.print(fmt::format("{}: lost: {}\n", sensor.id, sensor.words));
  if (!collected->queue.empty()) console.print(collected->queue + "\n");
  console.print(collected_text(*plan, *collected));
  const bool whole =
      tally_of(collected->results).identified == static_cast<std::ptrdiff_t>(plan->sensors.size());
  return console.finish(collected_json(*collected), export_warnings(collected->results),
                        whole ? kExitDone : kExitMissingResult);
}

}  // namespace tactelier::cli
