// Model.export(): the file that a simulator reads.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/workflow/export_model.hpp"

namespace tactelier::python {
namespace {

/// {"friction.mu_s": 0.4} as the command line's PATH=VALUE, in the same order.
std::vector<std::string> assumptions_of(const py::dict& assume) {
  std::vector<std::string> assumptions;
  for (const auto& [path, value] : assume)
    assumptions.push_back(fmt::format("{}={}", path.cast<std::string>(), value.cast<double>()));
  return assumptions;
}

/// What Python gets.
struct Export {
  std::vector<std::string> files;
  py::list losses, warnings;
};

py::list losses_of(const Exported& exported) {
  py::list list;
  for (const auto& loss : exported.losses) {
    py::dict one;
    one["path"] = loss.path;
    one["reason"] = loss.reason;
    list.append(one);
  }
  return list;
}

Export export_to(const PyModel& self, const std::string& format, const py::object& path,
                 const py::dict& assume, bool overwrite) {
  ExportRequest request;
  request.format = format;
  request.assumptions = assumptions_of(assume);
  const auto exported = value_of(export_model(self.model, request));
  Export written{{}, losses_of(exported), list_of(exported.warnings)};
  if (path.is_none()) return written;
  const auto file = path_of(path);
  may_write(file, overwrite);
  for (const auto& one : value_of(write_export(exported, file, overwrite)))
    written.files.push_back(one.string());
  return written;
}

py::dict formats() {
  py::dict titles;
  for (const auto* exporter : exporters())
    titles[py::str(std::string(exporter->id()))] = std::string(exporter->title());
  return titles;
}

constexpr const char* kExportHelp =
    "Writes the file that a simulator reads, and what belongs to it beside it, as `tactelier "
    "export`.\n\n"
    "format: one of formats(). path: None only says what the format would not hold.\n"
    "assume: fills what is not identified, by path in SI units; the file says so.\n\n"
    "Returns an Export. Raises Error where the model can't be written at all, or a file is there.";

}  // namespace

void add_export(py::module_& module, ModelClass& model) {
  py::class_<Export>(module, "Export", "What an export wrote and what it left out.")
      .def_readonly("files", &Export::files, "The main one first.")
      .def_readonly("losses", &Export::losses, "Dicts of path and reason.")
      .def_readonly("warnings", &Export::warnings, "Dicts of code, text and where.");
  model.def("export", &export_to, py::arg("format"), py::arg("path"), py::kw_only(),
            py::arg("assume") = py::dict(), py::arg("overwrite") = false, kExportHelp);
  module.def("formats", &formats, "Names of the formats of Model.export(), each with its title.");
}

}  // namespace tactelier::python
