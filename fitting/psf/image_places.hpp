#pragma once
// Do images of presses lie where the presses do? Centroids follow the places, less far where the
// array ends; turned axes and another order of tactels show at once, without a fit.

#include <array>
#include <string>
#include <vector>

namespace tactelier {

/// A press and the centroid of its brightest image, both from the array's middle.
struct ImagePlace {
  std::array<double, 2> press_m{}, image_m{};
};

/// What is wrong with the places, or with the order of the tactels: PS-05 with the remedy; empty
/// where the fit's registration can find what is left.
std::string places_objection(const std::vector<ImagePlace>& images, double pitch_m);

}  // namespace tactelier
