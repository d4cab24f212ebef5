// Model.apply(): readings as newtons, in arrays.

#include <pybind11/stl.h>

#include <limits>

#include "app/python/arrays.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/apply_rows.hpp"

namespace tactelier::python {
namespace {

constexpr double kNoForce = std::numeric_limits<double>::quiet_NaN();

struct Newtons {
  AppliedColumns columns;
  std::vector<double> time_s, force_N, u95_N, total_N, total_u95_N, centre_m, direction_rad;
  std::vector<std::uint8_t> flag;
  ApplyReport report;

  void begin(const AppliedColumns& told) {
    columns = told;
    const auto rows = static_cast<std::size_t>(told.rows);
    time_s.reserve(rows);
    for (auto* cells : {&force_N, &u95_N}) cells->reserve(rows * told.tactels);
    flag.reserve(rows * told.tactels);
  }

  void add(const AppliedRow& row) {
    time_s.push_back(row.time_s);
    for (const auto& tactel : row.tactels) {
      force_N.push_back(tactel.force_N.value_or(kNoForce));
      u95_N.push_back(tactel.force_N ? tactel.u95_N.value_or(0.0) : kNoForce);
      flag.push_back(static_cast<std::uint8_t>(tactel.flag));
    }
    if (columns.total) {
      total_N.push_back(row.total.force_N.value_or(kNoForce));
      total_u95_N.push_back(row.total.u95_N.value_or(kNoForce));
    }
    if (!columns.centre) return;
    centre_m.push_back(row.centre ? row.centre->centre.x_m : kNoForce);
    centre_m.push_back(row.centre ? row.centre->centre.y_m : kNoForce);
    direction_rad.push_back(row.centre ? row.centre->direction_rad.value_or(kNoForce) : kNoForce);
  }
};

Result<Newtons> newtons_of(const PyModel& model, const std::filesystem::path& input,
                           const Job& job) {
  Newtons newtons;
  AppliedListener listener;
  listener.begin = [&](const AppliedColumns& told) -> Result<void> {
    newtons.begin(told);
    return {};
  };
  listener.row = [&](const AppliedRow& row) -> Result<void> {
    newtons.add(row);
    return {};
  };
  auto report =
      apply_rows(model.model, model.name.empty() ? "the model" : model.name, input, listener, job);
  if (!report) return fail(report.error());
  newtons.report = std::move(*report);
  return newtons;
}

/// What Python gets.
struct Applied {
  py::object time_s, force_N, u95_N, flag;
  py::object total_N = py::none(), total_u95_N = py::none();
  py::object centre_m = py::none(), direction_rad = py::none();
  py::list uncalibrated, warnings;
};

py::list uncalibrated_of(const ApplyReport& report) {
  return list_of(report.uncalibrated_tactels, [](const auto& group) {
    return py::dict("reason"_a = group.reason, "tactels"_a = group.tactels);
  });
}

Applied apply(const PyModel& self, const py::object& session, const py::object& progress) {
  const auto input = session_path(session);
  auto newtons =
      run_job<Newtons>([&](const Job& job) { return newtons_of(self, input, job); }, progress);
  const auto rows = static_cast<py::ssize_t>(newtons.time_s.size());
  const std::vector<py::ssize_t> cells{rows, static_cast<py::ssize_t>(newtons.columns.tactels)};
  Applied applied;
  applied.time_s = array_of(std::move(newtons.time_s));
  applied.force_N = array_of(std::move(newtons.force_N), cells);
  applied.u95_N = array_of(std::move(newtons.u95_N), cells);
  applied.flag = array_of(std::move(newtons.flag), cells);
  if (newtons.columns.total) {
    applied.total_N = array_of(std::move(newtons.total_N));
    applied.total_u95_N = array_of(std::move(newtons.total_u95_N));
  }
  if (newtons.columns.centre) {
    applied.centre_m = array_of(std::move(newtons.centre_m), {rows, 2});
    applied.direction_rad = array_of(std::move(newtons.direction_rad));
  }
  applied.uncalibrated = uncalibrated_of(newtons.report);
  applied.warnings = list_of(newtons.report.warnings);
  return applied;
}

py::tuple flag_words() {
  py::list words;
  for (const auto flag : {ReadingFlag::kOk, ReadingFlag::kBelow, ReadingFlag::kSaturated,
                          ReadingFlag::kUncalibrated, ReadingFlag::kNoReading})
    words.append(std::string(to_string(flag)));
  return py::tuple(words);
}

constexpr const char* kApplyHelp =
    "Readings of a recording as newtons, each with its uncertainty, as `tactelier apply`.\n\n"
    "session: a path, a Session, or a table like tactile.csv. Returns an Applied.\n"
    "Raises Error when model and recording are of different sensors.";

}  // namespace

void add_apply(py::module_& module, ModelClass& model) {
  py::class_<Applied>(module, "Applied", "Newtons of a recording: one row for each frame.")
      .def_readonly("time_s", &Applied::time_s, "Shape (rows,).")
      .def_readonly("force_N", &Applied::force_N,
                    "Shape (rows, tactels): the force on the calibration indenter that gives this "
                    "reading. NaN below\nthreshold or without calibration; at saturation the lower "
                    "limit.")
      .def_readonly("u95_N", &Applied::u95_N, "Shape (rows, tactels): expanded (95 %).")
      .def_readonly("flag", &Applied::flag,
                    "Shape (rows, tactels), uint8: index into tactelier.FLAGS.")
      .def_readonly("total_N", &Applied::total_N,
                    "Shape (rows,): on the whole array; None where the model doesn't know it.")
      .def_readonly("total_u95_N", &Applied::total_u95_N, "Shape (rows,), or None.")
      .def_readonly("centre_m", &Applied::centre_m,
                    "Shape (rows, 2): x and y of what presses, in the sensor's frame; or None.")
      .def_readonly("direction_rad", &Applied::direction_rad,
                    "Shape (rows,): which way it lies; NaN where it is as wide as long; or None.")
      .def_readonly("uncalibrated", &Applied::uncalibrated,
                    "Dicts of reason and tactels that get no newtons.")
      .def_readonly("warnings", &Applied::warnings, "Dicts of code, text and where.")
      .def("__repr__", [](const Applied& self) {
        return fmt::format("<tactelier.Applied {} frames>", py::len(self.time_s));
      });
  module.attr("FLAGS") = flag_words();
  model.def("apply", &apply, py::arg("session"), py::kw_only(), py::arg("progress") = py::none(),
            kApplyHelp);
}

}  // namespace tactelier::python
