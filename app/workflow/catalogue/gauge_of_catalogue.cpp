#include "app/workflow/catalogue/gauge_of_catalogue.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tactelier {
namespace {

/// Trials by sensor and operator, in the order of recording.
struct GaugeTrials {
  std::map<std::string, std::map<std::string, std::vector<double>>> of;
  std::set<std::string> operators;
  std::string unit;
  std::size_t unnamed = 0;
};

Result<GaugeTrials> trials_of(const Catalogue& catalogue, const GaugeRequest& request) {
  auto statement = catalogue.database().prepare(
      "SELECT s.serial, f.who, p.value, p.unit FROM parameter p JOIN fit f ON f.id=p.fit "
      "JOIN sensor s ON s.id=f.sensor WHERE p.path=?1 AND (?2='' OR s.sensor=?2) "
      "AND p.status='identified' AND p.value IS NOT NULL ORDER BY f.recorded, f.id");
  if (!statement) return fail(statement.error());
  statement->bind(1, std::string_view(request.path));
  statement->bind(2, std::string_view(request.sensor));
  GaugeTrials trials;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return trials;
    const std::string who(statement->text(1).value_or(""));
    if (who.empty()) {
      ++trials.unnamed;
      continue;
    }
    const std::string serial(statement->text(0).value_or(""));
    trials.of[serial][who].push_back(statement->real(2).value_or(0));
    trials.operators.insert(who);
    trials.unit = std::string(statement->text(3).value_or(""));
  }
}

std::size_t most_trials(const GaugeTrials& trials) {
  std::size_t most = 0;
  for (const auto& [serial, of_operator] : trials.of)
    for (const auto& [who, values] : of_operator) most = std::max(most, values.size());
  return most;
}

/// One and all of them, or the name of the cell that is short.
Result<GaugeTable> table_of(const GaugeTrials& trials) {
  const auto wanted = most_trials(trials);
  GaugeTable table;
  for (const auto& [serial, of_operator] : trials.of) {
    auto& part = table.emplace_back();
    for (const auto& who : trials.operators) {
      const auto found = of_operator.find(who);
      const auto count = found == of_operator.end() ? 0 : found->second.size();
      if (count != wanted)
        return fail(ErrorCode::kInvalidInput,
                    "gauge R&R: sensor {} has {} identified trials by {}, others have {}; record "
                    "what is missing, or leave the sensor out",
                    serial, count, who, wanted);
      part.push_back(found->second);
    }
  }
  return table;
}

Result<void> check_path(const Catalogue& catalogue, const std::string& path) {
  auto statement = catalogue.database().prepare("SELECT 1 FROM parameter WHERE path=?1 LIMIT 1");
  if (!statement) return fail(statement.error());
  statement->bind(1, std::string_view(path));
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (*row) return {};
  return fail(ErrorCode::kUsage,
              "no parameter '{}' in this catalogue; 'tactelier catalogue query' "
              "lists them",
              path);
}

std::string deviation(const GaugeEstimate& estimate) {
  return fmt::format("{:.4g}", estimate.value);
}

std::string interval(const GaugeEstimate& estimate) {
  return fmt::format("{:.3g} to {:.3g}", estimate.low, estimate.high);
}

Table spread_table(const GaugeOfCatalogue& gauge) {
  const auto& study = gauge.study;
  Table table{{"Standard deviation", gauge.unit.empty() ? "Value" : gauge.unit, "95 % interval",
               "% of total"},
              {}};
  const auto add = [&](const std::string& name, const GaugeEstimate& estimate) {
    table.rows.push_back({name, deviation(estimate), interval(estimate),
                          fmt::format("{:.1f}", 100 * estimate.value / study.total.value)});
  };
  add("Repeatability (EV)", study.repeatability);
  add("Reproducibility (AV)", study.reproducibility);
  add("Gauge R&R (GRR)", study.gauge);
  add("Between sensors (PV)", study.part_to_part);
  add("Total (TV)", study.total);
  return table;
}

Table variance_table(const GaugeStudy& study) {
  Table table{{"Source", "Sum of squares", "Degrees", "Mean square"}, {}};
  const auto add = [&](const char* name, const VarianceSource& source) {
    table.rows.push_back({name, fmt::format("{:.6g}", source.sum_of_squares),
                          fmt::format("{}", source.degrees),
                          fmt::format("{:.6g}", source.mean_square())});
  };
  add("Operators", study.who);
  add("Sensors", study.part);
  add("Operators x sensors", study.interaction);
  add("Repeats", study.repeat);
  return table;
}

}  // namespace

Result<GaugeOfCatalogue> gauge_of_catalogue(const Catalogue& catalogue,
                                            const GaugeRequest& request) {
  if (auto there = check_path(catalogue, request.path); !there) return fail(there.error());
  const auto trials = trials_of(catalogue, request);
  if (!trials) return fail(trials.error());
  if (trials->of.empty())
    return fail(ErrorCode::kInvalidInput,
                "gauge R&R: no identified '{}' whose recording says who made it ('record "
                "--operator', \"operator\" in session.json)",
                request.path);
  const auto table = table_of(*trials);
  if (!table) return fail(table.error());
  const auto study = gauge_study(*table);
  if (!study) return fail(study.error());
  GaugeOfCatalogue gauge{request.path, trials->unit, {}, {}, *study, trials->unnamed};
  for (const auto& [serial, of_operator] : trials->of) gauge.serials.push_back(serial);
  gauge.operators.assign(trials->operators.begin(), trials->operators.end());
  return gauge;
}

std::vector<Section> gauge_sections(const GaugeOfCatalogue& gauge) {
  const auto& study = gauge.study;
  Section spread{fmt::format("Gauge R&R of {}: {} sensors, {} operators, {} trials each",
                             gauge.path, study.parts, study.operators, study.trials),
                 {spread_table(gauge)},
                 {}};
  if (gauge.unnamed > 0)
    spread.warnings.push_back(
        fmt::format("{} fits left out: their recordings do not say who made them", gauge.unnamed));
  Section variance{"Analysis of variance", {variance_table(study)}, {}};
  variance.warnings.push_back(fmt::format(
      "Operators x sensors: p = {:.3g}, {}", study.interaction_p,
      study.pooled ? "above 0.25 and counted as repeats" : "kept as a part of reproducibility"));
  return {spread, variance};
}

}  // namespace tactelier
