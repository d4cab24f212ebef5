// Model.report(): a document to file.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/report/make_report.hpp"
#include "app/workflow/report/paper_folder.hpp"
#include "libcalib/text_file.hpp"
#include "reports/document/data_writer.hpp"

namespace tactelier::python {
namespace {

PaperSize paper_of(const std::string& name) {
  if (name == "a4") return PaperSize::kA4;
  if (name == "letter") return PaperSize::kLetter;
  raise({ErrorCode::kUsage, fmt::format("paper='{}': 'a4' or 'letter'", name)});
}

/// What is to be written; at least one of file and kit.
struct ReportPaths {
  std::optional<std::filesystem::path> file, data, kit;
  PaperSize paper = PaperSize::kA4;
};

std::optional<std::filesystem::path> wanted_path(const py::object& path) {
  if (path.is_none()) return {};
  return path_of(path);
}

void check_report(const ReportPaths& paths, bool overwrite) {
  if (!paths.file && !paths.kit) raise({ErrorCode::kUsage, "report: give a path, or kit"});
  if (paths.file) {
    if (const auto known = report_kind(*paths.file); !known) raise(known.error());
    may_write(*paths.file, overwrite);
  }
  if (paths.data) may_write(*paths.data, overwrite);
  std::error_code unknown;
  if (paths.kit && std::filesystem::exists(std::filesystem::symlink_status(*paths.kit, unknown)))
    raise({ErrorCode::kUsage, fmt::format("'{}' is there already; the paper kit is a new folder",
                                          paths.kit->string())});
}

Result<MadeReport> write_report(const PyModel& model, const ReportPaths& paths,
                                const std::vector<std::filesystem::path>& files, const Job& job) {
  auto made = make_report(model.model, model.name.empty() ? "model" : model.name, files, job);
  if (!made) return made;
  if (paths.data)
    if (auto written = write_text_file(*paths.data, report_data(made->document)); !written)
      return fail(written.error());
  if (paths.file) {
    const auto bytes = report_bytes(made->document, *paths.file, paths.paper);
    if (!bytes) return fail(bytes.error());
    if (auto written = write_text_file(*paths.file, *bytes); !written) return fail(written.error());
  }
  if (paths.kit)
    if (auto written = write_paper_folder(*paths.kit, model.model, made->document, job); !written)
      return fail(written.error());
  return made;
}

std::optional<std::string> as_text(const std::optional<std::filesystem::path>& path) {
  if (!path) return {};
  return path->string();
}

py::dict report(const PyModel& self, const ReportPaths& paths, const py::object& files,
                bool overwrite, const py::object& progress) {
  check_report(paths, overwrite);
  const auto beside = session_paths(files);
  const auto made = run_job<MadeReport>(
      [&](const Job& job) { return write_report(self, paths, beside, job); }, progress);
  const auto chapters =
      list_of(made.document.chapters, [](const auto& chapter) { return chapter.title; });
  return py::dict("file"_a = as_text(paths.file), "data"_a = as_text(paths.data),
                  "kit"_a = as_text(paths.kit), "title"_a = made.document.title,
                  "chapters"_a = chapters, "warnings"_a = list_of(made.warnings));
}

constexpr const char* kReportHelp =
    "Writes a document to file, .html or .pdf, as `tactelier report`.\n\n"
    "files: recordings that the model was fitted from (plots of data and fit), others of the same "
    "sensor\n(compared with it), other models, verification records. paper: 'a4' or 'letter'.\n"
    "data: a file for every number of the report, JSON. kit: a new folder of figures, tables, "
    "methods and sources\nfor a publication; with it path may be None.\n\n"
    "Returns a dict of file, data, kit, title, chapters and warnings. Raises Error for files of "
    "another sensor.";

}  // namespace

void add_report(ModelClass& model) {
  model.def(
      "report",
      [](const PyModel& self, const py::object& path, const py::object& files,
         const std::string& paper, const py::object& data, const py::object& kit, bool overwrite,
         const py::object& progress) {
        const ReportPaths paths{wanted_path(path), wanted_path(data), wanted_path(kit),
                                paper_of(paper)};
        return report(self, paths, files, overwrite, progress);
      },
      py::arg("path"), py::arg("files") = py::tuple(), py::kw_only(), py::arg("paper") = "a4",
      py::arg("data") = py::none(), py::arg("kit") = py::none(), py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kReportHelp);
}

}  // namespace tactelier::python
