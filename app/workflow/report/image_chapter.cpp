#include "app/workflow/report/image_chapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/workflow/compare_content.hpp"
#include "app/workflow/compare_images.hpp"
#include "libcalib/units.hpp"
#include "reports/document/array_maps.hpp"

namespace tactelier {
namespace {

using Values = std::vector<std::optional<double>>;

Cell metric_cell(const ImageMetricInfo& info, const std::optional<double>& value) {
  if (!value) return {"–"};
  return {metric_number(info, value), CellNumber{"", *value, std::nullopt, std::string(info.unit)}};
}

ReportTable metrics_table(const MetricSummaries& summaries, const ImageMetricValues& floor) {
  ReportTable table{"Predicted against measured, over all image presses",
                    {"Metric", "Median", "95 % interval of the median", "95 % are better than",
                     "The sensor against itself", "Images"},
                    {}};
  for (const auto& [metric, summary] : summaries) {
    const auto& info = image_metrics()[static_cast<std::size_t>(metric)];
    const auto images = static_cast<double>(summary.images);
    table.rows.push_back(
        {{metric_title(info)},
         metric_cell(info, summary.median),
         {summary.ci95 ? fmt::format("{} to {}", metric_number(info, (*summary.ci95)[0]),
                                     metric_number(info, (*summary.ci95)[1]))
                       : "–"},
         metric_cell(info, summary.p95),
         metric_cell(info, at(floor, metric)),
         {fmt::format("{}", summary.images), CellNumber{"", images, {}, ""}}});
  }
  return table;
}

Values known(const std::vector<double>& counts) {
  Values values(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!std::isnan(counts[i])) values[i] = counts[i];
  return values;
}

std::string press_words(const ComparedImage& image) {
  auto words = fmt::format("{}, {}", image.indenter, image.load);
  if (image.pose.rz_rad != 0)
    words += fmt::format(", turned by {:.3g}°", rad_to_deg(image.pose.rz_rad));
  const double tilt_rad = std::hypot(image.pose.tilt_x_rad, image.pose.tilt_y_rad);
  if (tilt_rad != 0) words += fmt::format(", tilted by {:.3g}°", rad_to_deg(tilt_rad));
  return words;
}

/// Measured and predicted in the same colours; the difference has its own.
Figures triple(const SensorDescription& sensor, const ComparedImage& image) {
  const auto measured = known(image.measured), predicted = known(image.predicted);
  Values difference(measured.size());
  double most = 0, apart = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    most = std::max({most, measured[i].value_or(0), predicted[i].value_or(0)});
    if (!measured[i] || !predicted[i]) continue;
    difference[i] = *predicted[i] - *measured[i];
    apart = std::max(apart, std::abs(*difference[i]));
  }
  Figures figures{Figures::Size::kThird, {}};
  for (const auto& [title, values] :
       {std::pair{"Measured", &measured}, {"Predicted", &predicted}}) {
    auto map = array_map(sensor, title, "counts", *values);
    if (most > 0) map.range = {0.0, most};
    figures.figures.emplace_back(std::move(map));
  }
  auto map = array_map(sensor, "Predicted less measured", "counts", difference);
  if (apart > 0) map.range = {-apart, apart};
  map.differences = true;
  figures.figures.emplace_back(std::move(map));
  return figures;
}

/// The best, the middle and the worst by relative L1.
void add_triples(const SensorModel& model, const CompareReport& report,
                 std::vector<Block>& blocks) {
  std::vector<const ComparedImage*> rated;
  for (const auto& image : report.images)
    if (at(image.metrics, ImageMetric::kRelL1)) rated.push_back(&image);
  if (rated.empty()) return;
  std::ranges::stable_sort(rated, {}, [](const ComparedImage* image) {
    return *at(image->metrics, ImageMetric::kRelL1);
  });
  const auto add = [&](const char* which, const ComparedImage& image) {
    blocks.emplace_back(Paragraph{fmt::format("{}: {} (image {} of {}), relative L1 {:.3g} %.",
                                              which, press_words(image), image.image, image.session,
                                              *at(image.metrics, ImageMetric::kRelL1))});
    blocks.emplace_back(triple(model.sensor, image));
  };
  if (rated.size() > 2) add("The best", *rated.front());
  if (rated.size() != 2)
    add(rated.size() > 2 ? "The middle" : "The only", *rated[rated.size() / 2]);
  if (rated.size() == 2) add("The better", *rated.front());
  if (rated.size() > 1) add("The worst", *rated.back());
}

Result<CompareReport> compared(const SensorModel& model,
                               std::span<const std::filesystem::path> sessions, const Job& job) {
  CompareRequest request;
  request.sessions.assign(sessions.begin(), sessions.end());
  auto report = compare_with_sessions(model, request, job);
  if (report || report.error().code != ErrorCode::kUnidentifiable) return report;
  request.methods = {"soft-contact"};
  auto other = compare_with_sessions(model, request, job);
  if (other || other.error().code != ErrorCode::kUnidentifiable) return other;
  return report;
}

}  // namespace

Result<std::optional<Chapter>> image_chapter(const SensorModel& model,
                                             std::span<const std::filesystem::path> sessions,
                                             const Job& job) {
  if (sessions.empty()) return std::nullopt;
  Chapter chapter{"images", "Predicted images", {}};
  chapter.blocks.emplace_back(Paragraph{
      "Shaped indenters pressed on the array only to be predicted: no fit has used them."});
  auto report = compared(model, sessions, job);
  if (!report && report.error().code != ErrorCode::kUnidentifiable) return fail(report.error());
  if (!report) {
    chapter.blocks.emplace_back(Paragraph{"No prediction: " + report.error().message, Tone::kLook});
    return std::optional(std::move(chapter));
  }
  for (const auto& headline : compare_content(*report).headlines)
    chapter.blocks.emplace_back(Paragraph{headline + "."});
  for (const auto& [method, summary] : report->summary)
    chapter.blocks.emplace_back(metrics_table(summary, report->floor));
  add_triples(model, *report, chapter.blocks);
  chapter.blocks.emplace_back(Paragraph{
      "Explained in docs/predicting-images.md; `tactelier compare` has every image.", Tone::kNote});
  return std::optional(std::move(chapter));
}

}  // namespace tactelier
