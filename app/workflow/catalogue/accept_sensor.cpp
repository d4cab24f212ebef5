#include "app/workflow/catalogue/accept_sensor.hpp"

#include <algorithm>

namespace tactelier {

Result<FleetParameter> fleet_limits(const Catalogue& catalogue, const std::string& sensor,
                                    const std::string& path) {
  CatalogueFilter filter;
  filter.paths = {path};
  filter.sensor = sensor;
  const auto report = report_fleet(catalogue, filter);
  if (!report) return fail(report.error());
  const std::size_t known = report->parameters.empty() ? 0 : report->parameters[0].count;
  if (known < kMinFleet)
    return fail(ErrorCode::kInvalidInput,
                "{}: {} sensors of '{}' have it, limits take {}; catalogue more of them", path,
                known, sensor, kMinFleet);
  return report->parameters[0];
}

namespace {

AcceptedValue accepted_value(const CatalogueFit& sensor, const FleetParameter& fleet) {
  AcceptedValue accepted{fleet.path,        fleet.unit,           {}, {}, fleet.spread.low,
                         fleet.spread.high, Acceptance::kUnclear, {}};
  const auto own = std::ranges::find(sensor.values, fleet.path, &CatalogueValue::path);
  if (own == sensor.values.end() || !own->value || own->status == "assumed") {
    accepted.reason = own == sensor.values.end() ? "not in the model" : own->reason;
    if (accepted.reason.empty()) accepted.reason = "not measured";
    return accepted;
  }
  accepted.value = own->value;
  accepted.u95 = own->u95;
  accepted.acceptance =
      accept_value(*own->value, own->u95.value_or(0), accepted.low, accepted.high);
  return accepted;
}

std::string limits_text(const AcceptedValue& value) {
  return fmt::format("{:.4g} to {:.4g}", value.low, value.high);
}

std::string number_text(const std::optional<double>& number) {
  return number ? fmt::format("{:.4g}", *number) : "n/a";
}

}  // namespace

std::string_view to_string(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::kAccept:
      return "accept";
    case Acceptance::kUnclear:
      return "unclear";
    case Acceptance::kReject:
      return "reject";
  }
  return "unclear";
}

Acceptance accept_value(double value, double u95, double low, double high) {
  if (value - u95 >= low && value + u95 <= high) return Acceptance::kAccept;
  if (value + u95 < low || value - u95 > high) return Acceptance::kReject;
  return Acceptance::kUnclear;
}

Result<AcceptedSensor> accept_sensor(const Catalogue& catalogue, const SensorModel& model,
                                     const std::vector<std::string>& paths) {
  const auto sensor = catalogued(model);
  AcceptedSensor accepted;
  accepted.serial = sensor.serial;
  for (const auto& path : paths) {
    const auto fleet = fleet_limits(catalogue, sensor.sensor, path);
    if (!fleet) return fail(fleet.error());
    accepted.values.push_back(accepted_value(sensor, *fleet));
    accepted.acceptance = std::max(accepted.acceptance, accepted.values.back().acceptance);
  }
  return accepted;
}

std::vector<Section> acceptance_sections(const AcceptedSensor& sensor) {
  Section section{"Against the fleet's limits", {}, {}};
  Table table{{"Parameter", "Value", "U95", "Limits", "Unit", "Result"}, {}};
  for (const auto& value : sensor.values) {
    table.rows.push_back({value.path, number_text(value.value), number_text(value.u95),
                          limits_text(value), value.unit,
                          std::string(to_string(value.acceptance))});
    if (!value.reason.empty())
      section.warnings.push_back(fmt::format("{}: {}", value.path, value.reason));
  }
  section.tables.push_back(std::move(table));
  return {section};
}

}  // namespace tactelier
