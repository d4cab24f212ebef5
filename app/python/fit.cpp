// fit(): as `tactelier fit`, the model as an object instead of a file.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/compare_content.hpp"
#include "app/workflow/fit_sessions.hpp"

namespace tactelier::python {
namespace {

std::vector<std::string> prediction_words(const std::optional<FitPrediction>& prediction) {
  if (!prediction) return {};
  if (!prediction->report)
    return {"image presses held out, but not predicted: " + prediction->why_not};
  std::vector<std::string> lines;
  for (const auto& line : compare_content(*prediction->report).headlines)
    lines.push_back("image presses held out: " + line);
  return lines;
}

struct Given {
  std::vector<std::string> stages, require, exclude;
  py::object sensor;
  double holdout = 0;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// The bounds of the command line's options.
void check_options(const Given& given) {
  if (!(given.holdout >= 0 && given.holdout <= 0.5))
    raise({ErrorCode::kUsage, fmt::format("holdout={}: between 0 and 0.5", given.holdout)});
  if (given.threads < 0 || given.threads > 1024)
    raise({ErrorCode::kUsage, fmt::format("threads={}: between 0 and 1024", given.threads)});
}

std::shared_ptr<PyModel> fit_of(const py::object& sessions, const Given& given,
                                const py::object& progress) {
  check_options(given);
  FitRequest request;
  request.sessions = session_paths(sessions);
  if (request.sessions.empty()) raise({ErrorCode::kUsage, "fit: give a session"});
  request.stages = given.stages;
  request.required = given.require;
  request.excluded = given.exclude;
  if (!given.sensor.is_none()) request.sensor = path_of(given.sensor).string();
  request.options.holdout = given.holdout;
  request.options.seed = given.seed;
  request.options.threads = given.threads;
  auto report =
      run_job<FitReport>([&](const Job& job) { return fit_sessions(request, job); }, progress);
  auto model = std::make_shared<PyModel>();
  model->predictions = prediction_words(report.prediction);
  model->model = std::move(report.model);
  model->warnings = std::move(report.warnings);
  model->unmet = std::move(report.unmet);
  return model;
}

constexpr const char* kFitHelp =
    "Fits a sensor model to one recording or several of the same sensor, as `tactelier fit`.\n\n"
    "sessions: paths or Sessions, one or several, in any order.\n"
    "stages: names of stages to run with what they need; all where left out (stages() names "
    "them).\n"
    "require: stages that must be identified; what is not stands in Model.unmet.\n"
    "exclude: presses to leave out: 'FILE:7', 'FILE:2-41', with one session '1-3,7'.\n"
    "sensor: name or file of a sensor description instead of the sessions' own.\n"
    "holdout: fraction of presses kept out, as a test, 0 to 0.5; image presses are predicted.\n"
    "seed: of the bootstrap. threads: 0, as many as the machine has.\n"
    "progress: called with a Progress about ten times a second, in the calling thread.\n\n"
    "Other threads of Python run meanwhile. Ctrl-C stops the fit: KeyboardInterrupt. What the "
    "data\n"
    "don't determine is no error: its Parameter says why.\n"
    "Raises Error on a recording that can't be read or an option that makes no sense.";

}  // namespace

void add_fit(py::module_& module) {
  module.def(
      "fit",
      [](const py::object& sessions, std::vector<std::string> stages,
         std::vector<std::string> require, std::vector<std::string> exclude, py::object sensor,
         double holdout, std::uint64_t seed, int threads, const py::object& progress) {
        return fit_of(sessions,
                      {std::move(stages), std::move(require), std::move(exclude), std::move(sensor),
                       holdout, seed, threads},
                      progress);
      },
      py::arg("sessions"), py::kw_only(), py::arg("stages") = std::vector<std::string>(),
      py::arg("require") = std::vector<std::string>(),
      py::arg("exclude") = std::vector<std::string>(), py::arg("sensor") = py::none(),
      py::arg("holdout") = 0.0, py::arg("seed") = FitOptions().seed, py::arg("threads") = 0,
      py::arg("progress") = py::none(), kFitHelp);
  module.def(
      "stages",
      [] {
        py::dict titles;
        for (const auto& stage : stages())
          titles[py::str(std::string(stage.id))] = std::string(stage.title);
        return titles;
      },
      "Names of the stages of a fit in their order, each with its title.");
}

}  // namespace tactelier::python
