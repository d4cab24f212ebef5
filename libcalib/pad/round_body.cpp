#include "libcalib/pad/round_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMidpoints = 100;  // per axis, even: a wedge's ridge lies between two
constexpr double kOutside_m = std::numeric_limits<double>::infinity();

double square(double x) { return x * x; }

/// Centre and half-length of the stretch of a body of this length that a slope lets touch.
struct Stretch {
  double centre_m, half_m;
};
Stretch stretch(double length_m, double slope, double above_m) {
  const double reach = slope == 0 ? length_m : std::min(length_m, above_m / std::abs(slope));
  const double centre = slope == 0 ? 0 : std::copysign((length_m - reach) / 2, -slope);
  return {centre, reach / 2};
}

/// Trims [centre - half, centre + half] to [-limit, limit].
void trim(double& centre_m, double& half_m, double limit_m) {
  const double low = std::max(centre_m - half_m, -limit_m);
  const double high = std::min(centre_m + half_m, limit_m);
  centre_m = (low + high) / 2;
  half_m = std::max(0.0, (high - low) / 2);
}

}  // namespace

double RoundBody::height_m(double u_m, double w_m) const {
  const auto round = [](double rest, double scale) {
    return rest < 0 ? kOutside_m : scale * (1 - std::sqrt(rest));
  };
  switch (shape) {
    case IndenterShape::kSphere:
      return round(1 - (square(u_m) + square(w_m)) / square(radius_m), radius_m);
    case IndenterShape::kLyingCylinder:
      if (std::abs(u_m) > length_m / 2) return kOutside_m;
      return round(1 - square(w_m / radius_m), radius_m);
    case IndenterShape::kWedge:
      if (std::abs(u_m) > length_m / 2) return kOutside_m;
      return std::abs(w_m) * cot_half_angle;
    default:  // ellipsoid
      return round(1 - square(u_m / semi_axes_m[0]) - square(w_m / semi_axes_m[1]), semi_axes_m[2]);
  }
}

bool TiltedBody::level() const {
  return body.shape == IndenterShape::kSphere || (slope_u == 0 && slope_w == 0);
}

double TiltedBody::height_m(double u_m, double w_m) const {
  const double b = body.height_m(u_m, w_m);
  return body.shape == IndenterShape::kSphere ? b : b + slope_u * u_m + slope_w * w_m;
}

double TiltedBody::lowest_m() const {
  const double along_m = -std::abs(slope_u) * body.length_m / 2;
  switch (body.shape) {
    case IndenterShape::kSphere:
      return 0;
    case IndenterShape::kWedge:
      return along_m;
    case IndenterShape::kLyingCylinder:
      return along_m + body.radius_m * (1 - std::sqrt(1 + square(slope_w)));
    default: {  // support function of the ellipsoid
      const auto& s = body.semi_axes_m;
      return s[2] - std::sqrt(square(s[2]) + square(slope_u * s[0]) + square(slope_w * s[1]));
    }
  }
}

double TiltedBody::area_m2(double above_m) const {
  if (above_m <= 0) return 0;
  switch (body.shape) {
    case IndenterShape::kSphere: {
      const double d = std::min(above_m, body.radius_m);
      return kPi * d * (2 * body.radius_m - d);
    }
    case IndenterShape::kWedge:
      return 2 * body.length_m * above_m / body.cot_half_angle;
    case IndenterShape::kLyingCylinder: {
      const double d = std::min(above_m, body.radius_m);
      return 2 * body.length_m * std::sqrt(d * (2 * body.radius_m - d));
    }
    default: {
      const auto& s = body.semi_axes_m;
      const double d = std::min(above_m / s[2], 1.0);
      return kPi * s[0] * s[1] * d * (2 - d);
    }
  }
}

namespace {

/// Overlap of a level body with a layer, docs/theory/pressure-field.md 2.
double level_volume_m3(const RoundBody& body, double above_m) {
  switch (body.shape) {
    case IndenterShape::kSphere: {
      const double d = std::min(above_m, body.radius_m);
      return kPi * (d * d * (body.radius_m - d / 3) + square(body.radius_m) * (above_m - d));
    }
    case IndenterShape::kWedge:
      return body.length_m * square(above_m) / body.cot_half_angle;
    case IndenterShape::kLyingCylinder: {
      const double r = body.radius_m;
      const double d = std::min(above_m, r);
      const double segment = r * r * std::acos(1 - d / r) - (r - d) * std::sqrt(d * (2 * r - d));
      return body.length_m * (segment + 2 * r * (above_m - d));
    }
    default: {
      const auto& s = body.semi_axes_m;
      const double d = std::min(above_m / s[2], 1.0);
      return kPi * s[0] * s[1] * s[2] * (d * d * (1 - d / 3) + (above_m / s[2] - d));
    }
  }
}

}  // namespace

double TiltedBody::volume_m3(double above_m) const {
  if (above_m <= 0) return 0;
  if (level()) return level_volume_m3(body, above_m);
  const Box box = contact_box(above_m);
  const double depth = above_m + lowest_m();
  double sum = 0;
  for (int i = 0; i < kMidpoints; ++i) {
    const double u = box.u_m + box.half_u_m * ((2 * i + 1.0) / kMidpoints - 1);
    for (int j = 0; j < kMidpoints; ++j) {
      const double w = box.w_m + box.half_w_m * ((2 * j + 1.0) / kMidpoints - 1);
      sum += std::max(0.0, depth - height_m(u, w));
    }
  }
  return sum * 4 * box.half_u_m * box.half_w_m / (kMidpoints * kMidpoints);
}

// The undersides are convex: above its lowest point each rises at least like a parabola of its
// smallest curvature (a wedge: a straight line), which bounds the contact.
TiltedBody::Box TiltedBody::contact_box(double above_m) const {
  const double r = body.radius_m;
  Box box{};
  switch (body.shape) {
    case IndenterShape::kSphere:
      box.half_u_m = box.half_w_m =
          std::min(r, std::sqrt(above_m * std::max(0.0, 2 * r - above_m)));
      if (above_m >= r) box.half_u_m = box.half_w_m = r;
      return box;
    case IndenterShape::kWedge: {
      const auto along = stretch(body.length_m, slope_u, above_m);
      return {along.centre_m, 0, along.half_m, above_m / (body.cot_half_angle - std::abs(slope_w))};
    }
    case IndenterShape::kLyingCylinder: {
      const auto along = stretch(body.length_m, slope_u, above_m);
      box = {along.centre_m, -slope_w * r / std::sqrt(1 + square(slope_w)), along.half_m,
             std::sqrt(2 * r * above_m)};
      trim(box.w_m, box.half_w_m, r);
      return box;
    }
    default: {
      const auto& s = body.semi_axes_m;
      const double support = s[2] - lowest_m();
      const double reach = std::sqrt(2 * above_m / s[2]);
      box = {-slope_u * square(s[0]) / support, -slope_w * square(s[1]) / support, s[0] * reach,
             s[1] * reach};
      trim(box.u_m, box.half_u_m, s[0]);
      trim(box.w_m, box.half_w_m, s[1]);
      return box;
    }
  }
}

}  // namespace tactelier::pad
