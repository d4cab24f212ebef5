// Model.refresh(): the model again, with the gains that have moved since.

#include <pybind11/stl.h>

#include <cmath>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/refresh_model.hpp"
#include "fitting/refresh/refreshed_model.hpp"

namespace tactelier::python {
namespace {

struct PyRefresh {
  std::shared_ptr<PyModel> model;
  refresh::GainChanges changes;
};

PyRefresh refresh_with(const PyModel& self, const py::object& session, double tolerance,
                       const py::object& progress) {
  if (!(tolerance >= 0.001 && tolerance <= 0.5))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("tolerance={}: between 0.001 and 0.5", tolerance)});
  const auto file = session_path(session);
  refresh::ChangeSettings settings;
  settings.tolerance = tolerance;
  auto found = run_job<RefreshedModel>(
      [&](const Job& job) { return refresh_model(self.model, file, settings, job); }, progress);
  auto model = std::make_shared<PyModel>();
  model->model = std::move(found.model);
  model->warnings = std::move(found.warnings);
  return {std::move(model), std::move(found.changes)};
}

py::list tactels_of(const PyRefresh& self) {
  return list_of(self.changes.tactels, [](const auto& one) {
    const auto told = [](bool there, const auto& value) {
      return there ? py::object(py::cast(value)) : py::none();
    };
    return py::dict("tactel"_a = one.tactel, "ratio"_a = std::exp(one.log_ratio),
                    "u_ratio"_a = 2 * one.u_ratio,
                    "u_by_presses"_a = told(std::isfinite(one.u_by_presses), 2 * one.u_by_presses),
                    "changed"_a = one.changed, "seen"_a = one.seen,
                    "broken"_a = told(!one.broken.empty(), one.broken));
  });
}

constexpr const char* kRefreshHelp =
    "Which gains have changed since this model was made? As `tactelier refresh`.\n\n"
    "session: a short one of the same sensor, as `record --refresh` chooses it, or any other with "
    "presses.\n"
    "tolerance: relative change of a gain that matters, 0.001 to 0.5.\n\n"
    "Returns a Refresh; its model holds the new gains, and everything else as it was. Raises Error "
    "('unidentifiable') where the model has no point spread or no press says anything.";

}  // namespace

void add_refresh(py::module_& module, ModelClass& model) {
  py::class_<PyRefresh>(module, "Refresh", "Which gains have changed, and the model with them.")
      .def_readonly("model", &PyRefresh::model,
                    "The new Model; its warnings are those of the refresh.")
      .def_property_readonly(
          "words", [](const PyRefresh& self) { return refresh::words_of(self.changes); },
          "What has changed, in a sentence.")
      .def_property_readonly(
          "changed", [](const PyRefresh& self) { return self.changes.changed(); },
          "Tactels whose gain changed on its own.")
      .def_property_readonly(
          "not_seen", [](const PyRefresh& self) { return self.changes.not_seen(); },
          "Tactels that were pressed too little to say.")
      .def_property_readonly(
          "broken", [](const PyRefresh& self) { return self.changes.broken(); },
          "Tactels that no longer answer as they did.")
      .def_property_readonly(
          "all_changed", [](const PyRefresh& self) { return self.changes.all_changed; },
          "Whether all gains changed by the common factor.")
      .def_property_readonly(
          "common_factor", [](const PyRefresh& self) { return std::exp(self.changes.log_common); },
          "Of the gains now over then.")
      .def_property_readonly(
          "u_common_factor", [](const PyRefresh& self) { return 2 * self.changes.u_common; },
          "Of it, 95 %.")
      .def_property_readonly(
          "presses", [](const PyRefresh& self) { return self.changes.presses; },
          "That say something.")
      .def_property_readonly(
          "chi2_per_dof", [](const PyRefresh& self) { return self.changes.chi2_per_dof; },
          "How well the model predicts them; 1 where it does.")
      .def_property_readonly("tactels", &tactels_of,
                             "Dicts of tactel, ratio, u_ratio and u_by_presses (95 %; None where "
                             "no press tells), changed, seen, broken.")
      .def("__repr__", [](const PyRefresh& self) {
        return fmt::format("<tactelier.Refresh: {}>", refresh::words_of(self.changes));
      });
  model.def("refresh", &refresh_with, py::arg("session"), py::kw_only(),
            py::arg("tolerance") = 0.02, py::arg("progress") = py::none(), kRefreshHelp);
}

}  // namespace tactelier::python
