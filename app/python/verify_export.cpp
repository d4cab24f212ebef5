// Model.verify_export(): the exported pad pressed again in its simulator.

#include <pybind11/stl.h>

#include "app/python/assumptions.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/export_model.hpp"
#include "app/workflow/verify_export.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::python {
namespace {

SensorModel assumed(const PyModel& self, const py::dict& assume_by_path) {
  auto model = self.model;
  for (const auto& one : assumptions_of(assume_by_path)) value_of(assume(model, one, "user"));
  return model;
}

std::optional<std::filesystem::path> free_record(const py::object& path, bool overwrite) {
  if (path.is_none()) return {};
  const auto record = path_of(path);
  may_write(record, overwrite);
  may_write(std::filesystem::path(record).replace_extension(".txt"), overwrite);
  value_of(may_write_verification(record, overwrite));
  return record;
}

py::dict verify_export_of(const PyModel& self, const std::string& format, const py::object& path,
                          const py::dict& assume_by_path, const py::object& sessions,
                          bool overwrite, const py::object& progress) {
  VerifyRequest request;
  request.model = self.name.empty() ? "the model" : self.name;
  request.format = format;
  request.sessions = session_paths(sessions);
  const auto model = assumed(self, assume_by_path);
  const auto record = free_record(path, overwrite);
  const auto verified = run_job<VerificationRecord>(
      [&](const Job& job) -> Result<VerificationRecord> {
        auto found = verify_export(model, request, job);
        if (!found || !record) return found;
        if (auto written = write_verification(*found, *record, overwrite); !written)
          return fail(written.error());
        return found;
      },
      progress);
  return py::dict("passed"_a = verified.passed(), "record"_a = from_json(to_json(verified)),
                  "table"_a = to_text(verification_sections(verified)));
}

std::string verify_script_for(const PyModel& self, const std::string& format,
                              const py::dict& assume_by_path) {
  return value_of(
      verify_script(assumed(self, assume_by_path), format, "tactelier " TACTELIER_VERSION));
}

constexpr const char* kVerifyHelp =
    "Presses the exported pad again in its simulator and compares with the model, as `tactelier "
    "verify-export`.\n\n"
    "format: 'mujoco' or 'mujoco-3.7'. path: of the verification record; its page stands beside it "
    "as .txt.\n"
    "assume: fills what is not identified, by path in SI units. sessions: with image presses, "
    "which the pad in\nits simulator predicts beside our own model.\n\n"
    "Returns a dict of passed, record (data/schemas/verification-record.schema.json) and table, "
    "the same in words.\nRaises Error where the simulator isn't here, the export fails, or a file "
    "is there.";

constexpr const char* kVerifyScriptHelp =
    "A Python program that presses the exported pad where its simulator is and writes the record, "
    "as\n`tactelier verify-export --script`.\n\n"
    "format: 'bullet', 'drake', 'newton', 'genesis', 'chrono', 'sdf' or 'isaac'. assume: as for "
    "verify_export().\n\nReturns its text.";

}  // namespace

void add_verify_export(ModelClass& model) {
  model
      .def("verify_export", &verify_export_of, py::arg("format"), py::arg("path") = py::none(),
           py::kw_only(), py::arg("assume") = py::dict(), py::arg("sessions") = py::tuple(),
           py::arg("overwrite") = false, py::arg("progress") = py::none(), kVerifyHelp)
      .def("verify_script", &verify_script_for, py::arg("format"), py::kw_only(),
           py::arg("assume") = py::dict(), kVerifyScriptHelp);
}

}  // namespace tactelier::python
