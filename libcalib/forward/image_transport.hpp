#pragma once
// How far pressure has to be carried to turn one image into another: the exact transport distance
// (Wasserstein-1), by network simplex. A shift of the whole image costs its length, where metrics
// that compare tactel by tactel jump.

#include <optional>
#include <span>

#include "libcalib/forward/image_layout.hpp"

namespace tactelier {

/// Mean distance in metres, both images brought to the same sum, negative readings taken as 0.
/// Tactels without a number in either are left out. Empty where an image has nothing.
std::optional<double> transport_distance_m(const ImageLayout& layout, std::span<const double> a,
                                           std::span<const double> b);

}  // namespace tactelier
