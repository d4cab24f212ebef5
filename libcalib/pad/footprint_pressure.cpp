// Cubature of the pressure over a contact.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libcalib/pad/footprint.hpp"

namespace tactelier::pad {
namespace {

constexpr int kMaxRings = 24;
constexpr int kMaxCells = 32;

/// Points and weights of Gauss and Legendre on [0, 1] by Newton's method.
struct Rule {
  std::vector<double> x, w;
};
Rule gauss_legendre(int n) {
  Rule rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1;
    for (int step = 0; step < 60; ++step) {
      double p = 1;
      double previous = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * previous) / k;
        previous = p;
        p = next;
      }
      slope = n * (x * p - previous) / (x * x - 1);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.x.push_back((1 - x) / 2);
    rule.w.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

int count(double size_m, double resolution_m, int least, int most) {
  return std::clamp(static_cast<int>(std::ceil(size_m / resolution_m)), least, most);
}

/// Seven points of degree five on a triangle (Radon): barycentric place and weight.
constexpr double kRadon[7][4] = {
    {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.225},
    {0.05971587178976982, 0.47014206410511509, 0.47014206410511509, 0.13239415278850618},
    {0.47014206410511509, 0.05971587178976982, 0.47014206410511509, 0.13239415278850618},
    {0.47014206410511509, 0.47014206410511509, 0.05971587178976982, 0.13239415278850618},
    {0.79742698535308732, 0.10128650732345634, 0.10128650732345634, 0.12593918054482715},
    {0.10128650732345634, 0.79742698535308732, 0.10128650732345634, 0.12593918054482715},
    {0.10128650732345634, 0.10128650732345634, 0.79742698535308732, 0.12593918054482715}};

void triangle_points(Point a, Point b, Point c, double resolution_m, int splits,
                     std::vector<PressurePoint>& points) {
  const auto middle = [](Point p, Point q) {
    return Point{(p.x_m + q.x_m) / 2, (p.y_m + q.y_m) / 2};
  };
  const auto distance = [](Point p, Point q) { return std::hypot(p.x_m - q.x_m, p.y_m - q.y_m); };
  if (splits > 0 && std::max({distance(a, b), distance(b, c), distance(c, a)}) > resolution_m) {
    const Point ab = middle(a, b);
    const Point bc = middle(b, c);
    const Point ca = middle(c, a);
    for (const auto& t : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      triangle_points(t[0], t[1], t[2], resolution_m, splits - 1, points);
    return;
  }
  const double area =
      std::abs((b.x_m - a.x_m) * (c.y_m - a.y_m) - (c.x_m - a.x_m) * (b.y_m - a.y_m)) / 2;
  for (const auto& r : kRadon)
    points.push_back({r[0] * a.x_m + r[1] * b.x_m + r[2] * c.x_m,
                      r[0] * a.y_m + r[1] * b.y_m + r[2] * c.y_m, r[3] * area});
}

void disc_points(Point centre, double radius_m, double resolution_m,
                 std::vector<PressurePoint>& points) {
  const int rings = 1 + count(1.5 * radius_m, resolution_m, 1, kMaxRings);
  const int angles = 2 * count(4 * radius_m, resolution_m, 3, 2 * kMaxRings);
  const Rule rule = gauss_legendre(rings);  // in r^2: equal areas
  for (int i = 0; i < rings; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double r = radius_m * std::sqrt(rule.x[at]);
    for (int k = 0; k < angles; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5 * (i % 2)) / angles;
      points.push_back({centre.x_m + r * std::cos(angle), centre.y_m + r * std::sin(angle),
                        rule.w[at] * std::numbers::pi * radius_m * radius_m / angles});
    }
  }
}

}  // namespace

void Footprint::face_pressure(const Part& part, double depth_m, double resolution_m,
                              std::vector<PressurePoint>& points) const {
  const LinearDepth depth = face_depth(part, depth_m);
  const Polygon pressed = pressed_part(part.face, depth);
  if (pressed.size() < 3) return;
  const std::size_t first = points.size();
  if (part.radius_m > 0 && pressed.size() == part.face.size()) {
    disc_points(part.centre, part.radius_m, resolution_m, points);
  } else {
    const Point middle = centroid(pressed);
    const std::size_t stride = std::max<std::size_t>(1, pressed.size() / 24);  // of a disc's toe
    for (std::size_t i = 0; i < pressed.size(); i += stride)
      triangle_points(middle, pressed[i],
                      pressed[std::min(i + stride, pressed.size()) % pressed.size()],
                      2 * resolution_m, 4, points);
  }
  for (std::size_t i = first; i < points.size(); ++i)
    points[i].weight *= std::max(0.0, depth.at({points[i].x_m, points[i].y_m}));
}

void Footprint::body_pressure(const Part& part, double depth_m, double resolution_m,
                              std::vector<PressurePoint>& points) const {
  const double above = depth_m - part.height_m - part.body.lowest_m();
  if (above <= 0) return;
  const auto box = part.body.contact_box(above);
  const int n_u = count(2 * box.half_u_m, resolution_m / 2, 8, kMaxCells);
  const int n_w = count(2 * box.half_w_m, resolution_m / 2, 8, kMaxCells);
  const double cell = 4 * box.half_u_m * box.half_w_m / (n_u * n_w);
  const double c = std::cos(part.rz_rad);
  const double s = std::sin(part.rz_rad);
  for (int i = 0; i < n_u; ++i) {
    const double u = box.u_m + box.half_u_m * ((2 * i + 1.0) / n_u - 1);
    for (int j = 0; j < n_w; ++j) {
      const double w = box.w_m + box.half_w_m * ((2 * j + 1.0) / n_w - 1);
      const double pressed = depth_m - part.height_m - part.body.height_m(u, w);
      if (pressed > 0)
        points.push_back(
            {part.centre.x_m + c * u - s * w, part.centre.y_m + s * u + c * w, pressed * cell});
    }
  }
}

void Footprint::pressure(double depth_m, double resolution_m,
                         std::vector<PressurePoint>& points) const {
  points.clear();
  for (const auto& part : parts_) {
    if (part.face.empty())
      body_pressure(part, depth_m, resolution_m, points);
    else
      face_pressure(part, depth_m, resolution_m, points);
  }
  double sum = 0;
  for (const auto& point : points) sum += point.weight;
  if (sum <= 0) {  // barely touching: everything in one point
    points.assign(1, {parts_.front().centre.x_m, parts_.front().centre.y_m, 1});
    return;
  }
  for (auto& point : points) point.weight /= sum;
}

}  // namespace tactelier::pad
