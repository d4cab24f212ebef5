#include "app/workflow/compare_summary.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kResamples = 2000;
constexpr std::size_t kFewest = 5;  // images for an interval of their median

std::optional<std::array<double, 2>> interval_of_median(const std::vector<double>& values,
                                                        RandomSource& random) {
  if (values.size() < kFewest) return {};
  std::vector<double> medians, drawn(values.size());
  for (int k = 0; k < kResamples; ++k) {
    for (auto& value : drawn) value = values[random.below(values.size())];
    medians.push_back(median(drawn));
  }
  return std::array{quantile(medians, 0.025), quantile(medians, 0.975)};
}

/// One value for each image, of totals one for each press that was repeated.
std::vector<double> judged_values(ImageMetric metric, const std::vector<ComparedImage>& images,
                                  const Repeats& repeats) {
  std::vector<double> values;
  std::vector<bool> summed(images.size(), false);
  if (metric == ImageMetric::kTotal)
    for (const auto& group : repeats) {
      double predicted = 0, measured = 0;
      for (const auto i : group) {
        summed[i] = true;
        if (!at(images[i].metrics, ImageMetric::kTotal)) continue;
        const auto [a, b] = compared_totals(images[i].predicted, images[i].measured);
        predicted += a;
        measured += b;
      }
      if (measured > 0) values.push_back(std::abs(100 * (predicted / measured - 1)));
    }
  for (std::size_t i = 0; i < images.size(); ++i)
    if (const auto value = rated(metric, images[i].metrics); value && !summed[i])
      values.push_back(*value);
  return values;
}

std::string tilt_of(const ComparedImage& image) {
  const double tilt_deg = rad_to_deg(std::hypot(image.pose.tilt_x_rad, image.pose.tilt_y_rad));
  return fmt::format("{:.3g} deg", tilt_deg);
}

/// One of what images are told apart by.
struct Trait {
  const char* by;
  std::string (*of)(const ComparedImage& image);
};
constexpr auto kTraits = std::to_array<Trait>({
    {"indenter", [](const ComparedImage& image) { return image.indenter; }},
    {"load", [](const ComparedImage& image) { return image.load; }},
    {"tilt", tilt_of},
});

/// In order of their first image.
std::vector<std::string> values_of(const Trait& trait, const std::vector<ComparedImage>& images) {
  std::vector<std::string> values;
  for (const auto& image : images)
    if (auto value = trait.of(image); std::ranges::find(values, value) == values.end())
      values.push_back(std::move(value));
  return values;
}

Stratum stratum_of(const Trait& trait, const std::string& value,
                   const std::vector<ComparedImage>& images, const Repeats& repeats,
                   RandomSource& random) {
  std::vector<ComparedImage> chosen;
  std::vector<std::optional<std::size_t>> place(images.size());  // in `chosen`
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (trait.of(images[i]) != value) continue;
    place[i] = chosen.size();
    chosen.push_back(images[i]);
  }
  Repeats among;
  for (const auto& group : repeats) {
    std::vector<std::size_t> members;
    for (const auto i : group)
      if (place[i]) members.push_back(*place[i]);
    if (members.size() > 1) among.push_back(std::move(members));
  }
  return {trait.by, value, chosen.size(), summary_of(chosen, among, random)};
}

}  // namespace

std::optional<double> rated(ImageMetric metric, const ImageMetricValues& values) {
  const auto& value = at(values, metric);
  const bool either_way = metric == ImageMetric::kTotal || metric == ImageMetric::kLatency ||
                          metric == ImageMetric::kLoop;
  return value && either_way ? std::optional(std::abs(*value)) : value;
}

MetricSummaries summary_of(const std::vector<ComparedImage>& images, const Repeats& repeats,
                           RandomSource& random) {
  MetricSummaries summary;
  for (const auto& info : image_metrics()) {
    const auto values = judged_values(info.metric, images, repeats);
    if (values.empty()) continue;
    summary[info.metric] = {median(values), quantile(values, info.error ? 0.95 : 0.05),
                            interval_of_median(values, random), values.size()};
  }
  return summary;
}

std::vector<Stratum> strata_of(const std::vector<ComparedImage>& images, const Repeats& repeats,
                               RandomSource& random) {
  std::vector<Stratum> strata;
  for (const auto& trait : kTraits) {
    const auto values = values_of(trait, images);
    if (values.size() < 2) continue;
    for (const auto& value : values)
      strata.push_back(stratum_of(trait, value, images, repeats, random));
  }
  return strata;
}

}  // namespace tactelier
