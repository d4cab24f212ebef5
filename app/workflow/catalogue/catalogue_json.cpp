#include "app/workflow/catalogue/catalogue_json.hpp"

#include "app/workflow/json_values.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

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

json estimate_json(const GaugeEstimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

json source_json(const VarianceSource& source) {
  return {{"sum_of_squares", source.sum_of_squares}, {"degrees", source.degrees}};
}

}  // namespace

nlohmann::json row_json(const CatalogueRow& row) {
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

nlohmann::json report_json(const FleetReport& report) {
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

nlohmann::json gauge_json(const GaugeOfCatalogue& gauge) {
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

nlohmann::json accepted_json(const AcceptedSensor& sensor) {
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

nlohmann::json randomized_json(const RandomizeRequest& request, const RandomizeOutcome& outcome) {
  auto models = json::array();
  for (const auto& model : outcome.models) models.push_back(model.string());
  return {{"file", request.target.string()},
          {"sensors", outcome.fleet.sensors},
          {"parameters", outcome.fleet.paths},
          {"draws", request.draws},
          {"models", models}};
}

}  // namespace tactelier
