#pragma once
// What a comparison of predicted with recorded images found: every image by itself, and medians
// with their spread over all of them and by shape, load and tilt (docs/theory/forward.md 8).

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/image_course.hpp"
#include "libcalib/forward/image_metrics.hpp"
#include "libcalib/forward/press_image.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// How far an indenter is moved from where the recording says it stood, sensor frame; the turn is
/// about its tip.
struct PoseShift {
  double x_m = 0, y_m = 0, rz_rad = 0;
};

struct ComparedImage {
  std::string session;
  int image = 0;
  std::string method, indenter;
  PressPose pose;    // as recorded, sensor frame
  std::string load;  // what was asked for, "500 g", "2 N"; as measured without such words
  double load_N = 0;
  LoadHistory history;  // when it was read
  std::vector<double> predicted, measured;  // counts above rest; NaN where there are none
  ImageMetricValues metrics;
  ContactErrors contact;
  StaticPress press;                      // that was predicted
  std::optional<PoseShift> shift;         // of a registered one
  std::optional<CourseFigures> course{};  // of a press by the stage
};

/// Of one metric over the images of a method; of `total` its size without sign.
struct MetricSummary {
  double median = 0;
  double p95 = 0;                             // 95 % of the images are better
  std::optional<std::array<double, 2>> ci95;  // of the median, by bootstrap over presses
  std::size_t images = 0;                     // that have it
};
using MetricSummaries = std::map<ImageMetric, MetricSummary>;

/// The images of a method that have something in common.
struct Stratum {
  std::string by;     // "indenter", "load", "tilt"
  std::string value;  // "hexagon 12 mm", "500 g", "5 deg"
  std::size_t images = 0;
  MetricSummaries summary;
};

struct CompareReport {
  std::vector<ComparedImage> images;               // method by method
  std::map<std::string, MetricSummaries> summary;  // by method
  std::map<std::string, std::vector<Stratum>> strata;
  /// Medians of the same metrics between repeats of a press, of `total` of what is left in their
  /// mean: what no model can beat by much.
  ImageMetricValues floor;
  std::vector<std::string> left_out;  // methods that the model can't serve: FW-10
  Warnings warnings;
};

}  // namespace tactelier
