#pragma once
// compare --fail-above: a comparison as a regression test.

#include <string>
#include <vector>

#include "app/workflow/compare_report.hpp"
#include "libcalib/forward/image_metrics.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// "METRIC=VALUE", as --fail-above has it. Fails with kUsage on an unknown metric, on one of which
/// more is better, and on what is no number.
struct MetricLimit {
  const ImageMetricInfo* metric = nullptr;
  double most = 0;
};
Result<MetricLimit> parse_limit(const std::string& text);
/// Of a metric by its name; fails as that does.
Result<MetricLimit> metric_limit(const std::string& name, double most);
/// "mad_fs, mad_active ...": those that a limit makes sense for.
std::string error_metrics();

/// "rel_l1 of psf: 4.1 % is above 3 %" of each median that is above its limit, or has no value.
std::vector<std::string> beyond_limits(const std::vector<MetricLimit>& limits,
                                       const CompareReport& report);
/// The same of two images; `of`: what is compared with the measured one.
std::vector<std::string> beyond_limits(const std::vector<MetricLimit>& limits,
                                       const std::string& of, const ImageMetricValues& metrics);

}  // namespace tactelier
