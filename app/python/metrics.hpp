#pragma once
// Metrics of two images by their names; None where one is not defined.

#include <string>

#include "app/python/objects.hpp"
#include "libcalib/forward/image_metrics.hpp"

namespace tactelier::python {

inline py::dict metrics_of(const ImageMetricValues& values) {
  py::dict metrics;
  for (const auto& info : image_metrics())
    metrics[py::str(std::string(info.name))] = at(values, info.metric);
  return metrics;
}

}  // namespace tactelier::python
