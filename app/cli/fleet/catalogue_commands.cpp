// catalogue query, export, report, randomize, rr, accept

#include "app/cli/fleet/catalogue_commands.hpp"

#include "app/workflow/catalogue/catalogue_json.hpp"
#include "app/workflow/exit_status.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

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
  return console.finish(randomized_json(request, *outcome), {});
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
