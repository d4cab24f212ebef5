#include "app/workflow/repeat_figures.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "app/workflow/compare_summary.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {

void rate_by_repeats(const Repeats& repeats, double full_scale,
                     std::vector<ComparedImage>& images) {
  for (const auto& group : repeats) {
    double of_model = 0, own = 0;
    int pairs = 0;
    for (std::size_t a = 0; a < group.size(); ++a) {
      const auto& image = images[group[a]];
      of_model += active_distance(image.predicted, full_scale, image.predicted, image.measured);
      for (std::size_t b = 0; b < a; ++b, ++pairs)
        own +=
            active_distance(image.predicted, full_scale, image.measured, images[group[b]].measured);
    }
    if (own <= 0) continue;
    const double rho = of_model / static_cast<double>(group.size()) / (own / pairs);
    for (const auto i : group) at(images[i].metrics, ImageMetric::kRho) = rho;
  }
}

namespace {

/// Median size of what the repeats' scatter leaves in their mean total, in percent of it.
std::optional<double> in_mean_total(const std::vector<std::size_t>& group,
                                    const std::vector<ComparedImage>& images) {
  double sum = 0, squares = 0;
  for (const auto i : group) {
    if (!at(images[i].metrics, ImageMetric::kTotal)) return {};
    const double total = compared_totals(images[i].predicted, images[i].measured).second;
    sum += total;
    squares += total * total;
  }
  const auto n = static_cast<double>(group.size());
  const double variance = (squares - sum * sum / n) / (n - 1);
  if (!(sum > 0) || !(variance >= 0)) return {};
  return 100 * normal_quantile(0.75) * std::sqrt(variance / n) / (sum / n);
}

}  // namespace

ImageMetricValues floor_of(const ImagePredictor& predictor, const Repeats& repeats,
                           const std::vector<ComparedImage>& images) {
  std::array<std::vector<double>, kImageMetrics> found;
  constexpr auto kTotal = static_cast<std::size_t>(ImageMetric::kTotal);
  for (const auto& group : repeats) {
    if (const auto left = in_mean_total(group, images)) found[kTotal].push_back(*left);
    for (std::size_t a = 0; a < group.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto values = compare_images(predictor.layout, predictor.scale,
                                           images[group[a]].measured, images[group[b]].measured);
        for (const auto& info : image_metrics())
          if (const auto value = rated(info.metric, values);
              value && info.metric != ImageMetric::kTotal)
            found[static_cast<std::size_t>(info.metric)].push_back(*value);
        for (const auto metric : {ImageMetric::kLatency, ImageMetric::kLoop}) {
          const auto one = at(images[group[a]].metrics, metric);
          const auto other = at(images[group[b]].metrics, metric);
          if (one && other)
            found[static_cast<std::size_t>(metric)].push_back(std::abs(*one - *other));
        }
      }
  }
  ImageMetricValues floor;
  for (std::size_t k = 0; k < kImageMetrics; ++k)
    if (!found[k].empty()) floor[k] = median(found[k]);
  return floor;
}

}  // namespace tactelier
