// plan_batch(), run_batch(), batch_status(), watch_batch(), merge_catalogues(): many sensors.

#include <pybind11/stl.h>

#include "app/python/fleet.hpp"
#include "app/python/objects.hpp"
#include "app/python/python_calls.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/batch/batch_json.hpp"
#include "app/workflow/batch/fit_sensor.hpp"
#include "app/workflow/batch/watch_batch.hpp"
#include "app/workflow/catalogue/merge_catalogues.hpp"

namespace tactelier::python {
namespace {

std::filesystem::path optional_path(const py::object& path) {
  return path.is_none() ? std::filesystem::path() : path_of(path);
}

/// What every fit of a plan is made with.
struct GivenOptions {
  bool each_session;
  py::object stages, require, exports, sensor;
  double holdout;
  std::uint64_t seed;
};

PlanRequest plan_request(const py::object& sources, const py::object& path,
                         const GivenOptions& given) {
  if (!(given.holdout >= 0 && given.holdout <= 0.5))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("holdout={}: between 0 and 0.5", given.holdout)});
  PlanRequest request;
  for (const auto& source : session_paths(sources)) request.sources.push_back(source.string());
  request.target = path_of(path);
  request.each_session = given.each_session;
  request.options = {words_of(given.stages),
                     words_of(given.require),
                     words_of(given.exports),
                     optional_path(given.sensor).string(),
                     given.seed,
                     given.holdout};
  return request;
}

RunRequest run_request(int jobs, const py::object& catalogue, const py::object& program) {
  if (jobs < 0 || jobs > 1024)  // as the command line
    raise({ErrorCode::kUsage, fmt::format("jobs={}: between 0 and 1024", jobs)});
  RunRequest request;
  request.jobs = jobs;
  request.catalogue = optional_path(catalogue);
  request.program = worker_program(program);
  return request;
}

py::dict plan_dict(const PlannedBatch& planned) {
  const auto sensors = list_of(planned.plan.sensors, [](const PlannedSensor& sensor) {
    return from_json(sensor_json(sensor));
  });
  return py::dict("plan"_a = planned.plan.file.string(),
                  "results"_a = planned.plan.results().string(), "sensors"_a = sensors,
                  "warnings"_a = list_of(planned.warnings));
}

py::dict outcome_dict(const RunOutcome& outcome, const Warnings& before = {}) {
  py::dict told = from_json(outcome_json(outcome));
  auto warnings = before;
  for (auto& refused : export_warnings(outcome.results)) warnings.push_back(std::move(refused));
  told["warnings"] = list_of(warnings);
  return told;
}

py::dict planned_batch(const PlanRequest& request, bool overwrite, const py::object& progress) {
  may_write(request.target, overwrite);
  return plan_dict(
      run_job<PlannedBatch>([&](const Job& job) { return plan_batch(request, job); }, progress));
}

py::dict whole_run(const std::filesystem::path& file, const RunRequest& request,
                   const py::object& progress) {
  return outcome_dict(run_job<RunOutcome>(
      [&](const Job& job) -> Result<RunOutcome> {
        const auto plan = read_plan(file);
        if (!plan) return fail(plan.error());
        return run_batch(*plan, request, job);
      },
      progress));
}

/// In this process; what it found goes into the catalogue with the next whole run.
py::dict run_of_one(const std::filesystem::path& file, const std::string& id, int threads,
                    bool anew, const py::object& progress) {
  RunOutcome outcome;
  outcome.results.push_back(run_job<SensorResult>(
      [&](const Job& job) -> Result<SensorResult> {
        const auto plan = read_plan(file);
        if (!plan) return fail(plan.error());
        const auto sensor = find_sensor(*plan, id);
        if (!sensor) return fail(sensor.error());
        return fit_sensor(*plan, **sensor, threads, anew, job);
      },
      progress));
  outcome.fitted = 1;
  return outcome_dict(outcome);
}

py::dict status_of_batch(const py::object& path, const py::object& progress) {
  const auto file = path_of(path);
  const auto plan = value_of(read_plan(file));
  const auto all = run_job<std::vector<SensorStatus>>(
      [&](const Job& job) { return batch_status(plan, job); }, progress);
  int due = 0;
  for (const auto& status : all) due += status.standing != Standing::kUpToDate ? 1 : 0;
  const auto sensors =
      list_of(all, [](const SensorStatus& status) { return from_json(status_json(status)); });
  return py::dict("plan"_a = file.string(), "sensors"_a = sensors, "due"_a = due);
}

void watch(const WatchRequest& request, const py::object& tell, const py::object& progress) {
  PythonCalls calls;
  run_job<void>(
      [&](const Job& job) {
        const auto on_round = [&](const WatchRound& round) {
          if (tell.is_none()) return;
          calls.carry_out([&] { tell(outcome_dict(round.outcome, round.planned.warnings)); },
                          job.stop);
        };
        return watch_batch(request, on_round, job);
      },
      progress, [&] { calls.look(); });
}

py::dict merged(const py::object& catalogues, const py::object& into, const py::object& progress) {
  const auto sources = session_paths(catalogues);
  const auto target = path_of(into);
  const auto made = run_job<MergeOutcome>(
      [&](const Job& job) { return merge_catalogues(sources, target, job); }, progress);
  return py::dict("catalogue"_a = target.string(), "fits"_a = made.fits, "added"_a = made.added);
}

constexpr const char* kPlanHelp =
    "Groups sessions by the sensor that they are of, and writes a plan of their fits, as "
    "`tactelier batch plan`.\n\n"
    "sources: folders, patterns ('line3/*.tact'), sessions, or .csv tables with a column "
    "'session'; one or several. path: the\nplan, .json; results go to PLAN.results, a folder per "
    "sensor. each_session: a fit per session, not per sensor.\nstages, require, sensor, holdout, "
    "seed: of every fit, as of fit(). exports: formats written beside each model.\n\n"
    "Returns a dict of plan, results, sensors (dicts of id, sensor, serial, sessions, stages they "
    "were recorded for, missing\nand problem) and warnings.";

constexpr const char* kRunHelp =
    "Fits what of a plan is not up to date, as `tactelier batch run`: each sensor by a process of "
    "its own, so that one that\ncrashes fails alone. Stopped or killed, the next call goes on "
    "where "
    "it was.\n\n"
    "jobs: sensors at once; 0: as many as there are processors. retry: those that failed, too. "
    "anew: all of them. catalogue:\nwhere fits are catalogued; None: PLAN.results/"
    "catalogue.sqlite. program: the `tactelier` to start; None: the one on\nPATH.\n"
    "only: the id of one sensor, which is fitted in this process, by so many threads; the "
    "catalogue has it from the next\nwhole run on.\n\n"
    "Returns a dict of sensors (dicts of id, state: 'identified', 'incomplete' or 'failed', code, "
    "reason, found, files,\nfinished, duration_s), fitted, up_to_date, stopped, catalogued and "
    "warnings. A sensor that fails raises nothing.";

constexpr const char* kStatusHelp =
    "What of a plan is done, stale, failed or waiting, as `tactelier batch status`: a dict of "
    "plan, sensors (dicts of id,\nstanding: 'up to date', 'stale' or 'waiting', and result, as of "
    "run_batch(), or None) and due, how many would be fitted.";

constexpr const char* kWatchHelp =
    "Plans and fits what is recorded into a folder, as it comes, as `tactelier batch watch`; a "
    "recording that goes on is left\nfor a later round.\n\n"
    "sources, plan and its options: as of plan_batch(), written anew each round. jobs, catalogue, "
    "program: as of run_batch().\nevery_s: from one round to the next. once: one round. tell: "
    "called with what run_batch() returns, after each round in\nwhich something was fitted, in the "
    "calling thread; Ctrl-C or what it raises ends it in order.";

constexpr const char* kMergeHelp =
    "Adds the fits of several catalogues to one, which is made where it isn't there, as `tactelier "
    "batch merge`; a fit that\nis there already is not added again. Returns a dict of catalogue, "
    "fits and added.";

void add_watch(py::module_& module) {
  module.def(
      "watch_batch",
      [](const py::object& sources, const py::object& plan, bool each_session,
         const py::object& stages, const py::object& require, const py::object& exports,
         const py::object& sensor, double holdout, std::uint64_t seed, int jobs,
         const py::object& catalogue, const py::object& program, double every_s, bool once,
         const py::object& tell, const py::object& progress) {
        if (!(every_s >= 0.1 && every_s <= 86400))  // as the command line
          raise({ErrorCode::kUsage, fmt::format("every_s={}: between 0.1 and 86400", every_s)});
        const WatchRequest request{
            plan_request(sources, plan,
                         {each_session, stages, require, exports, sensor, holdout, seed}),
            run_request(jobs, catalogue, program), every_s, once};
        watch(request, tell, progress);
      },
      py::arg("sources"), py::arg("plan"), py::kw_only(), py::arg("each_session") = false,
      py::arg("stages") = py::tuple(), py::arg("require") = py::tuple(),
      py::arg("exports") = py::tuple(), py::arg("sensor") = py::none(), py::arg("holdout") = 0.0,
      py::arg("seed") = BatchOptions().seed, py::arg("jobs") = 0, py::arg("catalogue") = py::none(),
      py::arg("program") = py::none(), py::arg("every_s") = WatchRequest().every_s,
      py::arg("once") = false, py::arg("tell") = py::none(), py::arg("progress") = py::none(),
      kWatchHelp);
}

}  // namespace

std::vector<std::string> words_of(const py::handle& words) {
  if (py::isinstance<py::str>(words)) return {words.cast<std::string>()};
  std::vector<std::string> all;
  for (const auto& word : words) all.push_back(word.cast<std::string>());
  return all;
}

std::filesystem::path worker_program(const py::object& program) {
  const auto name = program.is_none() ? std::string("tactelier") : path_of(program).string();
  const auto found = py::module_::import("shutil").attr("which")(name);
  if (found.is_none())
    raise({ErrorCode::kIo, name + ": no such program; give program, the path of `tactelier`"});
  return std::filesystem::absolute(path_of(found));
}

void add_fleet_batches(py::module_& module) {
  module.def(
      "plan_batch",
      [](const py::object& sources, const py::object& path, bool each_session,
         const py::object& stages, const py::object& require, const py::object& exports,
         const py::object& sensor, double holdout, std::uint64_t seed, bool overwrite,
         const py::object& progress) {
        return planned_batch(
            plan_request(sources, path,
                         {each_session, stages, require, exports, sensor, holdout, seed}),
            overwrite, progress);
      },
      py::arg("sources"), py::arg("path"), py::kw_only(), py::arg("each_session") = false,
      py::arg("stages") = py::tuple(), py::arg("require") = py::tuple(),
      py::arg("exports") = py::tuple(), py::arg("sensor") = py::none(), py::arg("holdout") = 0.0,
      py::arg("seed") = BatchOptions().seed, py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kPlanHelp);
  module.def(
      "run_batch",
      [](const py::object& plan, int jobs, bool retry, bool anew, const std::string& only,
         int threads, const py::object& catalogue, const py::object& program,
         const py::object& progress) {
        const auto file = path_of(plan);
        if (threads < 0 || threads > 1024)  // as the command line
          raise({ErrorCode::kUsage, fmt::format("threads={}: between 0 and 1024", threads)});
        if (!only.empty()) return run_of_one(file, only, threads, anew, progress);
        auto request = run_request(jobs, catalogue, program);
        request.retry_failed = retry;
        request.anew = anew;
        return whole_run(file, request, progress);
      },
      py::arg("plan"), py::kw_only(), py::arg("jobs") = 0, py::arg("retry") = false,
      py::arg("anew") = false, py::arg("only") = "", py::arg("threads") = 0,
      py::arg("catalogue") = py::none(), py::arg("program") = py::none(),
      py::arg("progress") = py::none(), kRunHelp);
  module.def("batch_status", &status_of_batch, py::arg("plan"), py::kw_only(),
             py::arg("progress") = py::none(), kStatusHelp);
  add_watch(module);
  module.def("merge_catalogues", &merged, py::arg("catalogues"), py::arg("into"), py::kw_only(),
             py::arg("progress") = py::none(), kMergeHelp);
}

}  // namespace tactelier::python
