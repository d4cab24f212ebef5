#include "reports/document/uncertainty_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <functional>

#include "fitting/statistics/quantiles.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/fit_results.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

/// Root of a rising function between positive bounds; the bound where there is no sign change.
double solved(double low, double high, const std::function<double(double)>& rising) {
  const auto of_log = [&](double log_x) { return rising(std::exp(log_x)); };
  const double at_low = rising(low), at_high = rising(high);
  if (at_low >= 0) return low;
  if (!(at_high > 0) || !std::isfinite(at_low) || !std::isfinite(high)) return high;
  std::uintmax_t most = 60;
  const auto [a, b] =
      boost::math::tools::toms748_solve(of_log, std::log(low), std::log(high), at_low, at_high,
                                        boost::math::tools::eps_tolerance<double>(24), most);
  return std::exp((a + b) / 2);
}

/// Of t(dof) = ratio.
double dof_of(double ratio) {
  constexpr double kMost = 1e6;
  if (ratio <= coverage_95(kMost)) return kManyDegrees;
  return solved(0.5, kMost, [&](double dof) { return ratio - coverage_95(dof); });
}

/// The half-width above the value, in the scale in which it was made: symmetric as it is, else
/// logarithmic.
struct Halves {
  double std = 0, ci = 0, total = 0;
};
std::optional<Halves> halves_of(const Parameter& parameter) {
  if (!parameter.value || !parameter.std || !parameter.ci95 || !parameter.u_total) return {};
  if (!(*parameter.std > 0) || !(*parameter.u_total > 0)) return {};
  const double value = *parameter.value;
  const double above = (*parameter.ci95)[1] - value, below = value - (*parameter.ci95)[0];
  if (!(above > 0)) return {};
  if (std::abs(above - below) <= 1e-6 * above)
    return Halves{*parameter.std, above, *parameter.u_total};
  if (!(value > 0) || !((*parameter.ci95)[1] > 0)) return {};
  return Halves{*parameter.std / value, std::log1p(above / value),
                std::log1p(*parameter.u_total / value)};
}

/// Quantities that are proportional to the force.
bool goes_with_force(const std::string& unit) {
  return unit.starts_with("N") || unit.starts_with("Pa");
}

/// The largest that the recordings state: what the fit takes for all of them.
double certificate_of(const ReportInput& input) {
  double percent = 0;
  for (const auto& session : input.sessions) {
    const auto& sensor = session.session->metadata().force_sensor;
    if (sensor && sensor->gain_u_percent) percent = std::max(percent, *sensor->gain_u_percent);
  }
  return percent / 100;
}

Cell share_cell(double share) {
  return {fmt::format("{:.0f} %", 100 * share), CellNumber{"", 100 * share, std::nullopt, "%"}};
}

void add_row(const ResultRow& row, const SensorModel& model, double certificate,
             ReportTable& table) {
  const auto all = row.is_spread() ? over_array(model, row.path) : std::vector{row.parameter};
  BudgetShares mean;
  int count = 0;
  for (const auto& parameter : all)
    if (const auto shares =
            budget_shares(parameter, goes_with_force(parameter.unit) ? certificate : 0.0)) {
      mean.repetition += shares->repetition;
      mean.force_sensor += shares->force_sensor;
      mean.other += shares->other;
      ++count;
    }
  if (count == 0) return;
  const auto text = quantity_text(row.parameter);
  table.rows.push_back(
      {{parameter_label(row.path) + (row.is_spread() ? fmt::format(", mean of {}", count) : "")},
       {text.uncertainty.empty() ? "–" : "± " + text.uncertainty + " " + text.unit},
       share_cell(mean.repetition / count),
       share_cell(mean.force_sensor / count),
       share_cell(mean.other / count)});
}

}  // namespace

std::optional<BudgetShares> budget_shares(const Parameter& parameter, double certificate) {
  const auto halves = halves_of(parameter);
  if (!halves) return std::nullopt;
  const double dof = dof_of(halves->ci / halves->std);
  const auto expanded = [&](double combined) {
    return coverage_95(dof * std::pow(combined / halves->std, 4)) * combined;
  };
  double combined = halves->std;
  if (halves->total > expanded(combined))  // wider by what is systematic
    combined = solved(halves->std, std::max(halves->total, 2 * halves->std),
                      [&](double u) { return expanded(u) - halves->total; });
  BudgetShares shares;
  shares.repetition = std::pow(halves->std / combined, 2);
  const double relative =
      halves->total == *parameter.u_total ? combined / std::abs(*parameter.value) : combined;
  const double room = 1 - shares.repetition;
  shares.force_sensor = relative > 0 ? std::min(std::pow(certificate / relative, 2), room) : 0;
  shares.other = room - shares.force_sensor;
  return shares;
}

Chapter budget_chapter(const ReportInput& input) {
  Chapter chapter{"budget", "Uncertainty budget", {}};
  const double certificate = certificate_of(input);
  ReportTable table{"Shares of the combined variance",
                    {"Parameter", "Expanded uncertainty (95 %)", "Repetition",
                     "Force sensor's certificate", "Other"},
                    {}};
  for (const auto& group : array_results(input.model))
    for (const auto& row : group.rows)
      if (row.parameter.usable()) add_row(row, input.model, certificate, table);
  if (table.rows.empty()) {
    chapter.blocks.emplace_back(
        Paragraph{"No parameter has an interval whose parts are known.", Tone::kNote});
    return chapter;
  }
  chapter.blocks.emplace_back(Paragraph{
      "Combined by the GUM (JCGM 100): u_c² is the sum of the variances, the expanded uncertainty "
      "its root times Student's t of the effective degrees of freedom. Explained in "
      "docs/theory/statistics.md 5."});
  chapter.blocks.emplace_back(std::move(table));
  chapter.blocks.emplace_back(Paragraph{
      certificate > 0
          ? "Other: latency of the readings, the zero of force, depth and compliance, as far as "
            "they reach the parameter."
          : "The recordings at hand state no uncertainty of the force sensor's gain: what the fit "
            "took for it, if anything, stands under Other.",
      Tone::kNote});
  return chapter;
}

}  // namespace tactelier
