// catalogue query, export, report, randomize, rr, accept

#include "app/cli/fleet/catalogue_commands.hpp"

#include "app/cli/json_values.hpp"
#include "app/workflow/catalogue/accept_sensor.hpp"
#include "app/workflow/exit_status.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json row_json(const CatalogueRow& row) {
  const auto& value = row.value;
  return {{"sensor", row.sensor},
          {"serial", row.serial},
          {"recorded", row.recorded},
          {"path", value.path},
          {"value", or_null(value.value)},
          {"std", or_null(value.std)},
          {"u95", or_null(value.u95)},
          {"spread", or_null(value.spread)},
          {"count", value.count},
          {"of", value.of},
          {"unit", value.unit},
          {"status", value.status},
          {"reason", value.reason}};
}

std::string number_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "-";
}

Section rows_section(const std::vector<CatalogueRow>& rows) {
  Section section{"Catalogue", {}, {}};
  Table table{{"Sensor", "Recorded", "Parameter", "Value", "Std. error", "Unit", "Status"}, {}};
  for (const auto& row : rows)
    table.rows.push_back({row.serial, row.recorded, row.value.path, number_text(row.value.value),
                          number_text(row.value.std), row.value.unit, row.value.status});
  section.tables.push_back(std::move(table));
  return section;
}

/// As RFC 4180 wants it: quoted where it must be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string exact(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string rows_csv(const std::vector<CatalogueRow>& rows) {
  std::string text =
      "sensor,serial,recorded,path,value,std,u95,spread,count,tactels,unit,status,reason\n";
  for (const auto& row : rows) {
    const auto& value = row.value;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(row.sensor),
                        cell(row.serial), row.recorded, value.path, exact(value.value),
                        exact(value.std), exact(value.u95), exact(value.spread), value.count,
                        value.of, cell(value.unit), value.status, cell(value.reason));
  }
  return text;
}

json parameter_json(const FleetParameter& parameter) {
  auto outliers = json::array();
  for (const auto& odd : parameter.outliers)
    outliers.push_back(
        {{"serial", odd.serial}, {"recorded", odd.recorded}, {"value", odd.value}, {"z", odd.z}});
  json drift = nullptr;
  if (parameter.drift)
    drift = {{"per_day", parameter.drift->per_day},
             {"p", parameter.drift->p},
             {"change", parameter.drift->change},
             {"significant", parameter.drifts}};
  return {{"path", parameter.path},
          {"unit", parameter.unit},
          {"count", parameter.count},
          {"median", parameter.spread.median},
          {"sigma", parameter.spread.sigma},
          {"low", parameter.spread.low},
          {"high", parameter.spread.high},
          {"least", parameter.least},
          {"greatest", parameter.greatest},
          {"q05", parameter.q05},
          {"q95", parameter.q95},
          {"typical_std", or_null(parameter.typical_std)},
          {"outlier_limit", or_null(parameter.outlier_limit)},
          {"outliers", outliers},
          {"drift", drift}};
}

json report_json(const FleetReport& report) {
  auto parameters = json::array(), moved = json::array();
  for (const auto& parameter : report.parameters) parameters.push_back(parameter_json(parameter));
  for (const auto& each : report.moved)
    moved.push_back({{"serial", each.serial},
                     {"path", each.path},
                     {"before", each.before},
                     {"after", each.after},
                     {"e_n", each.e_n}});
  return {{"sensors", report.sensors},
          {"fits", report.fits},
          {"failed", report.failed},
          {"parameters", parameters},
          {"moved", moved}};
}

json estimate_json(const GaugeEstimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

json source_json(const VarianceSource& source) {
  return {{"sum_of_squares", source.sum_of_squares}, {"degrees", source.degrees}};
}

json gauge_json(const GaugeOfCatalogue& gauge) {
  const auto& study = gauge.study;
  return {{"path", gauge.path},
          {"unit", gauge.unit},
          {"sensors", gauge.serials},
          {"operators", gauge.operators},
          {"trials", study.trials},
          {"left_out", gauge.unnamed},
          {"anova",
           {{"sensors", source_json(study.part)},
            {"operators", source_json(study.who)},
            {"interaction", source_json(study.interaction)},
            {"repeats", source_json(study.repeat)},
            {"interaction_p", study.interaction_p},
            {"pooled", study.pooled}}},
          {"repeatability", estimate_json(study.repeatability)},
          {"reproducibility", estimate_json(study.reproducibility)},
          {"gauge", estimate_json(study.gauge)},
          {"between_sensors", estimate_json(study.part_to_part)},
          {"total", estimate_json(study.total)},
          {"percent_of_total", estimate_json(study.percent_of_total)},
          {"distinct_categories", study.distinct_categories},
          {"verdict", gauge_verdict(study)}};
}

json accepted_json(const AcceptedSensor& sensor) {
  auto values = json::array();
  for (const auto& value : sensor.values)
    values.push_back({{"path", value.path},
                      {"unit", value.unit},
                      {"value", or_null(value.value)},
                      {"u95", or_null(value.u95)},
                      {"low", value.low},
                      {"high", value.high},
                      {"acceptance", to_string(value.acceptance)},
                      {"reason", value.reason}});
  return {
      {"serial", sensor.serial}, {"acceptance", to_string(sensor.acceptance)}, {"values", values}};
}

Result<std::vector<CatalogueRow>> rows_of_catalogue(const CatalogueArguments& arguments) {
  const auto catalogue = Catalogue::read(arguments.file);
  if (!catalogue) return tactelier::fail(catalogue.error());
  return query_catalogue(*catalogue, arguments.filter);
}

}  // namespace

int run_catalogue_query(Console& console, const CatalogueArguments& arguments) {
  const auto rows = rows_of_catalogue(arguments);
  if (!rows) return console.fail(rows.error());
  auto list = json::array();
  if (console.json())
    for (const auto& row : *rows) list.push_back(row_json(row));
  else
    console.print(std::vector{rows_section(*rows)});
  return console.finish({{"rows", list}}, {});
}

int run_catalogue_export(Console& console, const CatalogueArguments& arguments) {
  const auto rows = rows_of_catalogue(arguments);
  if (!rows) return console.fail(rows.error());
  if (auto written = write_text_file(arguments.output, rows_csv(*rows)); !written)
    return console.fail(written.error());
  console.print(fmt::format("{}: {} rows\n", arguments.output, rows->size()));
  return console.finish({{"file", arguments.output}, {"rows", rows->size()}}, {});
}

int run_catalogue_report(Console& console, const CatalogueArguments& arguments) {
  const auto catalogue = Catalogue::read(arguments.file);
  if (!catalogue) return console.fail(catalogue.error());
  const auto report = report_fleet(*catalogue, arguments.filter);
  if (!report) return console.fail(report.error());
  const auto text = to_text(fleet_sections(*report));
  if (!arguments.output.empty())
    if (auto written = write_text_file(arguments.output, text); !written)
      return console.fail(written.error());
  console.print(text);
  return console.finish(report_json(*report), {});
}

int run_catalogue_randomize(Console& console, const CatalogueArguments& arguments) {
  const auto& request = arguments.randomize;
  if (request.base.empty() != request.models.empty())
    return console.fail({ErrorCode::kUsage, "--model and --models go together"});
  const auto catalogue = Catalogue::read(arguments.file);
  if (!catalogue) return console.fail(catalogue.error());
  const auto outcome = randomize_fleet(*catalogue, request);
  if (!outcome) return console.fail(outcome.error());
  const auto& fleet = outcome->fleet;
  console.print(fmt::format("{}: {} parameters over {} sensors, {} draws\n",
                            request.target.string(), fleet.paths.size(), fleet.sensors,
                            request.draws));
  for (std::size_t i = 0; i < fleet.paths.size(); ++i)
    console.print(fmt::format("  {:<36} {:.4g} to {:.4g} {}\n", fleet.paths[i], fleet.range[i][0],
                              fleet.range[i][1], fleet.units[i]));
  auto models = json::array();
  for (const auto& model : outcome->models) models.push_back(model.string());
  return console.finish({{"file", request.target.string()},
                         {"sensors", fleet.sensors},
                         {"parameters", fleet.paths},
                         {"draws", request.draws},
                         {"models", models}},
                        {});
}

int run_catalogue_rr(Console& console, const CatalogueArguments& arguments) {
  const auto catalogue = Catalogue::read(arguments.file);
  if (!catalogue) return console.fail(catalogue.error());
  const auto gauge = gauge_of_catalogue(*catalogue, arguments.gauge);
  if (!gauge) return console.fail(gauge.error());
  const auto& study = gauge->study;
  const auto& percent = study.percent_of_total;
  console.print(gauge_sections(*gauge));
  console.print(fmt::format("%GRR {:.1f} % ({:.1f} to {:.1f} %), {} distinct categories: {}\n",
                            percent.value, percent.low, percent.high, study.distinct_categories,
                            gauge_verdict(study)));
  return console.finish(gauge_json(*gauge), {});
}

int run_catalogue_accept(Console& console, const CatalogueArguments& arguments) {
  const auto catalogue = Catalogue::read(arguments.file);
  if (!catalogue) return console.fail(catalogue.error());
  const auto model = read_model(arguments.model);
  if (!model) return console.fail(model.error());
  const auto sensor = accept_sensor(*catalogue, *model, arguments.filter.paths);
  if (!sensor) return console.fail(sensor.error());
  console.print(acceptance_sections(*sensor));
  console.print(fmt::format("{}: {}\n", sensor->serial.empty() ? arguments.model : sensor->serial,
                            to_string(sensor->acceptance)));
  return console.finish(accepted_json(*sensor), {},
                        sensor->acceptance == Acceptance::kAccept ? kExitDone : kExitMissingResult);
}

}  // namespace tactelier::cli
