#pragma once
// What one tactile image says of the contact: where, how much, how large, which way
// (docs/theory/forward.md 5).

#include <optional>
#include <span>

#include "libcalib/forward/image_layout.hpp"

namespace tactelier {

/// A place of S.
struct ImagePoint {
  double x_m = 0, y_m = 0;
};

/// Sum over the tactels that have a number.
double image_total(std::span<const double> image);

/// Centre of force: the places' mean, weighted by the readings. Empty where they sum to nothing.
std::optional<ImagePoint> image_centroid(const ImageLayout& layout, std::span<const double> image);

/// Tactels above `level`.
std::size_t image_area(std::span<const double> image, double level);

/// Direction of the largest spread about the centroid, in [0, pi) against +x.
struct ImageOrientation {
  double angle_rad = 0;
  /// Larger over smaller variance, infinite for a line: how sure the direction is. Below
  /// kLeastElongation there is none.
  double elongation = 1;
};
constexpr double kLeastElongation = 1.5;

/// Of the readings above `level`, which keeps the background's noise out. Empty without contact.
std::optional<ImageOrientation> image_orientation(const ImageLayout& layout,
                                                  std::span<const double> image, double level);

/// Direction of the straight line that most tactels above `level` lie on, by a Hough transform of
/// the binary image: normals in steps of 1 degree, a tactel within one pitch of the line counts by
/// how near it is. The baseline of published work (Leins, Patzelt, Haschke: HydroelasticTouch),
/// blind to how strong a reading is. In [0, pi) against +x; empty with fewer than three tactels or
/// where the pitch is not known.
std::optional<double> hough_line_rad(const ImageLayout& layout, std::span<const double> image,
                                     double level);

/// Between two directions that mean the same turned by half a turn, in [0, pi/2].
double axis_difference_rad(double a_rad, double b_rad);

}  // namespace tactelier
