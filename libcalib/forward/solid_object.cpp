#include "libcalib/forward/solid_object.hpp"

#include <cmath>
#include <numbers>

#include "libcalib/forward/mesh_body.hpp"
#include "libcalib/forward/vector3.hpp"

namespace tactelier {
namespace {

using std::numbers::pi;

/// From the variances of its points along the axes.
SolidMoments even(double volume_m3, double centre_z_m, const Vector3& variance_m2) {
  const auto& [x, y, z] = variance_m2;
  return {volume_m3, {0, 0, centre_z_m}, scaled({y + z, z + x, x + y}, volume_m3)};
}

/// An upright body with the area and the variances of its face.
SolidMoments prism(double area_m2, double height_m, double x_m2, double y_m2) {
  return even(area_m2 * height_m, height_m / 2, {x_m2, y_m2, height_m * height_m / 12});
}

SolidMoments block(double x_m, double y_m, double height_m) {
  return prism(x_m * y_m, height_m, x_m * x_m / 12, y_m * y_m / 12);
}

SolidMoments ellipsoid(double x_m, double y_m, double z_m) {  // diameters
  return even(pi / 6 * x_m * y_m * z_m, z_m / 2, {x_m * x_m / 20, y_m * y_m / 20, z_m * z_m / 20});
}

SolidMoments roller(double diameter_m, double length_m) {
  const double across_m2 = diameter_m * diameter_m / 16;
  return even(pi / 4 * diameter_m * diameter_m * length_m, diameter_m / 2,
              {length_m * length_m / 12, across_m2, across_m2});
}

SolidMoments wedge(const Indenter& shape, double height_m) {
  const double base_m = 2 * height_m * std::tan(shape.half_angle_rad);
  return even(
      base_m * height_m / 2 * shape.length_m, height_m * 2 / 3,
      {shape.length_m * shape.length_m / 12, base_m * base_m / 24, height_m * height_m / 18});
}

/// About its own centre to about another.
Vector3 moved(const SolidMoments& part, const Vector3& by_m) {
  const auto& [x, y, z] = by_m;
  return plus(part.inertia_m5,
              scaled({y * y + z * z, z * z + x * x, x * x + y * y}, part.volume_m3));
}

Result<SolidMoments> moments_of(const Indenter& shape, double height_m);

Result<SolidMoments> compound(const Indenter& shape, double height_m) {
  std::vector<SolidMoments> parts;
  SolidMoments whole;
  for (const auto& part : shape.parts) {
    auto own = moments_of(part.indenter, height_m);
    if (!own) return own;
    own->centre_m = plus(own->centre_m, {part.x_m, part.y_m, part.z_m});
    whole.volume_m3 += own->volume_m3;
    whole.centre_m = plus(whole.centre_m, scaled(own->centre_m, own->volume_m3));
    parts.push_back(*own);
  }
  whole.centre_m = scaled(whole.centre_m, 1 / whole.volume_m3);
  for (const auto& part : parts)
    whole.inertia_m5 = plus(whole.inertia_m5, moved(part, minus(part.centre_m, whole.centre_m)));
  return whole;
}

bool needs_height(IndenterShape shape) {
  return shape == IndenterShape::kCylinder || shape == IndenterShape::kHexagon ||
         shape == IndenterShape::kBox || shape == IndenterShape::kEdge ||
         shape == IndenterShape::kWedge;
}

Result<SolidMoments> moments_of(const Indenter& shape, double height_m) {
  if (needs_height(shape.shape) && !(height_m > 0 && std::isfinite(height_m)))
    return fail(ErrorCode::kInvalidInput, "FW-07 {}: how tall it is decides how it turns: say it.",
                shape.describe());
  const double across_m2 = shape.diameter_m * shape.diameter_m / 16;
  const double side_m = shape.across_flats_m / std::numbers::sqrt3;
  switch (shape.shape) {
    case IndenterShape::kCylinder:
      return prism(*shape.flat_area_m2(), height_m, across_m2, across_m2);
    case IndenterShape::kHexagon:
      return prism(*shape.flat_area_m2(), height_m, 5 * side_m * side_m / 24,
                   5 * side_m * side_m / 24);
    case IndenterShape::kBox:
      return block(shape.x_m, shape.y_m, height_m);
    case IndenterShape::kEdge:
      return block(shape.length_m, shape.width_m, height_m);
    case IndenterShape::kWedge:
      return wedge(shape, height_m);
    case IndenterShape::kSphere:
      return ellipsoid(shape.diameter_m, shape.diameter_m, shape.diameter_m);
    case IndenterShape::kEllipsoid:
      return ellipsoid(shape.x_m, shape.y_m, shape.z_m);
    case IndenterShape::kLyingCylinder:
      return roller(shape.diameter_m, shape.length_m);
    case IndenterShape::kCompound:
      return compound(shape, height_m);
    case IndenterShape::kMesh:
      return shape.mesh->solid();
    case IndenterShape::kPlate:
      break;
  }
  return fail(ErrorCode::kInvalidInput,
              "FW-07 {}: its size is not known, so nor is how it turns: describe a box.",
              shape.describe());
}

}  // namespace

Result<RigidObject> solid_object(const Indenter& shape, double mass_kg, double height_m) {
  if (!(mass_kg > 0) || !std::isfinite(mass_kg))
    return fail(ErrorCode::kInvalidInput, "FW-07 {}: a mass of {} kg: it must be positive.",
                shape.describe(), mass_kg);
  RigidObject object{shape, mass_kg, {}, {}};
  if (auto loaded = MeshFiles({}).load(object.shape); !loaded) return fail(loaded.error());
  const auto solid = moments_of(object.shape, height_m);
  if (!solid) return fail(solid.error());
  object.centre_m = solid->centre_m;
  object.inertia_kg_m2 = scaled(solid->inertia_m5, mass_kg / solid->volume_m3);
  return object;
}

}  // namespace tactelier
