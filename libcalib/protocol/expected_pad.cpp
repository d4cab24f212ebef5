#include "libcalib/protocol/expected_pad.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kPi = std::numbers::pi;

double cell_area_m2(const SensorDescription& sensor) {
  const double count = std::max(sensor.tactels(), 1);
  return sensor.sensing_area_m2() / count;
}

/// A ball of radius R cut at depth d; beyond R the area stays.
double ball_area_m2(double radius_m, double depth_m) {
  const double d = std::min(depth_m, radius_m);
  return kPi * (2 * radius_m * d - d * d);
}

double lying_area_m2(const Indenter& indenter, double depth_m) {
  const double r = indenter.diameter_m / 2;
  const double d = std::min(depth_m, r);
  return 2 * std::sqrt(std::max(2 * r * d - d * d, 0.0)) * indenter.length_m;
}

double ellipsoid_area_m2(const Indenter& indenter, double depth_m) {
  const double c = indenter.z_m / 2;
  const double d = std::min(depth_m, c);
  const double left = 1 - d / c;
  return kPi * indenter.x_m / 2 * indenter.y_m / 2 * (1 - left * left);
}

}  // namespace

double pick(const Expected& expected, Belief belief) {
  if (belief == Belief::kLow) return expected.low;
  return belief == Belief::kHigh ? expected.high : expected.value;
}

double contact_area_m2(const Indenter& indenter, double depth_m, const SensorDescription& sensor) {
  if (depth_m <= 0) return 0;
  if (const auto flat = indenter.flat_area_m2()) return *flat;
  switch (indenter.shape) {
    case IndenterShape::kSphere:
      return ball_area_m2(indenter.diameter_m / 2, depth_m);
    case IndenterShape::kLyingCylinder:
      return lying_area_m2(indenter, depth_m);
    case IndenterShape::kWedge:
      return 2 * depth_m * std::tan(indenter.half_angle_rad) * indenter.length_m;
    case IndenterShape::kEllipsoid:
      return ellipsoid_area_m2(indenter, depth_m);
    case IndenterShape::kCompound: {
      double area_m2 = 0;
      for (const auto& part : indenter.parts)
        area_m2 += contact_area_m2(part.indenter, depth_m - part.z_m, sensor);
      return area_m2;
    }
    default:
      return sensor.sensing_area_m2();
  }
}

double expected_force_N(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                        double depth_m, const SensorDescription& sensor) {
  if (depth_m <= 0) return 0;
  const double modulus = pick(pad.foundation_modulus_Pa_per_m, belief);
  const double reference_m2 = kPi * pad.punch_radius_m * pad.punch_radius_m;
  const double rim =
      std::max(pick(pad.punch_stiffness_N_per_m, belief) - modulus * reference_m2, 0.0);
  const auto stiffness = [&](double at_m) {
    const double area_m2 = contact_area_m2(indenter, at_m, sensor);
    return modulus * area_m2 + rim * std::sqrt(area_m2 / reference_m2);
  };
  if (indenter.flat_area_m2() || indenter.shape == IndenterShape::kPlate)
    return stiffness(depth_m) * depth_m;
  // d = depth u^2 takes the square root at touch away; midpoints in u
  constexpr int kParts = 64;
  double force_N = 0;
  for (int i = 0; i < kParts; ++i) {
    const double u = (i + 0.5) / kParts;
    force_N += stiffness(depth_m * u * u) * depth_m * 2 * u / kParts;
  }
  return force_N;
}

double expected_depth_m(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                        double force_N, const SensorDescription& sensor, double most_m) {
  if (force_N <= 0) return 0;
  if (expected_force_N(pad, belief, indenter, most_m, sensor) <= force_N) return most_m;
  double low_m = 0;
  double high_m = most_m;
  for (int i = 0; i < 60; ++i) {
    const double middle_m = (low_m + high_m) / 2;
    const bool below = expected_force_N(pad, belief, indenter, middle_m, sensor) < force_N;
    (below ? low_m : high_m) = middle_m;
  }
  return high_m;
}

double expected_pressure_Pa(double force_N, const Indenter& indenter, double depth_m,
                            const SensorDescription& sensor) {
  const double area_m2 = std::max(contact_area_m2(indenter, depth_m, sensor), cell_area_m2(sensor));
  return force_N / area_m2;
}

double expected_saturation_N(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                             double depth_m, const SensorDescription& sensor) {
  const double cell_m2 = cell_area_m2(sensor);
  const double cells = cell_m2 > 0 ? contact_area_m2(indenter, depth_m, sensor) / cell_m2 : 1;
  return pick(pad.press_saturation_N, belief) * std::max(cells, 1.0);
}

}  // namespace tactelier
