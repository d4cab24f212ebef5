// Catalogue: what is known of many sensors.

#include <pybind11/stl.h>

#include "app/python/fleet.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/catalogue/catalogue_json.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::python {
namespace {

/// By its file, which is read whenever something is asked of it: a batch may add to it meanwhile.
struct PyCatalogue {
  std::filesystem::path file;
};

template <class Found>
Found found_in(const PyCatalogue& self,
               const std::function<Result<Found>(const Catalogue&)>& look) {
  return run_job<Found>(
      [&](const Job&) -> Result<Found> {
        const auto catalogue = Catalogue::read(self.file);
        if (!catalogue) return fail(catalogue.error());
        return look(*catalogue);
      },
      py::none());
}

using Rows = std::vector<CatalogueRow>;

Rows rows_of(const PyCatalogue& self, const CatalogueFilter& filter) {
  return found_in<Rows>(
      self, [&](const Catalogue& catalogue) { return query_catalogue(catalogue, filter); });
}

py::dict with_table(const nlohmann::json& found, const std::vector<Section>& sections) {
  py::dict told = from_json(found);
  told["table"] = to_text(sections);
  return told;
}

std::size_t exported(const PyCatalogue& self, const py::object& path, const CatalogueFilter& filter,
                     bool overwrite) {
  const auto file = path_of(path);
  may_write(file, overwrite);
  const auto rows = rows_of(self, filter);
  value_of(write_text_file(file, rows_csv(rows)));
  return rows.size();
}

py::dict randomized(const PyCatalogue& self, RandomizeRequest request, const py::object& model,
                    const py::object& models, bool overwrite) {
  if (model.is_none() != models.is_none())
    raise({ErrorCode::kUsage, "model and models go together"});
  if (!model.is_none()) {
    request.base = path_of(model);
    request.models = path_of(models);
  }
  may_write(request.target, overwrite);
  const auto outcome = found_in<RandomizeOutcome>(
      self, [&](const Catalogue& catalogue) { return randomize_fleet(catalogue, request); });
  py::dict told = from_json(randomized_json(request, outcome));
  const auto& fleet = outcome.fleet;
  told["units"] = fleet.units;
  told["range"] = fleet.range;
  return told;
}

constexpr const char* kCatalogueHelp =
    "What run_batch() found of many sensors: one SQLite file (docs/catalogue.md).\n\n"
    "Raises Error where there is none, or it is none.";

constexpr const char* kQueryHelp =
    "Numbers by parameter and sensor, as `tactelier catalogue query`.\n\n"
    "parameters: paths, 'stiffness.k', 'stiffness.*'; of tactels 'response.tactels[].press_gain' "
    "is the median. None: all.\nsensor: name of the description. serial: one sensor. status: "
    "'identified' and so on. history: earlier fits of each sensor,\ntoo.\n\n"
    "Returns dicts of sensor, serial, recorded, path, value, std, u95, spread, count, of, unit, "
    "status and reason.";

constexpr const char* kExportHelp =
    "The same as query() as a table, .csv, as `tactelier catalogue export`. Returns the number of "
    "rows.";

constexpr const char* kReportHelp =
    "Distributions, control limits, outliers and drift, as `tactelier catalogue report`: a dict of "
    "sensors, fits, failed,\nparameters (dicts of path, unit, count, median, sigma, low, high, "
    "least, greatest, q05, q95, typical_std,\noutlier_limit, outliers, drift), moved, and table, "
    "the same in words. parameters, sensor, serial: as of query().";

constexpr const char* kRandomizeHelp =
    "Mean, covariance and ranges of chosen parameters over the fleet, and drawn sensors, as "
    "`tactelier catalogue\nrandomize`.\n\n"
    "path: a file for them, .json. draws: how many, by seed. model, models: a model file and a "
    "folder: one model file per draw.\n\n"
    "Returns a dict of file, sensors, parameters, units, range (5 % to 95 %, each), draws and "
    "models.";

constexpr const char* kRrHelp =
    "Gauge R&R: how much of the spread of a parameter is the measurement's and its operators', as "
    "`tactelier catalogue rr`:\na dict of path, unit, sensors, operators, trials, left_out, anova, "
    "repeatability, reproducibility, gauge,\nbetween_sensors, total, percent_of_total (dicts of "
    "value, low and high), distinct_categories, verdict and table.";

constexpr const char* kAcceptHelp =
    "Accept or reject a sensor by its fleet's limits, guarded by its uncertainty, as `tactelier "
    "catalogue accept`.\n\n"
    "model: a Model. parameters: that must be right.\n\n"
    "Returns a dict of serial, acceptance ('accept', 'unclear' or 'reject', the worst), values "
    "(dicts of path, unit, value,\nu95, low, high, acceptance and reason) and table.";

using CatalogueClass = py::class_<PyCatalogue>;

CatalogueFilter filter_of(const py::object& parameters, std::string sensor, std::string serial,
                          std::string status = {}, bool history = false) {
  return {parameters.is_none() ? std::vector<std::string>() : words_of(parameters),
          std::move(sensor), std::move(serial), std::move(status), history};
}

void add_queries(CatalogueClass& catalogue) {
  catalogue
      .def(
          "query",
          [](const PyCatalogue& self, const py::object& parameters, std::string sensor,
             std::string serial, std::string status, bool history) {
            const auto rows =
                rows_of(self, filter_of(parameters, std::move(sensor), std::move(serial),
                                        std::move(status), history));
            return list_of(rows, [](const CatalogueRow& row) { return from_json(row_json(row)); });
          },
          py::arg("parameters") = py::none(), py::kw_only(), py::arg("sensor") = "",
          py::arg("serial") = "", py::arg("status") = "", py::arg("history") = false, kQueryHelp)
      .def(
          "export",
          [](const PyCatalogue& self, const py::object& path, const py::object& parameters,
             std::string sensor, std::string serial, std::string status, bool history,
             bool overwrite) {
            return exported(self, path,
                            filter_of(parameters, std::move(sensor), std::move(serial),
                                      std::move(status), history),
                            overwrite);
          },
          py::arg("path"), py::arg("parameters") = py::none(), py::kw_only(),
          py::arg("sensor") = "", py::arg("serial") = "", py::arg("status") = "",
          py::arg("history") = false, py::arg("overwrite") = false, kExportHelp)
      .def(
          "report",
          [](const PyCatalogue& self, const py::object& parameters, std::string sensor,
             std::string serial) {
            const auto filter = filter_of(parameters, std::move(sensor), std::move(serial));
            const auto report = found_in<FleetReport>(
                self, [&](const Catalogue& of) { return report_fleet(of, filter); });
            return with_table(report_json(report), fleet_sections(report));
          },
          py::arg("parameters") = py::none(), py::kw_only(), py::arg("sensor") = "",
          py::arg("serial") = "", kReportHelp);
}

void add_verdicts(CatalogueClass& catalogue) {
  catalogue
      .def(
          "randomize",
          [](const PyCatalogue& self, const py::object& path, const py::object& parameters,
             std::size_t draws, std::uint64_t seed, const py::object& model,
             const py::object& models, bool overwrite) {
            return randomized(self, {words_of(parameters), draws, seed, path_of(path)}, model,
                              models, overwrite);
          },
          py::arg("path"), py::arg("parameters"), py::kw_only(), py::arg("draws") = 0,
          py::arg("seed") = RandomizeRequest().seed, py::arg("model") = py::none(),
          py::arg("models") = py::none(), py::arg("overwrite") = false, kRandomizeHelp)
      .def(
          "rr",
          [](const PyCatalogue& self, std::string parameter, std::string sensor) {
            const GaugeRequest request{std::move(parameter), std::move(sensor)};
            const auto gauge = found_in<GaugeOfCatalogue>(
                self, [&](const Catalogue& of) { return gauge_of_catalogue(of, request); });
            return with_table(gauge_json(gauge), gauge_sections(gauge));
          },
          py::arg("parameter"), py::kw_only(), py::arg("sensor") = "", kRrHelp)
      .def(
          "accept",
          [](const PyCatalogue& self, const PyModel& model, const py::object& parameters) {
            const auto paths = words_of(parameters);
            const auto sensor = found_in<AcceptedSensor>(
                self, [&](const Catalogue& of) { return accept_sensor(of, model.model, paths); });
            return with_table(accepted_json(sensor), acceptance_sections(sensor));
          },
          py::arg("model"), py::arg("parameters"), kAcceptHelp);
}

}  // namespace

void add_catalogues(py::module_& module) {
  CatalogueClass catalogue(module, "Catalogue", kCatalogueHelp);
  catalogue.def(py::init([](const py::object& path) {
                  PyCatalogue made{path_of(path)};
                  value_of(Catalogue::read(made.file).map([](const Catalogue&) {}));
                  return made;
                }),
                py::arg("path"));
  add_queries(catalogue);
  add_verdicts(catalogue);
}

}  // namespace tactelier::python
