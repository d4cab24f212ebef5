// guess_map(): what a table from elsewhere seems to hold.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/recordings.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/import_session.hpp"

namespace tactelier::python {
namespace {

py::dict guessed_dict(const GuessedMap& guessed, const std::filesystem::path& map) {
  const auto columns = list_of(guessed.columns, [](const auto& column) {
    return py::dict("name"_a = column.name, "target"_a = column.target, "unit"_a = column.unit,
                    "because"_a = column.why);
  });
  const auto unknown = list_of(guessed.questions, [](const auto& question) {
    return py::dict("option"_a = question.key == "load-cell" ? "load_cell" : question.key,
                    "question"_a = question.text, "otherwise"_a = question.otherwise);
  });
  return py::dict("map"_a = map.string(), "columns"_a = columns,
                  "understood"_a = guessed.understood, "unknown"_a = unknown);
}

py::dict guess_and_write(const py::object& source, const py::object& path, GuessAnswers answers,
                         bool overwrite, const py::object& progress) {
  const GuessRequest request{path_of(source), std::move(answers)};
  const auto map = path.is_none() ? map_beside(request.source) : path_of(path);
  may_write(map, overwrite);
  const auto guessed =
      run_job<GuessedMap>([&](const Job& job) { return guess_import(request, job); }, progress);
  value_of(write_map(guessed, map, overwrite));
  return guessed_dict(guessed, map);
}

constexpr const char* kGuessHelp =
    "Looks at a table, or a folder of tables that are alike, and writes the map that "
    "import_recording() needs,\nas `tactelier import --guess` (docs/bring-your-own.md).\n\n"
    "path: of the map; None: TABLE.map.json beside the table.\n"
    "What no table says is answered in words, as on the command line: sensor 'weiss-wts0614', "
    "layout '14x6',\npitch '3.4' (mm), indenter 'cylinder 5', weights '0,100,200,0' (g), columns "
    "'t_s,load,s1', load_cell\n'8322237=0,8341540=50 g', load '20 N', rate '100', rest '512'; "
    "certificate: percent of gain.\n\n"
    "Returns a dict of map, columns (name, target, unit, because), understood, and unknown: which "
    "options would\nsay more. Raises Error where no map could read the table.";

}  // namespace

void add_guess(py::module_& module) {
  module.def(
      "guess_map",
      [](const py::object& source, const py::object& path, std::string sensor, std::string layout,
         std::string pitch, std::string indenter, std::string weights, std::string columns,
         std::string load_cell, std::string load, std::string rate, std::string rest,
         std::optional<double> certificate, bool overwrite, const py::object& progress) {
        GuessAnswers answers;
        answers.sensor = std::move(sensor);
        answers.layout = std::move(layout);
        answers.pitch = std::move(pitch);
        answers.indenter = std::move(indenter);
        answers.weights = std::move(weights);
        answers.columns = std::move(columns);
        answers.load_cell = std::move(load_cell);
        answers.load = std::move(load);
        answers.rate = std::move(rate);
        answers.rest = std::move(rest);
        answers.gain_u_percent = certificate;
        return guess_and_write(source, path, std::move(answers), overwrite, progress);
      },
      py::arg("source"), py::arg("path") = py::none(), py::kw_only(), py::arg("sensor") = "",
      py::arg("layout") = "", py::arg("pitch") = "", py::arg("indenter") = "",
      py::arg("weights") = "", py::arg("columns") = "", py::arg("load_cell") = "",
      py::arg("load") = "", py::arg("rate") = "", py::arg("rest") = "",
      py::arg("certificate") = py::none(), py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kGuessHelp);
}

}  // namespace tactelier::python
