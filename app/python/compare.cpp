// Model.compare() and Model.diff(): predicted images beside recorded ones, and what changed between
// two models.

#include <pybind11/stl.h>

#include <limits>

#include "app/python/arrays.hpp"
#include "app/python/metrics.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/compare_images.hpp"
#include "reports/model_diff.hpp"

namespace tactelier::python {
namespace {

std::string name_of(ImageMetric metric) {
  return std::string(image_metrics()[static_cast<std::size_t>(metric)].name);
}

py::dict image_of_press(const ComparedImage& image) {
  py::object shift = py::none();
  if (const auto& moved = image.shift)
    shift = py::make_tuple(moved->x_m, moved->y_m, moved->rz_rad);
  py::object course = py::none();
  if (const auto& along = image.course)
    course = py::dict("latency_s"_a = along->latency_s,
                      "measured_loop_percent"_a = along->measured_loop_percent,
                      "predicted_loop_percent"_a = along->predicted_loop_percent,
                      "loop_ratio"_a = along->loop_ratio);
  return py::dict("session"_a = image.session, "image"_a = image.image, "method"_a = image.method,
                  "indenter"_a = image.indenter, "load_N"_a = image.load_N,
                  "predicted"_a = array_of(image.predicted),
                  "measured"_a = array_of(image.measured), "metrics"_a = metrics_of(image.metrics),
                  "shift"_a = shift, "false_lit"_a = image.contact.false_lit,
                  "missed_lit"_a = image.contact.missed_lit, "course"_a = course);
}

/// What Python gets.
struct Comparison {
  py::list images, warnings;
  py::dict median, p95, ci95, floor, strata;
  std::vector<std::string> beyond;
};

py::dict stratum_dict(const Stratum& stratum) {
  py::dict median, p95;
  for (const auto& [metric, summary] : stratum.summary) {
    const py::str name(name_of(metric));
    median[name] = summary.median;
    p95[name] = summary.p95;
  }
  return py::dict("by"_a = stratum.by, "value"_a = stratum.value, "images"_a = stratum.images,
                  "median"_a = median, "p95"_a = p95);
}

Comparison comparison_of(const CompareReport& report) {
  Comparison found;
  found.images = list_of(report.images, image_of_press);
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
  for (const auto& [method, strata] : report.strata)
    found.strata[py::str(method)] = list_of(strata, stratum_dict);
  found.floor = metrics_of(report.floor);
  found.warnings = list_of(report.warnings);
  return found;
}

Comparison compare(const PyModel& self, const py::object& sessions,
                   const std::vector<std::string>& methods, bool registered, std::uint64_t seed,
                   const py::object& images, const py::dict& fail_above,
                   const py::object& progress) {
  const auto limits = limits_of(fail_above);
  CompareRequest request;
  if (!images.is_none()) request.images = path_of(images);
  request.model = self.name;
  request.sessions = session_paths(sessions);
  request.methods = methods;
  request.registered = registered;
  request.seed = seed;
  const auto report = run_job<CompareReport>(
      [&](const Job& job) { return compare_with_sessions(self.model, request, job); }, progress);
  auto found = comparison_of(report);
  found.beyond = beyond_limits(limits, report);
  return found;
}

py::list diff(const PyModel& self, const PyModel& after) {
  return list_of(diff_models(self.model, after.model).changes, [](const auto& change) {
    return py::dict("path"_a = change.path, "verdict"_a = std::string(to_string(change.kind)),
                    "before"_a = change.before.value, "after"_a = change.after.value,
                    "unit"_a = change.before.unit, "relative"_a = change.relative,
                    "e_n"_a = change.e_n);
  });
}

constexpr const char* kCompareHelp =
    "What the model predicts of recorded image presses, as `tactelier compare`.\n\n"
    "sessions: paths or Sessions that hold image presses. methods: of forward().\n"
    "registered: each method once more with the poses that fit best. seed: of the bootstrap.\n"
    "images: a folder for both images of each press. fail_above: limits of medians by metric, "
    "{'rel_l1': 5}; lengths in m,\nangles in rad, times in s.\n\n"
    "Returns a Comparison. Raises Error where no session holds an image press, or a method can "
    "predict none.";

constexpr const char* kDiffHelp =
    "What changed from this model to another, as `tactelier diff`: dicts of path, verdict, before, "
    "after,\nunit, relative and e_n. E_n = |change| / sqrt(U_before^2 + U_after^2); beyond 1 it is "
    "significant.\nverdict: 'within', 'significant', 'unknown', 'appeared' or 'vanished'.";

}  // namespace

void add_compare(py::module_& module, ModelClass& model) {
  py::class_<Comparison>(module, "Comparison", "Predicted images beside recorded ones.")
      .def_readonly(
          "images", &Comparison::images,
          "Dicts of session, image, method, indenter, load_N, predicted and measured "
          "(counts above rest by\ntactel, arrays), metrics, shift (x_m, y_m, rz_rad) of "
          "registered ones, false_lit, missed_lit, course (latency_s and loops of a press by the "
          "stage).")
      .def_readonly("median", &Comparison::median, "By method, then by metric.")
      .def_readonly("p95", &Comparison::p95, "95 % of the images are better; the same.")
      .def_readonly("ci95", &Comparison::ci95, "Of the medians, by bootstrap over presses.")
      .def_readonly(
          "strata", &Comparison::strata,
          "By method: dicts of by ('indenter', 'load', 'tilt'), value, images, median and "
          "p95.")
      .def_readonly("beyond", &Comparison::beyond,
                    "In words, each median above its limit of fail_above, or without a value; "
                    "empty: all hold.")
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
           py::arg("seed") = CompareRequest().seed, py::arg("images") = py::none(),
           py::arg("fail_above") = py::dict(), py::arg("progress") = py::none(), kCompareHelp)
      .def("diff", &diff, py::arg("after"), kDiffHelp);
}

}  // namespace tactelier::python
