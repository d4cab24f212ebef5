#pragma once
// Flat faces as convex polygons, and integrals of a linear depth over them: exact, which keeps the
// toe of a tilted punch smooth.

#include <vector>

namespace tactelier::pad {

struct Point {
  double x_m = 0;
  double y_m = 0;
};

/// Convex, counter-clockwise.
using Polygon = std::vector<Point>;

Polygon rectangle(double x_m, double y_m);
/// Regular hexagon with two flats whose normals lie along +x and -x.
Polygon hexagon(double across_flats_m);
/// 360 corners, of the circle's area.
Polygon disc(double radius_m);
Polygon turned(const Polygon& polygon, double angle_rad, Point shift);

double area_m2(const Polygon& polygon);
Point centroid(const Polygon& polygon);

/// depth(x, y) = at_origin + along_x x + along_y y.
struct LinearDepth {
  double at_origin_m = 0;
  double along_x = 0;
  double along_y = 0;

  double at(Point p) const { return at_origin_m + along_x * p.x_m + along_y * p.y_m; }
};

/// The part of the polygon where depth > 0.
Polygon pressed_part(const Polygon& polygon, const LinearDepth& depth);

/// Integral of max(0, depth) along the rim [m^2] and the length of rim with depth > 0 [m].
struct RimIntegral {
  double depth_m2 = 0;
  double length_m = 0;
};
RimIntegral rim_integral(const Polygon& polygon, const LinearDepth& depth);

}  // namespace tactelier::pad
