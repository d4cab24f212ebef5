#pragma once
// tactelier compare: what a model predicts of recorded image presses, beside what the sensor
// repeats of itself (docs/theory/forward.md 8).

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/forward/image_metrics.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct CompareRequest {
  std::filesystem::path model;
  std::vector<std::filesystem::path> sessions;
  std::vector<std::string> methods{"psf"};  // of forward_methods(), one or more
  std::filesystem::path images;             // folder for measured and predicted images; empty: none
  std::uint64_t seed = 1;                   // of the bootstrap and of predictive intervals
};

struct ComparedImage {
  std::string session;
  int image = 0;
  std::string method, indenter;
  double load_N = 0;
  std::vector<double> predicted, measured;  // counts above rest; NaN where there are none
  ImageMetricValues metrics;
  ContactErrors contact;
};

/// Of one metric over the images of a method; of `total` its size without sign.
struct MetricSummary {
  double median = 0;
  double p95 = 0;                             // 95 % of the images are better
  std::optional<std::array<double, 2>> ci95;  // of the median, by bootstrap over presses
  std::size_t images = 0;                     // that have it
};

struct CompareReport {
  std::vector<ComparedImage> images;
  std::map<std::string, std::map<ImageMetric, MetricSummary>> summary;  // by method
  /// Medians of the same metrics between repeats of a press: what no model can beat by much.
  ImageMetricValues floor;
  Warnings warnings;
};

/// Images method by method. Presses that a method can't predict are left out of it with a warning.
/// Fails with kInvalidInput where no session holds an image press, and where a method can predict
/// none.
Result<CompareReport> compare_with_sessions(const CompareRequest& request, const Job& job);

/// "METRIC=VALUE", as --fail-above has it. Fails with kUsage on an unknown metric, on one of which
/// more is better, and on what is no number.
struct MetricLimit {
  const ImageMetricInfo* metric = nullptr;
  double most = 0;
};
Result<MetricLimit> parse_limit(const std::string& text);
/// "mad_fs, mad_active ...": those that a limit makes sense for.
std::string error_metrics();

}  // namespace tactelier
