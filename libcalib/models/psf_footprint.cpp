#include "libcalib/models/psf_footprint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kSmall = 0.15;  // half-width over pitch that second moments are enough for
constexpr int kSide = 8;         // points along one side of a larger face

// Gauss-Legendre on [-1, 1], 8 nodes: nodes and weights of the positive half.
constexpr std::array<double, 4> kNodes{0.18343464249564980, 0.52553240991632899,
                                       0.79666647741362674, 0.96028985649753623};
constexpr std::array<double, 4> kWeights{0.36268378337836198, 0.31370664587788729,
                                         0.22238103445337447, 0.10122853629037626};

double node(int i) {
  return i < 4 ? -kNodes[static_cast<std::size_t>(3 - i)] : kNodes[static_cast<std::size_t>(i - 4)];
}
double weight(int i) { return kWeights[static_cast<std::size_t>(i < 4 ? 3 - i : i - 4)]; }

PressFootprint disc(double radius_m, double pitch_m) {
  PressFootprint footprint;
  if (radius_m <= kSmall * pitch_m) {
    footprint.moment_xx_m2 = footprint.moment_yy_m2 = radius_m * radius_m / 4;
    return footprint;
  }
  footprint.points.clear();
  constexpr int kAngles = 16;
  for (int i = 0; i < kSide; ++i) {
    const double r = radius_m * std::sqrt((1 + node(i)) / 2);  // uniform in r^2
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / kAngles;
      footprint.points.push_back(
          {r * std::cos(angle), r * std::sin(angle), weight(i) / 2 / kAngles});
    }
  }
  return footprint;
}

PressFootprint rectangle(double x_m, double y_m, double pitch_m) {
  PressFootprint footprint;
  if (std::max(x_m, y_m) / 2 <= kSmall * pitch_m) {
    footprint.moment_xx_m2 = x_m * x_m / 12;
    footprint.moment_yy_m2 = y_m * y_m / 12;
    return footprint;
  }
  footprint.points.clear();
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k)
      footprint.points.push_back({node(i) * x_m / 2, node(k) * y_m / 2, weight(i) * weight(k) / 4});
  return footprint;
}

/// Regular hexagon, one flat's normal along x: six triangles from the centre, each by a rule with
/// points at s (corner_a t + corner_b (1 - t)), uniform in s^2 and t.
PressFootprint hexagon(double across_flats_m, double pitch_m) {
  PressFootprint footprint;
  const double corner_m = across_flats_m / std::numbers::sqrt3;
  if (corner_m <= kSmall * pitch_m) {
    footprint.moment_xx_m2 = footprint.moment_yy_m2 = 5 * across_flats_m * across_flats_m / 72;
    return footprint;
  }
  footprint.points.clear();
  for (int side = 0; side < 6; ++side) {
    const double a = std::numbers::pi * (side / 3.0 - 1.0 / 6), b = a + std::numbers::pi / 3;
    for (int i = 0; i < kSide; ++i)
      for (int k = 0; k < kSide; ++k) {
        const double s = corner_m * std::sqrt((1 + node(i)) / 2), t = (1 + node(k)) / 2;
        footprint.points.push_back({s * (t * std::cos(a) + (1 - t) * std::cos(b)),
                                    s * (t * std::sin(a) + (1 - t) * std::sin(b)),
                                    weight(i) * weight(k) / 24});
      }
  }
  return footprint;
}

}  // namespace

std::optional<PressFootprint> press_footprint(const Indenter& indenter, double pitch_m) {
  switch (indenter.shape) {
    case IndenterShape::kCylinder:
      return disc(indenter.diameter_m / 2, pitch_m);
    case IndenterShape::kBox:
      return rectangle(indenter.x_m, indenter.y_m, pitch_m);
    case IndenterShape::kEdge:
      return rectangle(indenter.length_m, indenter.width_m, pitch_m);
    case IndenterShape::kHexagon:
      return hexagon(indenter.across_flats_m, pitch_m);
    default:
      return {};
  }
}

}  // namespace tactelier
