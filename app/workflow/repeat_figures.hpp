#pragma once
// What repeats of a press say: how near a model is beside how near they are to each other
// (docs/theory/forward.md 6 and 8).

#include "app/workflow/compare_report.hpp"
#include "app/workflow/pose_registration.hpp"
#include "app/workflow/press_repeats.hpp"

namespace tactelier {

/// Metric rho: mean distance of the model to the measured images over that of these among
/// themselves.
void rate_by_repeats(const Repeats& repeats, double full_scale, std::vector<ComparedImage>& images);

/// Medians of the metrics between repeats; of `total`, which is judged by the mean of repeats, of
/// what their scatter leaves in that mean: less no model can miss it by.
ImageMetricValues floor_of(const ImagePredictor& predictor, const Repeats& repeats,
                           const std::vector<ComparedImage>& images);

}  // namespace tactelier
