#pragma once
// Undersides that are not flat: sphere, lying cylinder, wedge, ellipsoid. Their overlap with a flat
// layer, in closed form where level and by midpoints where tilted.

#include "libcalib/sensor/indenter.hpp"

namespace tactelier::pad {

/// Height b(u, w) of the underside above its lowest point, along the body's own axes u and w.
struct RoundBody {
  IndenterShape shape = IndenterShape::kSphere;
  double radius_m = 0;        // sphere, lying cylinder
  double length_m = 0;        // lying cylinder, wedge: along u
  double cot_half_angle = 0;  // wedge
  double semi_axes_m[3]{};    // ellipsoid

  /// Infinite outside the body.
  double height_m(double u_m, double w_m) const;
};

/// The body with a plane of small slopes added; a sphere doesn't notice being tilted.
struct TiltedBody {
  RoundBody body;
  double slope_u = 0;
  double slope_w = 0;

  bool level() const;
  double height_m(double u_m, double w_m) const;
  double lowest_m() const;
  /// Overlap volume and area of contact, `above_m` the depth of the lowest point.
  double volume_m3(double above_m) const;
  double area_m2(double above_m) const;  // level bodies only

  /// A box in u, w that holds the contact.
  struct Box {
    double u_m, w_m;  // centre
    double half_u_m, half_w_m;
  };
  Box contact_box(double above_m) const;
};

}  // namespace tactelier::pad
