// Model.report(): a document to file.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/report/make_report.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::python {
namespace {

PaperSize paper_of(const std::string& name) {
  if (name == "a4") return PaperSize::kA4;
  if (name == "letter") return PaperSize::kLetter;
  raise({ErrorCode::kUsage, fmt::format("paper='{}': 'a4' or 'letter'", name)});
}

Result<MadeReport> write_report(const PyModel& model, const std::filesystem::path& file,
                                const std::vector<std::filesystem::path>& files, PaperSize paper,
                                const Job& job) {
  auto made = make_report(model.model, model.name.empty() ? "model" : model.name, files, job);
  if (!made) return made;
  const auto bytes = report_bytes(made->document, file, paper);
  if (!bytes) return fail(bytes.error());
  if (auto written = write_text_file(file, *bytes); !written) return fail(written.error());
  return made;
}

py::dict report(const PyModel& self, const py::object& path, const py::object& files,
                const std::string& paper, bool overwrite, const py::object& progress) {
  const auto file = path_of(path);
  if (const auto known = report_kind(file); !known) raise(known.error());
  may_write(file, overwrite);
  const auto size = paper_of(paper);
  const auto beside = session_paths(files);
  const auto made = run_job<MadeReport>(
      [&](const Job& job) { return write_report(self, file, beside, size, job); }, progress);
  const auto chapters =
      list_of(made.document.chapters, [](const auto& chapter) { return chapter.title; });
  return py::dict("file"_a = file.string(), "title"_a = made.document.title,
                  "chapters"_a = chapters, "warnings"_a = list_of(made.warnings));
}

constexpr const char* kReportHelp =
    "Writes a document to file, .html or .pdf, as `tactelier report`.\n\n"
    "files: recordings that the model was fitted from (plots of data and fit), others of the same "
    "sensor\n(compared with it), other models, verification records. paper: 'a4' or 'letter'.\n\n"
    "Returns a dict of file, title, chapters and warnings. Raises Error for files of another "
    "sensor.";

}  // namespace

void add_report(ModelClass& model) {
  model.def("report", &report, py::arg("path"), py::arg("files") = py::tuple(), py::kw_only(),
            py::arg("paper") = "a4", py::arg("overwrite") = false, py::arg("progress") = py::none(),
            kReportHelp);
}

}  // namespace tactelier::python
