#include "libcalib/models/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kWide = 2;  // of a flat face, in thicknesses
using std::numbers::pi;

/// Half-axes along x and y, and upwards.
Overlap cap(double a_m, double b_m, double c_m, double depth_m) {
  const double e = depth_m / c_m;
  return {pi * a_m * b_m * c_m * e * e * (1 - e / 3), pi * a_m * b_m * e * (2 - e)};
}

Overlap lying_cylinder(double radius_m, double length_m, double depth_m) {
  const double left_m = radius_m - depth_m;
  const double half_m = std::sqrt(depth_m * (2 * radius_m - depth_m));
  const double section_m2 = radius_m * radius_m * std::acos(left_m / radius_m) - left_m * half_m;
  return {length_m * section_m2, 2 * length_m * half_m};
}

double narrowest_m(const Indenter& indenter) {
  switch (indenter.shape) {
    case IndenterShape::kCylinder:
      return indenter.diameter_m;
    case IndenterShape::kHexagon:
      return indenter.across_flats_m;
    case IndenterShape::kBox:
      return std::min(indenter.x_m, indenter.y_m);
    case IndenterShape::kEdge:
      return std::min(indenter.length_m, indenter.width_m);
    default:
      return 0;
  }
}

}  // namespace

std::optional<Overlap> slab_overlap(const Indenter& indenter, double depth_m) {
  const double depth = std::max(0.0, depth_m);
  const double radius_m = indenter.diameter_m / 2;
  switch (indenter.shape) {
    case IndenterShape::kSphere:
      return cap(radius_m, radius_m, radius_m, std::min(depth, radius_m));
    case IndenterShape::kEllipsoid:
      return cap(indenter.x_m / 2, indenter.y_m / 2, indenter.z_m / 2,
                 std::min(depth, indenter.z_m / 2));
    case IndenterShape::kLyingCylinder:
      return lying_cylinder(radius_m, indenter.length_m, std::min(depth, radius_m));
    case IndenterShape::kWedge: {
      const double slope = std::tan(indenter.half_angle_rad);
      return Overlap{indenter.length_m * depth * depth * slope,
                     2 * indenter.length_m * depth * slope};
    }
    case IndenterShape::kCylinder:
    case IndenterShape::kHexagon:
    case IndenterShape::kBox:
    case IndenterShape::kEdge:
      if (const auto area_m2 = indenter.flat_area_m2())
        return Overlap{*area_m2 * depth, depth > 0 ? *area_m2 : 0};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool follows_foundation(const Indenter& indenter, double thickness_m) {
  if (!slab_overlap(indenter, 0)) return false;
  const double width_m = narrowest_m(indenter);
  return width_m == 0 || width_m >= kWide * thickness_m;
}

}  // namespace tactelier
