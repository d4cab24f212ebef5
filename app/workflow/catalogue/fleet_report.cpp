#include "app/workflow/catalogue/fleet_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/workflow/utc_day.hpp"
#include "fitting/statistics/robust.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

constexpr double kDriftError = 0.05;  // of finding a drift anywhere in a fleet that has none
constexpr std::size_t kOutliersShown = 5;

using Rows = std::vector<const CatalogueRow*>;

std::vector<FleetValue> fleet_values(const Rows& rows) {
  std::vector<FleetValue> values;
  for (const auto* row : rows)
    values.push_back({*row->value.value, row->value.std, day_of(row->recorded)});
  return values;
}

std::optional<double> typical_error(const std::vector<FleetValue>& values) {
  std::vector<double> errors;
  for (const auto& value : values)
    if (value.std) errors.push_back(*value.std);
  return errors.empty() ? std::nullopt : std::optional(median(errors));
}

void find_outliers(const Rows& rows, const std::vector<FleetValue>& values,
                   FleetParameter& parameter) {
  if (rows.size() < kMinFleet) return;
  parameter.outlier_limit = outlier_sigmas(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double z = oddness(values[i], parameter.spread);
    if (std::abs(z) > *parameter.outlier_limit)
      parameter.outliers.push_back({rows[i]->serial, rows[i]->recorded, values[i].value, z});
  }
  std::ranges::sort(parameter.outliers, std::ranges::greater(),
                    [](const OddSensor& odd) { return std::abs(odd.z); });
}

FleetParameter parameter_over(const std::string& path, const Rows& rows) {
  FleetParameter parameter;
  parameter.path = path;
  parameter.unit = rows.front()->value.unit;
  parameter.count = rows.size();
  const auto values = fleet_values(rows);
  std::vector<double> numbers;
  for (const auto& value : values) numbers.push_back(value.value);
  parameter.spread = fleet_spread(numbers);
  parameter.least = *std::ranges::min_element(numbers);
  parameter.greatest = *std::ranges::max_element(numbers);
  parameter.q05 = quantile(numbers, 0.05);
  parameter.q95 = quantile(numbers, 0.95);
  parameter.typical_std = typical_error(values);
  find_outliers(rows, values, parameter);
  parameter.drift = fleet_drift(values);
  return parameter;
}

/// The error is shared among all parameters in which a drift was looked for (Bonferroni).
void judge_drifts(std::vector<FleetParameter>& parameters) {
  const auto tested = std::ranges::count_if(
      parameters, [](const FleetParameter& parameter) { return parameter.drift.has_value(); });
  for (auto& parameter : parameters)
    parameter.drifts =
        parameter.drift && parameter.drift->p < kDriftError / static_cast<double>(tested);
}

void find_moved(const std::vector<CatalogueRow>& history, std::vector<MovedValue>& moved) {
  std::map<std::pair<std::string, std::string>, Rows> by_sensor;
  for (const auto& row : history)
    if (counts_in_fleet(row) && row.value.u95 && !row.recorded.empty())
      by_sensor[{row.value.path, row.sensor + " " + row.serial}].push_back(&row);
  for (const auto& [name, rows] : by_sensor) {
    const auto &first = *rows.front(), &last = *rows.back();
    if (first.recorded == last.recorded) continue;
    const double change = *last.value.value - *first.value.value;
    const double e_n = std::abs(change) / std::hypot(*first.value.u95, *last.value.u95);
    if (e_n > 1)
      moved.push_back({first.serial, name.first, *first.value.value, *last.value.value, e_n});
  }
}

Result<void> count_fits(const Catalogue& catalogue, FleetReport& report) {
  std::map<std::string, bool> failed;  // in order of recording: the last one stays
  auto done = catalogue.for_each_fit([&](const CatalogueFit& fit) {
    ++report.fits;
    failed[fit.sensor + " " + fit.serial] = fit.state == "failed";
  });
  report.sensors = failed.size();
  report.failed = static_cast<std::size_t>(
      std::ranges::count_if(failed, [](const auto& entry) { return entry.second; }));
  return done;
}

std::string drift_text(const FleetParameter& parameter) {
  if (!parameter.drift) return "-";
  const auto& drift = *parameter.drift;
  const auto share = parameter.spread.median == 0
                         ? std::string()
                         : fmt::format(", {:+.1f} %", 100 * drift.change / parameter.spread.median);
  return parameter.drifts
             ? fmt::format("{:+.3g} per day{}, p {:.1e}", drift.per_day, share, drift.p)
             : "none seen";
}

Section distribution_section(const FleetReport& report) {
  Section section{"Distribution", {}, {}};
  Table table{{"Parameter", "Sensors", "Median", "Sigma", "5 %", "95 %", "Limits", "Std. error",
               "Unit", "Outliers", "Drift"},
              {}};
  for (const auto& p : report.parameters)
    table.rows.push_back(
        {p.path, fmt::format("{}", p.count), fmt::format("{:.5g}", p.spread.median),
         fmt::format("{:.2g}", p.spread.sigma), fmt::format("{:.4g}", p.q05),
         fmt::format("{:.4g}", p.q95),
         p.outlier_limit ? fmt::format("{:.4g} to {:.4g}", p.spread.low, p.spread.high) : "-",
         p.typical_std ? fmt::format("{:.2g}", *p.typical_std) : "-", p.unit,
         p.outlier_limit ? fmt::format("{}", p.outliers.size()) : "-", drift_text(p)});
  section.tables.push_back(std::move(table));
  return section;
}

Section outlier_section(const FleetReport& report) {
  Section section{"Outliers", {}, {}};
  Table table{{"Parameter", "Sensor", "Value", "Median", "Unit", "Sigmas off", "Limit"}, {}};
  for (const auto& p : report.parameters)
    for (std::size_t i = 0; i < std::min(kOutliersShown, p.outliers.size()); ++i)
      table.rows.push_back(
          {p.path, p.outliers[i].serial, fmt::format("{:.5g}", p.outliers[i].value),
           fmt::format("{:.5g}", p.spread.median), p.unit, fmt::format("{:+.1f}", p.outliers[i].z),
           fmt::format("{:.1f}", *p.outlier_limit)});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

Section moved_section(const FleetReport& report) {
  Section section{"Changed since the sensor's first recording", {}, {}};
  Table table{{"Sensor", "Parameter", "First", "Last", "E_n"}, {}};
  for (const auto& moved : report.moved)
    table.rows.push_back({moved.serial, moved.path, fmt::format("{:.5g}", moved.before),
                          fmt::format("{:.5g}", moved.after), fmt::format("{:.1f}", moved.e_n)});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

bool counts_in_fleet(const CatalogueRow& row) {
  return row.value.value && (row.value.status == "identified" || row.value.status == "not_seen");
}

Result<FleetReport> report_fleet(const Catalogue& catalogue, const CatalogueFilter& filter) {
  FleetReport report;
  if (auto counted = count_fits(catalogue, report); !counted) return fail(counted.error());
  auto latest = filter, all = filter;
  latest.history = false;
  all.history = true;
  const auto rows = query_catalogue(catalogue, latest);
  if (!rows) return fail(rows.error());
  std::map<std::string, Rows> by_path;
  for (const auto& row : *rows)
    if (counts_in_fleet(row)) by_path[row.value.path].push_back(&row);
  for (const auto& [path, of_path] : by_path)
    report.parameters.push_back(parameter_over(path, of_path));
  judge_drifts(report.parameters);
  if (report.fits == report.sensors) return report;
  const auto history = query_catalogue(catalogue, all);
  if (!history) return fail(history.error());
  find_moved(*history, report.moved);
  return report;
}

std::vector<Section> fleet_sections(const FleetReport& report) {
  Section fleet{"Fleet", {}, {}};
  fleet.tables.push_back({{"Sensors", "Fits", "Failed"},
                          {{fmt::format("{}", report.sensors), fmt::format("{}", report.fits),
                            fmt::format("{}", report.failed)}}});
  std::vector<Section> sections{std::move(fleet), distribution_section(report)};
  for (auto& section : {outlier_section(report), moved_section(report)})
    if (!section.tables.empty()) sections.push_back(section);
  return sections;
}

}  // namespace tactelier
