#pragma once
// Metrics of two images by their names; None where one is not defined.

#include <string>

#include "app/python/objects.hpp"
#include "app/workflow/compare_limits.hpp"
#include "libcalib/forward/image_metrics.hpp"

namespace tactelier::python {

inline py::dict metrics_of(const ImageMetricValues& values) {
  py::dict metrics;
  for (const auto& info : image_metrics())
    metrics[py::str(std::string(info.name))] = at(values, info.metric);
  return metrics;
}

/// {"rel_l1": 5} as the limits of a comparison; raises where one makes no sense.
inline std::vector<MetricLimit> limits_of(const py::dict& fail_above) {
  std::vector<MetricLimit> limits;
  for (const auto& [name, most] : fail_above)
    limits.push_back(value_of(metric_limit(name.cast<std::string>(), most.cast<double>())));
  return limits;
}

}  // namespace tactelier::python
