#pragma once
// Image presses that were meant to be the same, and what they say of how differently they stood.

#include <utility>
#include <vector>

#include "app/workflow/prediction_interval.hpp"
#include "app/workflow/recorded_images.hpp"
#include "libcalib/forward/image_layout.hpp"

namespace tactelier {

using Repeats = std::vector<std::vector<std::size_t>>;  // indices of images, two or more each

/// Presses of one shape at one place under one load, told apart by what was asked for.
Repeats repeats_of(const std::vector<RecordedImage>& images);

/// Of what a hand laid on: from the centres and the directions of repeats, whatever the model says
/// of them. Zero without repeats, of the turn also without elongated images.
Placing placing_of(const ImageLayout& layout, std::optional<double> full_scale,
                   const std::vector<RecordedImage>& images);

/// Sums over the tactels that both images have.
std::pair<double, double> compared_totals(const std::vector<double>& a,
                                          const std::vector<double>& b);

}  // namespace tactelier
