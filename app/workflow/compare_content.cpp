#include "app/workflow/compare_content.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

const ImageMetricInfo& info_of(ImageMetric metric) {
  return image_metrics()[static_cast<std::size_t>(metric)];
}

struct ShownUnit {
  double factor;
  std::string_view unit;
};
ShownUnit shown_unit(const ImageMetricInfo& info) {
  if (info.unit == "m") return {1e3, "mm"};
  if (info.unit == "rad") return {rad_to_deg(1), "deg"};
  if (info.unit == "s") return {1e3, "ms"};
  return {1, info.unit};
}

std::optional<double> median_of(const MetricSummaries& summary, ImageMetric metric) {
  const auto found = summary.find(metric);
  return found == summary.end() ? std::optional<double>() : found->second.median;
}

std::string interval_words(const ImageMetricInfo& info, const MetricSummary& summary) {
  if (!summary.ci95) return "-";
  return fmt::format("{} to {}", metric_number(info, (*summary.ci95)[0]),
                     metric_number(info, (*summary.ci95)[1]));
}

/// The denominator is said out loud: an error in percent of full scale would look ten times
/// smaller.
std::string headline_of(const std::string& method, const MetricSummaries& summary,
                        const ImageMetricValues& floor) {
  const auto& info = info_of(ImageMetric::kRelL1);
  const auto found = summary.find(ImageMetric::kRelL1);
  if (found == summary.end())
    return fmt::format("{}: no prediction error: full scale is not known, or nothing is active",
                       method);
  const auto& error = found->second;
  auto words = fmt::format("{}: prediction error {} % of the counts measured", method,
                           metric_number(info, error.median));
  if (error.ci95) words += fmt::format(" ({})", interval_words(info, error));
  words += fmt::format(
      ", 95 % of the images better than {} %; median of {} image{} that no fit has used, "
      "sum |predicted - measured| over sum measured on tactels predicted above 1 % of full scale",
      metric_number(info, error.p95), error.images, error.images == 1 ? "" : "s");
  const auto& own = at(floor, ImageMetric::kRelL1);
  return words +
         (own ? fmt::format("; the sensor differs from itself by {} %", metric_number(info, own))
              : std::string("; without repeats nobody knows how much the sensor differs "
                            "from itself"));
}

Table image_table(const CompareReport& report) {
  Table table{{"session", "image", "method", "indenter", "turn [deg]", "load [N]"}, {}};
  std::vector shown{ImageMetric::kRelL1,    ImageMetric::kTotal,       ImageMetric::kCentroid,
                    ImageMetric::kEmd,      ImageMetric::kOrientation, ImageMetric::kIou,
                    ImageMetric::kCoverage, ImageMetric::kRho};
  if (std::ranges::any_of(report.images,
                          [](const auto& image) { return image.course.has_value(); }))
    shown.insert(shown.end(), {ImageMetric::kLatency, ImageMetric::kLoop});
  for (const auto metric : shown) table.columns.push_back(metric_title(info_of(metric)));
  for (const auto& image : report.images) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{
        image.session, fmt::format("{}", image.image), image.method, image.indenter,
        fmt::format("{:.4g}", rad_to_deg(image.pose.rz_rad)), fmt::format("{:.3f}", image.load_N)});
    for (const auto metric : shown)
      row.push_back(metric_number(info_of(metric), at(image.metrics, metric)));
  }
  return table;
}

Table method_table(const MetricSummaries& summaries, const ImageMetricValues& floor) {
  Table table{{"metric", "median", "interval", "95 % better than", "floor", "images"}, {}};
  for (const auto& [metric, summary] : summaries) {
    const auto& info = info_of(metric);
    table.rows.push_back({metric_title(info), metric_number(info, summary.median),
                          interval_words(info, summary), metric_number(info, summary.p95),
                          metric_number(info, at(floor, metric)),
                          fmt::format("{}", summary.images)});
  }
  return table;
}

Table side_by_side(const CompareReport& report) {
  Table table{{"metric"}, {}};
  for (const auto& [method, summary] : report.summary) table.columns.push_back(method);
  table.columns.emplace_back("the sensor");
  for (const auto& info : image_metrics()) {
    std::vector<std::string> row{metric_title(info)};
    bool any = false;
    for (const auto& [method, summary] : report.summary) {
      const auto median = median_of(summary, info.metric);
      any |= median.has_value();
      row.push_back(metric_number(info, median));
    }
    row.push_back(metric_number(info, at(report.floor, info.metric)));
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

Table strata_table(const CompareReport& report) {
  constexpr std::array kShown{ImageMetric::kRelL1, ImageMetric::kTotal, ImageMetric::kCentroid,
                              ImageMetric::kEmd,   ImageMetric::kIou,   ImageMetric::kCoverage};
  const auto& error = info_of(ImageMetric::kRelL1);
  Table table{{"by", "value", "method", "images"}, {}};
  for (const auto metric : kShown) table.columns.push_back(metric_title(info_of(metric)));
  table.columns.insert(table.columns.begin() + 5, "95 % better than");
  for (const auto& [method, strata] : report.strata)
    for (const auto& stratum : strata) {
      auto& row = table.rows.emplace_back(std::vector<std::string>{
          stratum.by, stratum.value, method, fmt::format("{}", stratum.images)});
      for (const auto metric : kShown)
        row.push_back(metric_number(info_of(metric), median_of(stratum.summary, metric)));
      const auto found = stratum.summary.find(ImageMetric::kRelL1);
      row.insert(row.begin() + 5, metric_number(error, found == stratum.summary.end()
                                                           ? std::optional<double>()
                                                           : std::optional(found->second.p95)));
    }
  return table;
}

Table figure_table(const CompareReport& report) {
  Table table{{"method", "by", "value", "metric", "median", "ci95_low", "ci95_high", "p95",
               "the sensor", "images"},
              {}};
  const auto add = [&](const std::string& method, const std::string& by, const std::string& value,
                       const MetricSummaries& summaries) {
    for (const auto& [metric, summary] : summaries) {
      const auto& info = info_of(metric);
      const auto bound = [&](std::size_t end) {
        return summary.ci95 ? std::optional((*summary.ci95)[end]) : std::nullopt;
      };
      const bool all = by == "all";
      table.rows.push_back({method, by, value, metric_title(info),
                            metric_number(info, summary.median), metric_number(info, bound(0)),
                            metric_number(info, bound(1)), metric_number(info, summary.p95),
                            all ? metric_number(info, at(report.floor, metric)) : "-",
                            fmt::format("{}", summary.images)});
    }
  };
  for (const auto& [method, summaries] : report.summary) add(method, "all", "-", summaries);
  for (const auto& [method, strata] : report.strata)
    for (const auto& stratum : strata) add(method, stratum.by, stratum.value, stratum.summary);
  return table;
}

}  // namespace

std::string metric_title(const ImageMetricInfo& info) {
  const auto unit = shown_unit(info).unit;
  return unit.empty() ? std::string(info.name) : fmt::format("{} [{}]", info.name, unit);
}

std::string metric_number(const ImageMetricInfo& info, const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value * shown_unit(info).factor) : "-";
}

CompareContent compare_content(const CompareReport& report) {
  CompareContent content;
  for (const auto& [method, summary] : report.summary) {
    content.headlines.push_back(headline_of(method, summary, report.floor));
    content.methods.emplace_back(method, method_table(summary, report.floor));
  }
  content.images = image_table(report);
  content.side_by_side = side_by_side(report);
  content.strata = strata_table(report);
  content.figures = figure_table(report);
  return content;
}

}  // namespace tactelier
