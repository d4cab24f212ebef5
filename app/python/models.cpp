#include "app/python/models.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "app/python/arrays.hpp"
#include "app/python/objects.hpp"
#include "app/python/path_pattern.hpp"
#include "fitting/engine/purpose.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/model_table.hpp"

namespace tactelier::python {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<PyModel> load(const py::object& path) {
  const auto file = path_of(path);
  auto loaded = [&] {
    const py::gil_scoped_release released;
    return read_model(file);
  }();
  auto model = std::make_shared<PyModel>();
  model->model = value_of(std::move(loaded));
  model->name = file.filename().string();
  model->warnings = check_model(model->model);
  return model;
}

void save(const PyModel& self, const py::object& path, bool overwrite) {
  const auto file = path_of(path);
  may_write(file, overwrite);
  value_of(write_model(self.model, file));
}

Parameter parameter_at(PyModel& self, const std::string& path) {
  return *value_of(find_parameter(self.model, path));
}

py::tuple paths_of(const PyModel& self) {
  py::list paths;
  for_each_parameter(self.model, [&](const std::string& path, const Parameter&, std::string_view) {
    paths.append(path);
  });
  return py::tuple(paths);
}

bool has(const PyModel& self, const std::string& wanted) {
  bool found = false;
  for_each_parameter(self.model, [&](const std::string& path, const Parameter&, std::string_view) {
    found = found || path == wanted;
  });
  return found;
}

std::size_t count(const PyModel& self) {
  std::size_t parameters = 0;
  for_each_parameter(self.model,
                     [&](const std::string&, const Parameter&, std::string_view) { ++parameters; });
  return parameters;
}

std::vector<Parameter> matching(const PyModel& self, const std::string& pattern) {
  std::vector<Parameter> found;
  const PathPattern wanted(pattern);
  for_each_parameter(self.model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (wanted.matches(path)) found.push_back(parameter);
                     });
  if (found.empty())
    raise({ErrorCode::kUsage,
           fmt::format("no parameter of the model matches '{}'; list(model) names them", pattern)});
  return found;
}

py::object array_at(const PyModel& self, const std::string& pattern, const std::string& of) {
  const auto found = matching(self, pattern);
  std::vector<double> numbers;
  for (const auto& parameter : found) {
    if (of == "value")
      numbers.push_back(parameter.value.value_or(kNoNumber));
    else if (of == "std")
      numbers.push_back(parameter.std.value_or(kNoNumber));
    else if (of == "u_total")
      numbers.push_back(parameter.u_total.value_or(kNoNumber));
    else if (of == "ci95")
      std::ranges::copy(parameter.ci95.value_or(std::array{kNoNumber, kNoNumber}),
                        std::back_inserter(numbers));
    else
      raise({ErrorCode::kUsage,
             fmt::format("of='{}': there are 'value', 'std', 'u_total' and 'ci95'", of)});
  }
  if (of == "ci95")
    return array_of(std::move(numbers), {static_cast<py::ssize_t>(found.size()), 2});
  return array_of(std::move(numbers));
}

py::tuple statuses(const PyModel& self, const std::string& pattern) {
  py::list list;
  for (const auto& parameter : matching(self, pattern))
    list.append(std::string(to_string(parameter.status)));
  return py::tuple(list);
}

std::string table_of(const PyModel& self, bool tactels, bool presses) {
  auto sections = model_sections(self.model, {tactels, presses});
  for (auto& section : sections) section.warnings.clear();
  std::erase_if(sections, [](const Section& section) { return section.tables.empty(); });
  return to_text(sections);
}

std::string model_words(const PyModel& self) {
  return fmt::format("<tactelier.Model {} {}, {}>", self.model.sensor.vendor,
                     self.model.sensor.model, found_words(self.model));
}

constexpr const char* kArrayHelp =
    "Numbers of many parameters in the order of the file: '*' stands for any index.\n\n"
    "model.array('response.tactels[*].press_gain') has one for each tactel, in N/count.\n"
    "of: 'value', 'std' or 'u_total' (shape (n,)), 'ci95' (shape (n, 2)). NaN where there is "
    "none.\n"
    "Raises Error where nothing matches.";

}  // namespace

ModelClass add_models(py::module_& module) {
  ModelClass model(module, "Model",
                   "A sensor model, as fit() makes and load_model() reads it.\n\n"
                   "model['stiffness.k_punch'] is a Parameter; list(model) names all paths.");
  model
      .def_property_readonly(
          "created", [](const PyModel& self) { return self.model.created; }, "UTC, ISO 8601.")
      .def_property_readonly(
          "serial", [](const PyModel& self) { return self.model.serial; }, "Of the sensor; or ''.")
      .def_property_readonly(
          "tactels", [](const PyModel& self) { return self.model.sensor.tactels(); },
          "How many the sensor has.")
      .def_property_readonly(
          "identified", [](const PyModel& self) { return anything_identified(self.model); },
          "Whether anything was found of what the fit was asked for.")
      .def_property_readonly(
          "found", [](const PyModel& self) { return found_words(self.model); },
          "What was identified, in words, by stage.")
      .def_readonly("unmet", &PyModel::unmet,
                    "Required of the fit but not identified, with the reasons.")
      .def_readonly("predictions", &PyModel::predictions,
                    "With holdout: how well image presses were predicted, in words.")
      .def_property_readonly(
          "warnings", [](const PyModel& self) { return list_of(self.warnings); },
          "Dicts of code, text and where, as --json has them.")
      .def(
          "to_dict", [](const PyModel& self) { return from_json(to_json(self.model)); },
          "All of the model, as its file has it (data/schemas/sensor-model.schema.json).")
      .def("save", &save, py::arg("path"), py::kw_only(), py::arg("overwrite") = false,
           "Writes the model file (JSON). Raises Error where it is there already.")
      .def("array", &array_at, py::arg("pattern"), py::arg("of") = "value", kArrayHelp)
      .def("statuses", &statuses, py::arg("pattern"),
           "Parameter.status of the same parameters as array() takes.")
      .def("table", &table_of, py::kw_only(), py::arg("tactels") = false,
           py::arg("presses") = false, "The parameters as a table, as `tactelier show` prints it.")
      .def("__getitem__", &parameter_at, py::arg("path"))
      .def("__contains__", &has)
      .def("__iter__", [](const PyModel& self) { return py::iter(paths_of(self)); })
      .def("__len__", &count)
      .def("__repr__", &model_words);
  module.def("load_model", &load, py::arg("path"),
             "Reads a model file. Raises Error naming the place where it is broken.");
  return model;
}

}  // namespace tactelier::python
