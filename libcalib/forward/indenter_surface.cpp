#include "libcalib/forward/indenter_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "libcalib/forward/mesh_body.hpp"
#include "libcalib/forward/vector3.hpp"

namespace tactelier {
namespace {

constexpr double kBeside = std::numeric_limits<double>::infinity();
constexpr double kHighest_m = 10e-3;  // of a wedge that counts: no pad is that thick
constexpr int kCircleCorners = 240;   // a circle's outline is 3e-5 too short
constexpr int kRimPoints = 240;       // of one outline

/// Of a circle's or ball's lower half at a distance from its axis.
double round_m(double radius_m, double distance2_m2) {
  const double under_m2 = radius_m * radius_m - distance2_m2;
  return under_m2 > 0 ? radius_m - std::sqrt(under_m2) : kBeside;
}

double hexagon_m(double across_flats_m, double x_m, double y_m) {
  const double along = std::abs(y_m) * std::numbers::sqrt3 / 2;
  const double to_flat_m = std::max(std::abs(x_m), std::abs(x_m) / 2 + along);
  return to_flat_m <= across_flats_m / 2 ? 0 : kBeside;
}

double rectangle_m(double length_m, double width_m, double x_m, double y_m) {
  return std::abs(x_m) <= length_m / 2 && std::abs(y_m) <= width_m / 2 ? 0 : kBeside;
}

double wedge_m(const Indenter& shape, double x_m, double y_m) {
  const double height_m = std::abs(y_m) / std::tan(shape.half_angle_rad);
  return std::abs(x_m) <= shape.length_m / 2 && height_m <= kHighest_m ? height_m : kBeside;
}

double ellipsoid_m(const Indenter& shape, double x_m, double y_m) {
  const double u = 2 * x_m / shape.x_m, v = 2 * y_m / shape.y_m;
  const double under = 1 - u * u - v * v;
  return under > 0 ? shape.z_m / 2 * (1 - std::sqrt(under)) : kBeside;
}

/// Hands `visit` the underside as a function of a place: one switch for many places.
template <class Visit>
auto with_underside(const Indenter& shape, const Visit& visit) {
  const double radius_m = shape.diameter_m / 2;
  switch (shape.shape) {
    case IndenterShape::kCylinder:
      return visit([&](double x_m, double y_m) {
        return x_m * x_m + y_m * y_m <= radius_m * radius_m ? 0 : kBeside;
      });
    case IndenterShape::kSphere:
      return visit(
          [&](double x_m, double y_m) { return round_m(radius_m, x_m * x_m + y_m * y_m); });
    case IndenterShape::kHexagon:
      return visit(
          [&](double x_m, double y_m) { return hexagon_m(shape.across_flats_m, x_m, y_m); });
    case IndenterShape::kBox:
      return visit(
          [&](double x_m, double y_m) { return rectangle_m(shape.x_m, shape.y_m, x_m, y_m); });
    case IndenterShape::kEdge:
      return visit([&](double x_m, double y_m) {
        return rectangle_m(shape.length_m, shape.width_m, x_m, y_m);
      });
    case IndenterShape::kWedge:
      return visit([&](double x_m, double y_m) { return wedge_m(shape, x_m, y_m); });
    case IndenterShape::kLyingCylinder:
      return visit([&](double x_m, double y_m) {
        return std::abs(x_m) <= shape.length_m / 2 ? round_m(radius_m, y_m * y_m) : kBeside;
      });
    case IndenterShape::kEllipsoid:
      return visit([&](double x_m, double y_m) { return ellipsoid_m(shape, x_m, y_m); });
    case IndenterShape::kPlate:
      return visit([](double, double) { return 0.0; });
    case IndenterShape::kMesh:
      return visit([&](double x_m, double y_m) { return shape.mesh->height_m(x_m, y_m); });
    case IndenterShape::kCompound:
      break;
  }
  return visit([](double, double) { return kBeside; });
}

double underside_m(const Indenter& shape, double x_m, double y_m) {
  return with_underside(shape, [&](const auto& height_m) { return height_m(x_m, y_m); });
}

/// The lowest height where one coordinate may be nearer to the middle by `radius_m`.
double least_underside_m(const Indenter& shape, double x_m, double y_m, double radius_m) {
  const auto nearer = [&](double m) { return std::max(0.0, std::abs(m) - radius_m); };
  const double from_axis_m = nearer(std::hypot(x_m, y_m));
  switch (shape.shape) {
    case IndenterShape::kCylinder:
    case IndenterShape::kSphere:
      return underside_m(shape, from_axis_m, 0);
    case IndenterShape::kBox:
    case IndenterShape::kEdge:
    case IndenterShape::kWedge:
    case IndenterShape::kLyingCylinder:
    case IndenterShape::kEllipsoid:
      return underside_m(shape, nearer(x_m), nearer(y_m));
    case IndenterShape::kHexagon:
    case IndenterShape::kPlate:
    case IndenterShape::kMesh:
    case IndenterShape::kCompound:
      break;
  }
  return 0;
}

/// Corners of a flat end's outline, one after the other; none of other shapes.
std::vector<std::array<double, 2>> outline_m(const Indenter& shape) {
  const auto rectangle = [](double x_m, double y_m) {
    return std::vector<std::array<double, 2>>{
        {x_m / 2, y_m / 2}, {-x_m / 2, y_m / 2}, {-x_m / 2, -y_m / 2}, {x_m / 2, -y_m / 2}};
  };
  const auto round = [](double radius_m, int corners, double first_rad) {
    std::vector<std::array<double, 2>> outline;
    for (int i = 0; i < corners; ++i) {
      const double at_rad = first_rad + 2 * std::numbers::pi * i / corners;
      outline.push_back({radius_m * std::cos(at_rad), radius_m * std::sin(at_rad)});
    }
    return outline;
  };
  switch (shape.shape) {
    case IndenterShape::kCylinder:
      return round(shape.diameter_m / 2, kCircleCorners, 0);
    case IndenterShape::kHexagon:
      return round(shape.across_flats_m / std::numbers::sqrt3, 6, std::numbers::pi / 6);
    case IndenterShape::kBox:
      return rectangle(shape.x_m, shape.y_m);
    case IndenterShape::kEdge:
      return rectangle(shape.length_m, shape.width_m);
    default:
      return {};
  }
}

/// How far from the tip's axis the underside is lower than this; infinite where it isn't known.
double underside_reach_m(const Indenter& shape, double height_m) {
  const double radius_m = shape.diameter_m / 2;
  const double under_m = std::clamp(height_m, 0.0, radius_m);
  const double across_m = std::sqrt(under_m * (2 * radius_m - under_m));
  switch (shape.shape) {
    case IndenterShape::kSphere:
      return across_m;
    case IndenterShape::kLyingCylinder:
      return std::hypot(across_m, shape.length_m / 2);
    default:
      return kBeside;
  }
}

/// Largest distance from the tip's axis, smallest extent, and whether the underside is level.
struct Extent {
  double reach_m, finest_m;
  bool flat;
};

Extent extent_of(const Indenter& shape) {
  const double radius_m = shape.diameter_m / 2;
  switch (shape.shape) {
    case IndenterShape::kCylinder:
      return {radius_m, shape.diameter_m, true};
    case IndenterShape::kSphere:
      return {radius_m, shape.diameter_m, false};
    case IndenterShape::kHexagon:
      return {shape.across_flats_m / std::numbers::sqrt3, shape.across_flats_m, true};
    case IndenterShape::kBox:
      return {std::hypot(shape.x_m, shape.y_m) / 2, std::min(shape.x_m, shape.y_m), true};
    case IndenterShape::kEdge:
      return {std::hypot(shape.length_m, shape.width_m) / 2,
              std::min(shape.length_m, shape.width_m), true};
    case IndenterShape::kWedge:
      return {std::hypot(shape.length_m / 2, kHighest_m * std::tan(shape.half_angle_rad)),
              shape.length_m, false};
    case IndenterShape::kLyingCylinder:
      return {std::hypot(radius_m, shape.length_m / 2), std::min(shape.diameter_m, shape.length_m),
              false};
    case IndenterShape::kEllipsoid:
      return {std::max(shape.x_m, shape.y_m) / 2, std::min(shape.x_m, shape.y_m), false};
    case IndenterShape::kMesh:
      return {shape.mesh->reach_m(), shape.mesh->finest_m(), shape.mesh->flat()};
    case IndenterShape::kPlate:
    case IndenterShape::kCompound:
      break;
  }
  return {kBeside, kBeside, true};
}

}  // namespace

Result<IndenterSurface> IndenterSurface::create(const Indenter& indenter) {
  IndenterSurface surface;
  surface.finest_m_ = kBeside;
  if (const auto added = surface.add(indenter, 0, 0, 0); !added) return fail(added.error());
  surface.flat_ &= std::all_of(surface.parts_.begin(), surface.parts_.end(),
                               [](const Part& part) { return part.z_m == 0; });
  return surface;
}

Result<void> IndenterSurface::add(const Indenter& indenter, double x_m, double y_m, double z_m) {
  if (indenter.shape == IndenterShape::kMesh && !indenter.mesh) {
    auto loaded = indenter;
    if (auto read = MeshFiles({}).load(loaded); !read) return read;
    return add(loaded, x_m, y_m, z_m);
  }
  if (indenter.shape != IndenterShape::kCompound) {
    const auto extent = extent_of(indenter);
    reach_m_ = std::max(reach_m_, std::hypot(x_m, y_m) + extent.reach_m);
    finest_m_ = std::min(finest_m_, extent.finest_m);
    flat_ &= extent.flat;
    flat_end_ |= extent.flat && std::isfinite(extent.reach_m);
    parts_.push_back({indenter, x_m, y_m, z_m});
    return {};
  }
  if (indenter.parts.empty())
    return fail(ErrorCode::kInvalidInput, "indenter '{}': a compound without parts", indenter.id);
  for (const auto& part : indenter.parts)
    if (auto added = add(part.indenter, x_m + part.x_m, y_m + part.y_m, z_m + part.z_m); !added)
      return added;
  return {};
}

std::optional<double> IndenterSurface::depth_along_m(const Vector3& from_m, const Vector3& along,
                                                     double range_m) const {
  if (parts_.size() != 1 || !parts_.front().shape.mesh) return {};
  const auto& part = parts_.front();
  return part.shape.mesh->depth_along_m(minus(from_m, {part.x_m, part.y_m, part.z_m}), along,
                                        range_m);
}

double IndenterSurface::least_height_m(double x_m, double y_m, double radius_m) const {
  double least_m = kBeside;
  for (const auto& part : parts_)
    least_m = std::min(least_m, part.z_m + least_underside_m(part.shape, x_m - part.x_m,
                                                             y_m - part.y_m, radius_m));
  return least_m;
}

double IndenterSurface::reach_below_m(double height_m) const {
  double reach_m = 0;
  for (const auto& part : parts_)
    reach_m = std::max(reach_m, std::hypot(part.x_m, part.y_m) +
                                    underside_reach_m(part.shape, height_m - part.z_m));
  return std::min(reach_m, reach_m_);
}

std::vector<IndenterSurface::RimPoint> IndenterSurface::rim() const {
  std::vector<RimPoint> rim;
  for (const auto& part : parts_) {
    const auto corners = outline_m(part.shape);
    if (corners.empty()) continue;
    const int pieces = kRimPoints / static_cast<int>(corners.size());  // of a side
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const double dx_m = b[0] - a[0], dy_m = b[1] - a[1];
      for (int k = 0; k < pieces; ++k) {
        const double along = (k + 0.5) / pieces;
        rim.push_back({part.x_m + a[0] + along * dx_m, part.y_m + a[1] + along * dy_m, part.z_m,
                       std::hypot(dx_m, dy_m) / pieces});
      }
    }
  }
  return rim;
}

double IndenterSurface::height_m(double x_m, double y_m) const {
  double lowest_m = kBeside;
  for (const auto& part : parts_)
    lowest_m =
        std::min(lowest_m, part.z_m + underside_m(part.shape, x_m - part.x_m, y_m - part.y_m));
  return lowest_m;
}

void IndenterSurface::heights_m(std::span<const double> x_m, std::span<const double> y_m,
                                std::span<double> heights_m) const {
  std::fill(heights_m.begin(), heights_m.end(), kBeside);
  for (const auto& part : parts_)
    with_underside(part.shape, [&](const auto& height_m) {
      for (std::size_t i = 0; i < heights_m.size(); ++i)
        heights_m[i] =
            std::min(heights_m[i], part.z_m + height_m(x_m[i] - part.x_m, y_m[i] - part.y_m));
    });
}

}  // namespace tactelier
