// Model.compare() and Model.diff(): predicted images beside recorded ones, and what changed between
// two models.

#include <pybind11/stl.h>

#include <limits>

#include "app/python/arrays.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/compare_images.hpp"
#include "reports/model_diff.hpp"

namespace tactelier::python {
namespace {

/// By the metrics' names; None where one is not defined.
py::dict metrics_of(const ImageMetricValues& values) {
  py::dict metrics;
  for (const auto& info : image_metrics())
    metrics[py::str(std::string(info.name))] = at(values, info.metric);
  return metrics;
}

std::string name_of(ImageMetric metric) {
  return std::string(image_metrics()[static_cast<std::size_t>(metric)].name);
}

py::dict image_of_press(const ComparedImage& image) {
  py::dict one;
  one["session"] = image.session;
  one["image"] = image.image;
  one["method"] = image.method;
  one["indenter"] = image.indenter;
  one["load_N"] = image.load_N;
  one["predicted"] = array_of(image.predicted);
  one["measured"] = array_of(image.measured);
  one["metrics"] = metrics_of(image.metrics);
  one["shift"] = py::none();
  if (const auto& shift = image.shift)
    one["shift"] = py::make_tuple(shift->x_m, shift->y_m, shift->rz_rad);
  return one;
}

/// What Python gets.
struct Comparison {
  py::list images, warnings;
  py::dict median, p95, ci95, floor;
};

Comparison comparison_of(const CompareReport& report) {
  Comparison found;
  for (const auto& image : report.images) found.images.append(image_of_press(image));
  for (const auto& [method, summaries] : report.summary) {
    py::dict median, p95, ci95;
    for (const auto& [metric, summary] : summaries) {
      const py::str name(name_of(metric));
      median[name] = summary.median;
      p95[name] = summary.p95;
      if (summary.ci95) ci95[name] = *summary.ci95;
    }
    const py::str key(method);
    found.median[key] = median;
    found.p95[key] = p95;
    if (py::len(ci95) > 0) found.ci95[key] = ci95;
  }
  found.floor = metrics_of(report.floor);
  found.warnings = list_of(report.warnings);
  return found;
}

Comparison compare(const PyModel& self, const py::object& sessions,
                   const std::vector<std::string>& methods, bool registered, std::uint64_t seed,
                   const py::object& progress) {
  CompareRequest request;
  request.model = self.name;
  request.sessions = session_paths(sessions);
  request.methods = methods;
  request.registered = registered;
  request.seed = seed;
  return comparison_of(run_job<CompareReport>(
      [&](const Job& job) { return compare_with_sessions(self.model, request, job); }, progress));
}

py::list diff(const PyModel& self, const PyModel& after) {
  py::list changes;
  for (const auto& change : diff_models(self.model, after.model).changes) {
    py::dict one;
    one["path"] = change.path;
    one["verdict"] = std::string(to_string(change.kind));
    one["before"] = change.before.value;
    one["after"] = change.after.value;
    one["unit"] = change.before.unit;
    one["relative"] = change.relative;
    one["e_n"] = change.e_n;
    changes.append(one);
  }
  return changes;
}

constexpr const char* kCompareHelp =
    "What the model predicts of recorded image presses, as `tactelier compare`.\n\n"
    "sessions: paths or Sessions that hold image presses. methods: of forward().\n"
    "registered: each method once more with the poses that fit best. seed: of the bootstrap.\n\n"
    "Returns a Comparison. Raises Error where no session holds an image press, or a method can "
    "predict none.";

constexpr const char* kDiffHelp =
    "What changed from this model to another, as `tactelier diff`: dicts of path, verdict, before, "
    "after,\nunit, relative and e_n. E_n = |change| / sqrt(U_before^2 + U_after^2); beyond 1 it is "
    "significant.\nverdict: 'within', 'significant', 'unknown', 'appeared' or 'vanished'.";

}  // namespace

void add_compare(py::module_& module, ModelClass& model) {
  py::class_<Comparison>(module, "Comparison", "Predicted images beside recorded ones.")
      .def_readonly("images", &Comparison::images,
                    "Dicts of session, image, method, indenter, load_N, predicted and measured "
                    "(counts above rest by\ntactel, arrays), metrics, shift (x_m, y_m, rz_rad) of "
                    "registered ones.")
      .def_readonly("median", &Comparison::median, "By method, then by metric.")
      .def_readonly("p95", &Comparison::p95, "95 % of the images are better; the same.")
      .def_readonly("ci95", &Comparison::ci95, "Of the medians, by bootstrap over presses.")
      .def_readonly("floor", &Comparison::floor,
                    "Medians between repeats of a press, by metric: what no model can beat by "
                    "much.")
      .def_readonly("warnings", &Comparison::warnings, "Dicts of code, text and where.")
      .def("__repr__", [](const Comparison& self) {
        return fmt::format("<tactelier.Comparison {} images>", py::len(self.images));
      });
  model
      .def("compare", &compare, py::arg("sessions"), py::kw_only(),
           py::arg("methods") = CompareRequest().methods, py::arg("registered") = false,
           py::arg("seed") = CompareRequest().seed, py::arg("progress") = py::none(), kCompareHelp)
      .def("diff", &diff, py::arg("after"), kDiffHelp);
}

}  // namespace tactelier::python
