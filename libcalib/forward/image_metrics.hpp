#pragma once
// How far a predicted image is from a measured one, in counts above rest, as
// docs/theory/forward.md 6 defines each number.

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcalib/forward/image_layout.hpp"

namespace tactelier {

enum class ImageMetric {
  kMadFs,        // mean |A - B| over full scale
  kMadActive,    // the same over tactels above 1 % of full scale in either image
  kRelL1,        // sum |A - B| over sum B, on tactels above 1 % of full scale in A
  kRmse,         // counts
  kNcc,          // Pearson's correlation over tactels
  kSsim,         // mean over 3 x 3 windows
  kCentroid,     // between the centres of force
  kTotal,        // sum A over sum B, less 1
  kOrientation,  // between the directions of both, if they have one
  kHough,        // between the directions of both by a Hough transform, if they have one
  kIou,          // tactels in contact in both over those in either
  kEmd,          // transport distance
  kRho,          // distance to the measured over that of repeats among themselves
  kCoverage,     // readings inside the 95 % interval of prediction
  kLatency,      // how much later readings are than the model says
  kLoop,         // area between unloading and loading, measured less predicted
};
constexpr std::size_t kImageMetrics = 16;

struct ImageMetricInfo {
  ImageMetric metric;
  std::string_view name;  // on the command line and in files
  std::string_view unit;  // "%", "counts", "m", "rad", "s", ""
  /// Whether less is better; a bound makes sense for these alone.
  bool error;
};
/// In the order of ImageMetric.
std::span<const ImageMetricInfo> image_metrics();
/// nullptr for an unknown name.
const ImageMetricInfo* find_image_metric(std::string_view name);

/// By ImageMetric; empty where it is not defined for these images.
using ImageMetricValues = std::array<std::optional<double>, kImageMetrics>;
inline std::optional<double>& at(ImageMetricValues& values, ImageMetric metric) {
  return values[static_cast<std::size_t>(metric)];
}
inline const std::optional<double>& at(const ImageMetricValues& values, ImageMetric metric) {
  return values[static_cast<std::size_t>(metric)];
}

/// What the metrics need to know of the sensor.
struct ImageScale {
  std::optional<double> full_scale;    // counts above rest
  std::vector<double> contact_levels;  // by tactel; empty: no iou
};

/// `model` against `measured`, tactels without a number in either left out; all but rho, coverage,
/// latency and loop, which need more than two images.
ImageMetricValues compare_images(const ImageLayout& layout, const ImageScale& scale,
                                 std::span<const double> model, std::span<const double> measured);

/// What rho is a ratio of: sum of |A - B| over the tactels above 1 % of full scale in `judge`.
double active_distance(std::span<const double> judge, double full_scale, std::span<const double> a,
                       std::span<const double> b);

/// In contact in the model alone, and in the measurement alone.
struct ContactErrors {
  int false_lit = 0, missed_lit = 0;
};
ContactErrors contact_errors(const ImageScale& scale, std::span<const double> model,
                             std::span<const double> measured);

}  // namespace tactelier
