#include "libcalib/pad/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr int kDiscCorners = 360;

Polygon regular(int corners, double corner_radius_m, double first_rad) {
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    const double angle = first_rad + 2 * std::numbers::pi * i / corners;
    polygon.push_back({corner_radius_m * std::cos(angle), corner_radius_m * std::sin(angle)});
  }
  return polygon;
}

double cross(Point a, Point b) { return a.x_m * b.y_m - a.y_m * b.x_m; }

Point zero_crossing(Point a, double depth_a, Point b, double depth_b) {
  const double share = depth_a / (depth_a - depth_b);
  return {a.x_m + share * (b.x_m - a.x_m), a.y_m + share * (b.y_m - a.y_m)};
}

}  // namespace

Polygon rectangle(double x_m, double y_m) {
  return {{-x_m / 2, -y_m / 2}, {x_m / 2, -y_m / 2}, {x_m / 2, y_m / 2}, {-x_m / 2, y_m / 2}};
}

Polygon hexagon(double across_flats_m) {
  return regular(6, across_flats_m / std::numbers::sqrt3, std::numbers::pi / 6);
}

Polygon disc(double radius_m) {
  const double step = 2 * std::numbers::pi / kDiscCorners;
  return regular(kDiscCorners, radius_m * std::sqrt(step / std::sin(step)), 0);
}

Polygon turned(const Polygon& polygon, double angle_rad, Point shift) {
  const double c = std::cos(angle_rad);
  const double s = std::sin(angle_rad);
  Polygon result;
  result.reserve(polygon.size());
  for (const auto& p : polygon)
    result.push_back({c * p.x_m - s * p.y_m + shift.x_m, s * p.x_m + c * p.y_m + shift.y_m});
  return result;
}

double area_m2(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    twice += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  return twice / 2;
}

Point centroid(const Polygon& polygon) {
  Point sum;
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i];
    const Point b = polygon[(i + 1) % polygon.size()];
    const double c = cross(a, b);
    sum.x_m += c * (a.x_m + b.x_m);
    sum.y_m += c * (a.y_m + b.y_m);
    twice += c;
  }
  return {sum.x_m / (3 * twice), sum.y_m / (3 * twice)};
}

Polygon pressed_part(const Polygon& polygon, const LinearDepth& depth) {
  Polygon part;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i];
    const Point b = polygon[(i + 1) % polygon.size()];
    const double depth_a = depth.at(a);
    const double depth_b = depth.at(b);
    if (depth_a > 0) part.push_back(a);
    if ((depth_a > 0) != (depth_b > 0)) part.push_back(zero_crossing(a, depth_a, b, depth_b));
  }
  return part;
}

RimIntegral rim_integral(const Polygon& polygon, const LinearDepth& depth) {
  RimIntegral sum;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i];
    const Point b = polygon[(i + 1) % polygon.size()];
    const double depth_a = depth.at(a);
    const double depth_b = depth.at(b);
    const double high = std::max(depth_a, depth_b);
    const double low = std::min(depth_a, depth_b);
    if (high <= 0) continue;
    const double share = low >= 0 ? 1 : high / (high - low);  // of the edge that is pressed
    const double length = std::hypot(b.x_m - a.x_m, b.y_m - a.y_m) * share;
    sum.length_m += length;
    sum.depth_m2 += length * (high + std::max(low, 0.0)) / 2;
  }
  return sum;
}

}  // namespace tactelier::pad
