#include "reports/document/history_chapter.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fitting/engine/facts.hpp"
#include "fitting/statistics/robust.hpp"
#include "reports/document/array_maps.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/document/report_input.hpp"
#include "reports/fit_results.hpp"
#include "reports/model_diff.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kNamed = 12;  // tactels in one cell
constexpr std::string_view kGain = "response.tactels[].press_gain";

std::string words_of(const OtherModel& other) {
  const auto& created = other.model.created;
  return created.empty() ? other.name : fmt::format("{} of {}", other.name, created.substr(0, 10));
}

Cell percent_cell(const std::optional<double>& part) {
  if (!part) return {"–"};
  return {fmt::format("{:+.2f} %", 100 * *part), CellNumber{"", 100 * *part, std::nullopt, "%"}};
}

Cell plain_cell(double value, std::string text) {
  return {std::move(text), CellNumber{"", value, std::nullopt, ""}};
}

Cell e_n_cell(const std::optional<double>& e_n) {
  return e_n ? plain_cell(*e_n, fmt::format("{:.2f}", *e_n)) : Cell{"–"};
}

std::string kind_words(const ParameterChange& change) {
  switch (change.kind) {
    case ParameterChange::Kind::kWithin:
      return "within both uncertainties";
    case ParameterChange::Kind::kSignificant:
      return "changed";
    case ParameterChange::Kind::kUnknown:
      return "no uncertainty to judge by";
    case ParameterChange::Kind::kAppeared:
      return "not known before";
    case ParameterChange::Kind::kVanished:
      return "not known any more";
  }
  return "";
}

/// What belongs to a recording, such as clocks, is no property of the sensor.
bool of_sensor(const std::string& path) {
  const auto* group = group_of(path);
  return group == nullptr || !group->of_recording;
}

/// What a stage is run for; what comes along, such as the largest depth reached, is no property of
/// the sensor either.
bool is_purpose(const std::string& path) {
  const auto* fact = fact_of(path);
  return fact != nullptr && fact->purpose && of_sensor(path);
}

ReportTable scalars_table(const ModelDiff& diff) {
  ReportTable table{"Of the whole array", {"Parameter", "Then", "Now", "Change", "E_n", ""}, {}};
  for (const auto& change : diff.changes)
    if (!is_of_tactel(change) && of_sensor(change.path))
      table.rows.push_back({{parameter_label(change.path)},
                            parameter_cell("", change.before),
                            parameter_cell(change.path, change.after),
                            percent_cell(change.relative),
                            e_n_cell(change.e_n),
                            {kind_words(change)}});
  return table;
}

std::string named(const std::vector<std::string>& tactels) {
  const auto shown = std::min(kNamed, tactels.size());
  auto words = fmt::format(
      "{}", fmt::join(tactels.begin(), tactels.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < tactels.size()) words += fmt::format(" and {} more", tactels.size() - shown);
  return words;
}

ReportTable tactels_table(const std::vector<TactelChanges>& changes) {
  ReportTable table{"Tactel by tactel",
                    {"Parameter", "Compared", "Median change", "Largest E_n", "Changed", "Which"},
                    {}};
  for (const auto& sum : changes) {
    const auto count = [](std::size_t n) {
      return plain_cell(static_cast<double>(n), fmt::format("{}", n));
    };
    table.rows.push_back(
        {{parameter_label(sum.path)},
         count(sum.compared),
         percent_cell(sum.relative.empty() ? std::nullopt : std::optional(median(sum.relative))),
         e_n_cell(sum.compared > 0 ? std::optional(sum.largest_e_n) : std::nullopt),
         count(sum.significant.size()),
         {named(sum.significant)}});
  }
  return table;
}

/// Where on the array gains moved, in percent of what they were.
std::optional<ArrayMap> gain_map(const SensorModel& before, const SensorModel& after) {
  const auto then = over_array(before, kGain), now = over_array(after, kGain);
  if (then.size() != now.size() || now.size() < 2) return std::nullopt;
  std::vector<std::optional<double>> change(now.size());
  double most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!then[i].value || !now[i].value || *then[i].value == 0) continue;
    change[i] = 100 * (*now[i].value / *then[i].value - 1);
    most = std::max(most, std::abs(*change[i]));
  }
  if (most == 0) return std::nullopt;
  auto map =
      array_map(after.sensor, "Change of " + parameter_label(std::string(kGain)), "%", change);
  map.range = {-most, most};
  map.differences = true;
  return map;
}

Paragraph verdict_of(const OtherModel& other, const ModelDiff& diff,
                     const std::vector<TactelChanges>& tactels) {
  std::size_t compared = 0;
  std::vector<std::string> changed;
  for (const auto& change : diff.changes) {
    if (is_of_tactel(change) || !is_purpose(change.path) || !change.e_n) continue;
    ++compared;
    if (change.kind == ParameterChange::Kind::kSignificant)
      changed.push_back(parameter_label(change.path));
  }
  for (const auto& sum : tactels) {
    if (!is_purpose(sum.path)) continue;
    compared += sum.compared;
    if (!sum.significant.empty())
      changed.push_back(
          fmt::format("{} of {} tactels", parameter_label(sum.path), sum.significant.size()));
  }
  if (compared == 0)
    return {fmt::format("Nothing can be compared with {}: no number has an uncertainty in both.",
                        words_of(other)),
            Tone::kLook};
  if (changed.empty())
    return {fmt::format("None of {} numbers differs from {} by more than both uncertainties.",
                        compared, words_of(other)),
            Tone::kGood};
  return {fmt::format("Of {} numbers these differ from {} by more than both uncertainties: {}.",
                      compared, words_of(other), fmt::join(changed, ", ")),
          Tone::kLook};
}

void add_changes(const OtherModel& other, const SensorModel& model, std::vector<Block>& blocks) {
  const auto diff = diff_models(other.model, model);
  const auto tactels = tactel_changes(diff);
  blocks.emplace_back(verdict_of(other, diff, tactels));
  for (const auto& warning : diff.warnings)
    blocks.emplace_back(Paragraph{fmt::format("{}: {}.", warning.code, warning.text), Tone::kNote});
  if (auto table = scalars_table(diff); !table.rows.empty()) blocks.emplace_back(std::move(table));
  if (!tactels.empty()) blocks.emplace_back(tactels_table(tactels));
  if (auto map = gain_map(other.model, model))
    blocks.emplace_back(Figures{Figures::Size::kMiddle, {std::move(*map)}});
}

struct ChartPoint {
  double at = 0;  // on the time axis
  Parameter parameter;
};

const Parameter* found_in(const std::vector<ResultGroup>& groups, const std::string& path) {
  for (const auto& group : groups)
    for (const auto& row : group.rows)
      if (row.path == path) return &row.parameter;
  return nullptr;
}

Plot control_chart(const std::string& path, const std::vector<ChartPoint>& points,
                   const std::string& time) {
  PlotSeries values{"", PlotSeries::Look::kPoints, {}, {}};
  PlotSeries bars{"", PlotSeries::Look::kLine, {}, {}};
  for (const auto& [at, parameter] : points) {
    values.x.push_back(at);
    values.y.push_back(*parameter.value);
    const double u = expanded_uncertainty(parameter).value_or(0);
    for (const double y : {*parameter.value - u, *parameter.value + u, double{NAN}}) {
      bars.x.push_back(at);
      bars.y.push_back(y);
    }
  }
  return {parameter_label(path),
          {time, "", false},
          {parameter_label(path), points.front().parameter.unit, false},
          {std::move(values), std::move(bars)},
          fmt::format("{} models over time, bars are 95 % intervals.", points.size())};
}

/// Of numbers that two models at least have, with a date.
std::vector<Figure> control_charts(const ReportInput& input) {
  struct Dated {
    double day;
    std::string created;
    std::vector<ResultGroup> results;
  };
  std::vector<Dated> all;
  if (input.day) all.push_back({*input.day, input.model.created, array_results(input.model)});
  for (const auto& other : input.others)
    if (other.day) all.push_back({*other.day, other.model.created, array_results(other.model)});
  if (all.size() < 2) return {};
  std::ranges::sort(all, {}, &Dated::day);
  // Fits of one day would lie on one line.
  const bool days = all.back().day - all.front().day >= 1;
  const auto time = days ? "Days since " + all.front().created.substr(0, 10)
                         : std::string("Model, in order of fit");
  std::vector<Figure> charts;
  for (const auto& group : array_results(input.model))
    for (const auto& row : group.rows) {
      if (!row.parameter.usable() || !is_purpose(row.path)) continue;
      std::vector<ChartPoint> points;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto* parameter = found_in(all[i].results, row.path);
            parameter != nullptr && parameter->value)
          points.push_back(
              {days ? all[i].day - all.front().day : static_cast<double>(i + 1), *parameter});
      if (points.size() > 1) charts.emplace_back(control_chart(row.path, points, time));
    }
  return charts;
}

}  // namespace

std::optional<Chapter> history_chapter(const ReportInput& input) {
  if (input.others.empty()) return std::nullopt;
  Chapter chapter{"history", "Beside other models of this sensor", {}};
  chapter.blocks.emplace_back(
      Paragraph{"E_n is the change over both expanded uncertainties added in quadrature (ISO "
                "13528); beyond 1 "
                "the sensor changed, or one of the two uncertainties is too small.",
                Tone::kNote});
  for (const auto& other : input.others) add_changes(other, input.model, chapter.blocks);
  if (auto charts = control_charts(input); !charts.empty())
    chapter.blocks.emplace_back(Figures{Figures::Size::kMiddle, std::move(charts)});
  return chapter;
}

}  // namespace tactelier
