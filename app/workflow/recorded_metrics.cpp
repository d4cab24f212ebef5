#include "app/workflow/recorded_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "app/workflow/compare_summary.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

/// One image as both methods predict it.
struct Told {
  const ComparedImage& ours;
  const ComparedImage& target;
};

/// What percentages are shares of.
const char* share_of(ImageMetric metric) {
  switch (metric) {
    case ImageMetric::kMadFs:
    case ImageMetric::kMadActive:
      return "full scale";
    case ImageMetric::kRelL1:
    case ImageMetric::kTotal:
      return "the measured sum";
    case ImageMetric::kRho:
      return "the distance of repeats";
    default:
      return "";
  }
}

double apart_percent(const std::vector<double>& target, const std::vector<double>& ours) {
  double off = 0, sum = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (std::isnan(ours[i]) || std::isnan(target[i])) continue;
    off += std::abs(target[i] - ours[i]);
    sum += ours[i];
  }
  return sum > 0 ? 100 * off / sum : 0;
}

RecordedAgreement::Spread spread_of(const std::vector<double>& values, bool error) {
  return {median(values), quantile(values, error ? 0.95 : 0.05)};
}

std::vector<RecordedAgreement::Metric> metrics_of(const std::vector<Told>& images,
                                                  const ImageMetricValues& floor) {
  std::vector<RecordedAgreement::Metric> metrics;
  for (const auto& info : image_metrics()) {
    std::vector<double> ours, target;
    for (const auto& image : images) {
      const auto own = rated(info.metric, image.ours.metrics);
      const auto theirs = rated(info.metric, image.target.metrics);
      if (!own || !theirs) continue;
      ours.push_back(*own);
      target.push_back(*theirs);
    }
    if (ours.empty()) continue;
    metrics.push_back({std::string(info.name), std::string(info.unit), share_of(info.metric),
                       ours.size(), spread_of(ours, info.error), spread_of(target, info.error),
                       at(floor, info.metric)});
  }
  return metrics;
}

}  // namespace

RecordedAgreement agreement_of(const CompareReport& report, const std::string& ours,
                               const std::string& target) {
  RecordedAgreement agreement;
  agreement.method = ours;
  std::vector<Told> told;
  for (const auto& image : report.images) {
    if (image.method != ours) continue;
    const auto same = std::find_if(report.images.begin(), report.images.end(), [&](const auto& o) {
      return o.method == target && o.session == image.session && o.image == image.image;
    });
    if (same == report.images.end()) continue;
    const auto own = at(image.metrics, ImageMetric::kRelL1);
    const auto theirs = at(same->metrics, ImageMetric::kRelL1);
    if (!own || !theirs) continue;
    told.push_back({image, *same});
    agreement.images.push_back({fmt::format("{}: image {}, {}, {}", image.session, image.image,
                                            image.indenter, image.load),
                                *own, *theirs, apart_percent(same->predicted, image.predicted)});
  }
  agreement.metrics = metrics_of(told, report.floor);
  for (const auto& warning : report.warnings)
    if (warning.where.find(": image ") != std::string::npos)
      agreement.left_out.push_back(warning.where + ": " + warning.text);
  return agreement;
}

}  // namespace tactelier
