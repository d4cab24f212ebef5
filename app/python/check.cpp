// Model.check(): is the calibration still good?

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/check_calibration.hpp"

namespace tactelier::python {
namespace {

CalibrationCheck check_with(const PyModel& self, const py::object& session, double tolerance,
                            const py::object& progress) {
  if (!(tolerance >= 0.001 && tolerance <= 0.5))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("tolerance={}: between 0.001 and 0.5", tolerance)});
  const auto file = session_path(session);
  CheckSettings settings;
  settings.gain_tolerance = tolerance;
  return run_job<CalibrationCheck>(
      [&](const Job& job) { return check_calibration(self.model, file, settings, job); }, progress);
}

py::list tactels_of(const CalibrationCheck& check) {
  return list_of(check.tactels, [](const auto& tactel) {
    return py::dict("tactel"_a = tactel.tactel, "gain_ratio"_a = tactel.gain_ratio,
                    "gain_e_n"_a = tactel.gain_e_n, "own_e_n"_a = tactel.own_e_n,
                    "offset_change_counts"_a = tactel.offset_change,
                    "offset_e_n"_a = tactel.offset_e_n);
  });
}

constexpr const char* kCheckHelp =
    "Is this calibration still good? As `tactelier check`.\n\n"
    "session: a short one of the same sensor, as protocol 'check' records it.\n"
    "tolerance: relative change of a gain that matters, 0.001 to 0.5.\n\n"
    "Returns a Check. Raises Error ('unidentifiable') where too few tactels can be compared.";

}  // namespace

void add_check(py::module_& module, ModelClass& model) {
  py::class_<CalibrationCheck>(module, "Check", "What a check of a calibration found.")
      .def_property_readonly(
          "verdict",
          [](const CalibrationCheck& self) { return std::string(to_string(self.verdict)); },
          "'valid', 're-zero', 'rescale', 'recalibrate' or 'wrong sensor'.")
      .def_property_readonly(
          "valid",
          [](const CalibrationCheck& self) { return self.verdict == CalibrationVerdict::kValid; },
          "Whether it is still good as it is.")
      .def_readonly("explanation", &CalibrationCheck::explanation, "What to do, in a sentence.")
      .def_readonly("common_factor", &CalibrationCheck::common_factor,
                    "Median of the gains now over then.")
      .def_readonly("u_common_factor", &CalibrationCheck::u_common_factor, "Of it, 95 %.")
      .def_readonly("recalibrate", &CalibrationCheck::recalibrate,
                    "Tactels that changed on their own.")
      .def_readonly("rezero", &CalibrationCheck::rezero, "Tactels whose offset moved.")
      .def_readonly("not_compared", &CalibrationCheck::not_compared,
                    "Calibrated tactels that the session says nothing of.")
      .def_property_readonly("tactels", &tactels_of,
                             "Dicts of tactel, gain_ratio, gain_e_n, own_e_n, "
                             "offset_change_counts, offset_e_n.")
      .def_property_readonly(
          "warnings", [](const CalibrationCheck& self) { return list_of(self.warnings); },
          "Dicts of code, text and where.")
      .def("__repr__", [](const CalibrationCheck& self) {
        return fmt::format("<tactelier.Check {}: {}>", to_string(self.verdict), self.explanation);
      });
  model.def("check", &check_with, py::arg("session"), py::kw_only(), py::arg("tolerance") = 0.02,
            py::arg("progress") = py::none(), kCheckHelp);
}

}  // namespace tactelier::python
