#include "app/workflow/repeat_figures.hpp"

#include <array>
#include <cmath>

#include "app/workflow/compare_summary.hpp"
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

ImageMetricValues floor_of(const ImagePredictor& predictor, const Repeats& repeats,
                           const std::vector<ComparedImage>& images) {
  std::array<std::vector<double>, kImageMetrics> found;
  for (const auto& group : repeats)
    for (std::size_t a = 0; a < group.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto values = compare_images(predictor.layout, predictor.scale,
                                           images[group[a]].measured, images[group[b]].measured);
        for (const auto& info : image_metrics())
          if (const auto value = rated(info.metric, values))
            found[static_cast<std::size_t>(info.metric)].push_back(*value);
        for (const auto metric : {ImageMetric::kLatency, ImageMetric::kLoop}) {
          const auto one = at(images[group[a]].metrics, metric);
          const auto other = at(images[group[b]].metrics, metric);
          if (one && other)
            found[static_cast<std::size_t>(metric)].push_back(std::abs(*one - *other));
        }
      }
  ImageMetricValues floor;
  for (std::size_t k = 0; k < kImageMetrics; ++k)
    if (!found[k].empty()) floor[k] = median(found[k]);
  return floor;
}

}  // namespace tactelier
