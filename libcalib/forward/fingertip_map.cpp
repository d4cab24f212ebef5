#include "libcalib/forward/fingertip_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <set>

#include "libcalib/forward/image_features.hpp"
#include "libcalib/forward/vector3.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMostSteps = 50;
constexpr double kSettled_m = 1e-12;
constexpr double kShorter = 1 - 1e-12;  // that counts as shorter

double length(const Vector3& a) { return std::sqrt(dot(a, a)); }

struct Triangle {
  Vector3 a, b, c;
};

/// Nearest place of a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
Vector3 nearest_on(const Triangle& t, const Vector3& p) {
  const auto ab = minus(t.b, t.a), ac = minus(t.c, t.a), ap = minus(p, t.a);
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t.a;
  const auto bp = minus(p, t.b);
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t.b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return plus(t.a, scaled(ab, d1 / (d1 - d3)));
  const auto cp = minus(p, t.c);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t.c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return plus(t.a, scaled(ac, d2 / (d2 - d6)));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return plus(t.b, scaled(minus(t.c, t.b), (d4 - d3) / ((d4 - d3) + (d5 - d6))));
  const double whole = va + vb + vc;
  return plus(t.a, plus(scaled(ab, vb / whole), scaled(ac, vc / whole)));
}

/// Distance of `c` from a source that lies `a_m` and `b_m` from the other two, in the plane of the
/// triangle and on the far side of a and b. Where the straight line would miss the edge between
/// them, along an edge.
double across_m(const Vector3& a, const Vector3& b, const Vector3& c, double a_m, double b_m) {
  const auto ab = minus(b, a), ac = minus(c, a);
  const double width_m = length(ab);
  const double round_m = std::min(a_m + length(ac), b_m + length(minus(c, b)));
  if (!(width_m > 0) || std::abs(a_m - b_m) > width_m) return round_m;
  const double x_m = dot(ab, ac) / width_m;
  const double y_m = std::sqrt(std::max(0.0, dot(ac, ac) - x_m * x_m));
  const double from_x_m = (a_m * a_m - b_m * b_m + width_m * width_m) / (2 * width_m);
  const double from_y_m = std::sqrt(std::max(0.0, a_m * a_m - from_x_m * from_x_m));
  if (!(from_y_m + y_m > 0)) return round_m;
  const double through_m = from_x_m + (x_m - from_x_m) * from_y_m / (from_y_m + y_m);
  if (through_m < 0 || through_m > width_m) return round_m;
  return std::hypot(x_m - from_x_m, y_m + from_y_m);
}

/// The place in a triangle's plane that lies so far from its corners; empty of a sliver.
std::optional<Vector3> source_of(const Triangle& t, const std::array<double, 3>& from_m) {
  const auto ab = minus(t.b, t.a), ac = minus(t.c, t.a);
  const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const double whole = bb * cc - bc * bc;
  if (!(whole > 1e-12 * bb * cc)) return {};
  const double a2 = from_m[0] * from_m[0];
  const double right_b = (a2 - from_m[1] * from_m[1] + bb) / 2;
  const double right_c = (a2 - from_m[2] * from_m[2] + cc) / 2;
  return plus(t.a, plus(scaled(ab, (right_b * cc - right_c * bc) / whole),
                        scaled(ac, (right_c * bb - right_b * bc) / whole)));
}

double misses_m2(const Vector3& at_m, std::span<const Vector3> anchors,
                 const FingertipMap::Distances& wanted_m) {
  double sum = 0;
  for (std::size_t i = 0; i < wanted_m.size(); ++i)
    sum += std::pow(length(minus(at_m, anchors[i])) - wanted_m[i], 2);
  return sum;
}

/// Gauss and Newton within the triangle, from its middle; a step that leaves it ends at its border.
Vector3 best_within(const Triangle& t, std::span<const Vector3> anchors,
                    const FingertipMap::Distances& wanted_m) {
  const auto u = unit(minus(t.b, t.a));
  const auto ac = minus(t.c, t.a);
  const auto v = unit(minus(ac, scaled(u, dot(ac, u))));
  auto at_m = scaled(plus(t.a, plus(t.b, t.c)), 1.0 / 3);
  for (int step = 0; step < kMostSteps; ++step) {
    double uu = 0, uv = 0, vv = 0, ru = 0, rv = 0;
    for (std::size_t i = 0; i < wanted_m.size(); ++i) {
      const auto away = minus(at_m, anchors[i]);
      const double far_m = length(away);
      if (!(far_m > 0)) continue;
      const double by_u = dot(away, u) / far_m, by_v = dot(away, v) / far_m;
      uu += by_u * by_u;
      uv += by_u * by_v;
      vv += by_v * by_v;
      ru += by_u * (wanted_m[i] - far_m);
      rv += by_v * (wanted_m[i] - far_m);
    }
    const double whole = uu * vv - uv * uv;
    if (!(whole > 1e-12 * uu * vv)) break;
    const auto next_m = nearest_on(t, plus(at_m, plus(scaled(u, (ru * vv - rv * uv) / whole),
                                                      scaled(v, (rv * uu - ru * uv) / whole))));
    const double moved_m = length(minus(next_m, at_m));
    at_m = next_m;
    if (moved_m < kSettled_m) break;
  }
  return at_m;
}

}  // namespace

Result<FingertipMap> FingertipMap::create(TriangleMesh mesh,
                                          const std::array<Vector3, kCorners>& corners,
                                          double most_m) {
  FingertipMap map;
  map.mesh_ = std::move(mesh);
  const auto& triangles = map.mesh_.triangles;
  const auto& points_m = map.mesh_.points_m;
  map.triangles_at_.resize(points_m.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const auto corner : triangles[t]) map.triangles_at_[corner].push_back(t);
  std::array<std::size_t, kCorners> under{};  // each corner: its triangle
  for (std::size_t i = 0; i < kCorners; ++i) {
    double least_m = kInfinite;
    std::size_t on = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      const auto at_m = nearest_on({points_m[a], points_m[b], points_m[c]}, corners[i]);
      const double far_m = length(minus(at_m, corners[i]));
      if (far_m >= least_m) continue;
      least_m = far_m;
      on = t;
      map.corners_m_[i] = at_m;
    }
    if (!(least_m <= most_m))
      return fail(
          ErrorCode::kInvalidInput,
          "FW-15 A corner of the array is {:.3g} mm beside the fingertip's surface: the mesh "
          "is not in the sensor frame, or in another unit.",
          m_to_mm(least_m));
    under[i] = on;
    map.geodesics_m_[i] = map.distances_from(on, map.corners_m_[i]);
  }
  for (const auto& far_m : map.geodesics_m_)
    for (const auto t : under)
      if (std::isinf(far_m[triangles[t][0]]))
        return fail(
            ErrorCode::kInvalidInput,
            "FW-15 The array's corners lie on parts of the mesh that do not hang together.");
  return map;
}

std::vector<double> FingertipMap::distances_from(std::size_t triangle, const Vector3& at_m) const {
  const auto& points_m = mesh_.points_m;
  std::vector<double> found_m(points_m.size(), kInfinite);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::size_t point, double far_m) {
    if (!(far_m < kShorter * found_m[point])) return;
    found_m[point] = far_m;
    open.emplace(far_m, point);
  };
  for (const auto point : mesh_.triangles[triangle])
    reach(point, length(minus(points_m[point], at_m)));
  while (!open.empty()) {
    const auto [far_m, point] = open.top();
    open.pop();
    if (far_m > found_m[point]) continue;
    for (const auto t : triangles_at_[point]) {
      const auto& corners = mesh_.triangles[t];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto a = corners[k], b = corners[(k + 1) % 3], c = corners[(k + 2) % 3];
        if (c == point) continue;
        if (std::isinf(found_m[a]) || std::isinf(found_m[b])) {
          const auto known = std::isinf(found_m[a]) ? b : a;
          if (known == point)
            reach(c, found_m[known] + length(minus(points_m[c], points_m[known])));
        } else {
          reach(c, across_m(points_m[a], points_m[b], points_m[c], found_m[a], found_m[b]));
        }
      }
    }
  }
  return found_m;
}

FingertipMap::Place FingertipMap::place(const Distances& from_corners_m, Distance by) const {
  const auto& points_m = mesh_.points_m;
  const auto miss_of = [&](std::size_t point) {
    if (by == Distance::kChord) return misses_m2(points_m[point], corners_m_, from_corners_m);
    double sum = 0;
    for (std::size_t i = 0; i < kCorners; ++i)
      sum += std::pow(geodesics_m_[i][point] - from_corners_m[i], 2);
    return sum;
  };
  std::size_t best = 0;
  double least_m2 = kInfinite;
  for (std::size_t point = 0; point < points_m.size(); ++point)
    if (const double miss_m2 = miss_of(point); miss_m2 < least_m2) {
      least_m2 = miss_m2;
      best = point;
    }
  std::set<std::size_t> around;  // of the best point and its neighbours
  for (const auto t : triangles_at_[best])
    for (const auto corner : mesh_.triangles[t])
      around.insert(triangles_at_[corner].begin(), triangles_at_[corner].end());
  Place place{points_m[best], 0};
  for (const auto t : around) {
    const auto& [a, b, c] = mesh_.triangles[t];
    const Triangle triangle{points_m[a], points_m[b], points_m[c]};
    auto anchors = corners_m_;
    bool sound = true;
    for (std::size_t i = 0; i < kCorners && by == Distance::kGeodesic; ++i) {
      const auto source =
          source_of(triangle, {geodesics_m_[i][a], geodesics_m_[i][b], geodesics_m_[i][c]});
      sound &= source.has_value();
      if (source) anchors[i] = *source;
    }
    if (!sound) continue;
    const auto at_m = best_within(triangle, anchors, from_corners_m);
    const double miss_m2 = misses_m2(at_m, anchors, from_corners_m);
    if (!(miss_m2 < least_m2)) continue;
    least_m2 = miss_m2;
    place.at_m = at_m;
  }
  place.miss_m = std::sqrt(least_m2 / kCorners);
  return place;
}

FingertipMap::Distances distances_in_plane(const SensorArray& array, double x_m, double y_m) {
  const double right_m = (array.columns - 1) * array.pitch_x_m;
  const double up_m = (array.rows - 1) * array.pitch_y_m;
  return {std::hypot(x_m, y_m), std::hypot(x_m - right_m, y_m), std::hypot(x_m, y_m - up_m),
          std::hypot(x_m - right_m, y_m - up_m)};
}

Result<std::array<Vector3, FingertipMap::kCorners>> corner_tactels(
    const SensorDescription& sensor) {
  if (sensor.arrays.size() != 1 || sensor.arrays.front().positions_m.empty())
    return fail(ErrorCode::kUsage,
                "a centre of force is mapped onto a fingertip where the sensor is one array whose "
                "description says where each tactel is: positions_mm");
  const auto& array = sensor.arrays.front();
  if (array.rows < 2 || array.columns < 2 || !(array.pitch_x_m > 0 && array.pitch_y_m > 0))
    return fail(ErrorCode::kUsage,
                "a centre of force is mapped onto a fingertip from two rows and columns on, with "
                "their pitches");
  const int last = array.tactels() - 1;
  return std::array{sensor.position_m(0), sensor.position_m(array.columns - 1),
                    sensor.position_m(last - array.columns + 1), sensor.position_m(last)};
}

std::optional<std::array<double, 2>> centre_in_plane(const SensorArray& array,
                                                     std::span<const double> image) {
  const auto plane =
      ImageLayout::of_grid(array.rows, array.columns, array.pitch_x_m, array.pitch_y_m);
  const auto centre = image_centroid(plane, image);
  if (!centre) return {};
  return std::array{centre->x_m - plane.x_m.front(), centre->y_m - plane.y_m.front()};
}

}  // namespace tactelier
