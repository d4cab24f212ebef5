#pragma once
// compare --fail-above: a comparison as a regression test.

#include <string>

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
/// "mad_fs, mad_active ...": those that a limit makes sense for.
std::string error_metrics();

}  // namespace tactelier
