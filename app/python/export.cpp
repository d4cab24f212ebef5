// Model.export(): the file that a simulator reads.

#include <pybind11/stl.h>

#include "app/python/assumptions.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/workflow/export_model.hpp"

namespace tactelier::python {
namespace {

/// What Python gets.
struct Export {
  std::vector<std::string> files;
  py::list losses, warnings;
};

py::list losses_of(const Exported& exported) {
  return list_of(exported.losses, [](const auto& loss) {
    return py::dict("path"_a = loss.path, "reason"_a = loss.reason);
  });
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.string());
  return names;
}

/// What is left out is the same of all draws.
Export draws_to(const PyModel& self, const ExportRequest& request, const DrawRequest& draws,
                const std::filesystem::path& file, bool overwrite) {
  const auto drawn = value_of(export_draws(self.model, request, draws, file));
  for (const auto& draw : drawn) may_write(draw.file, overwrite);
  const auto& first = drawn.front().exported;
  return {names_of(value_of(write_draws(drawn, overwrite))), losses_of(first),
          list_of(first.warnings)};
}

Export export_to(const PyModel& self, const std::string& format, const py::object& path,
                 const py::dict& assume, const DrawRequest& draws, bool overwrite) {
  ExportRequest request;
  request.format = format;
  request.assumptions = assumptions_of(assume);
  if (draws.count != 0) {
    if (draws.count < 0 || draws.count > 10000 || path.is_none())
      raise({ErrorCode::kUsage, fmt::format("draws={}: up to 10000, with a path", draws.count)});
    return draws_to(self, request, draws, path_of(path), overwrite);
  }
  const auto exported = value_of(export_model(self.model, request));
  Export written{{}, losses_of(exported), list_of(exported.warnings)};
  if (path.is_none()) return written;
  const auto file = path_of(path);
  may_write(file, overwrite);
  written.files = names_of(value_of(write_export(exported, file, overwrite)));
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
    "assume: fills what is not identified, by path in SI units; the file says so.\n"
    "draws: so many files, each of a model drawn from the fit's covariance: FILE_1, FILE_2 ...; "
    "seed: of the draws.\n\n"
    "Returns an Export. Raises Error where the model can't be written at all, or a file is there.";

}  // namespace

void add_export(py::module_& module, ModelClass& model) {
  py::class_<Export>(module, "Export", "What an export wrote and what it left out.")
      .def_readonly("files", &Export::files, "The main one first.")
      .def_readonly("losses", &Export::losses, "Dicts of path and reason.")
      .def_readonly("warnings", &Export::warnings, "Dicts of code, text and where.");
  model.def(
      "export",
      [](const PyModel& self, const std::string& format, const py::object& path,
         const py::dict& assume, int draws, std::uint64_t seed, bool overwrite) {
        return export_to(self, format, path, assume, {draws, seed}, overwrite);
      },
      py::arg("format"), py::arg("path"), py::kw_only(), py::arg("assume") = py::dict(),
      py::arg("draws") = 0, py::arg("seed") = DrawRequest().seed, py::arg("overwrite") = false,
      kExportHelp);
  module.def("formats", &formats, "Names of the formats of Model.export(), each with its title.");
}

}  // namespace tactelier::python
