#pragma once
// Medians over compared images, with intervals by bootstrap over presses, and by strata.

#include "app/workflow/compare_report.hpp"
#include "app/workflow/press_repeats.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {

/// Of `total`, `latency` and `loop` their size: too much and too little are both errors.
std::optional<double> rated(ImageMetric metric, const ImageMetricValues& values);

/// Totals are judged by the mean of the repeats of a press, of which a single one scatters by
/// itself.
MetricSummaries summary_of(const std::vector<ComparedImage>& images, const Repeats& repeats,
                           RandomSource& random);

/// By indenter, load and tilt, in this order; of those in which the images do not differ none.
std::vector<Stratum> strata_of(const std::vector<ComparedImage>& images, const Repeats& repeats,
                               RandomSource& random);

}  // namespace tactelier
