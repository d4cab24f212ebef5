#pragma once
// Lines of equal reading on an image: what the eye takes for the outline of a contact
// (docs/theory/forward.md 5). Between the centres of neighbouring tactels the image is linear
// (marching squares).

#include <span>
#include <vector>

#include "libcalib/forward/image_features.hpp"

namespace tactelier {

struct ImageContour {
  std::vector<ImagePoint> points;  // what is higher lies to the left; S
  bool closed = false;             // else it ends at the border or at a tactel without a number

  /// What a closed one encloses: of a hollow less than 0. 0 of an open one.
  double area_m2() const;
};

/// Of each array by itself, nothing between arrays. Where four tactels lie crosswise above and
/// below, their mean says what belongs together.
std::vector<ImageContour> image_contours(const ImageLayout& layout, std::span<const double> image,
                                         double level);

}  // namespace tactelier
