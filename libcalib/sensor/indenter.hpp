#pragma once
// Geometry of what presses the pad. Local axes: tip at the origin, z up; at rz = 0 the long side,
// a lying cylinder's axis or a flat's normal lies along +x (docs/session-format.md).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

class MeshBody;

enum class IndenterShape {
  kCylinder,       // flat end: diameter
  kSphere,         // diameter
  kHexagon,        // flat end: across_flats
  kBox,            // flat end: x, y
  kEdge,           // flat strip: length, width
  kWedge,          // length, half_angle
  kLyingCylinder,  // diameter, length
  kEllipsoid,      // x, y, z diameters
  kPlate,          // covers everything
  kCompound,       // parts, each with an offset
  kMesh,           // file, scale
};

struct Indenter {
  std::string id;
  IndenterShape shape = IndenterShape::kCylinder;
  double diameter_m = 0;
  double across_flats_m = 0;
  double x_m = 0;
  double y_m = 0;
  double z_m = 0;
  double length_m = 0;
  double width_m = 0;
  double half_angle_rad = 0;
  std::string mesh_file;
  double mesh_scale_m = 0;
  std::shared_ptr<const MeshBody> mesh;  // once MeshFiles (libcalib/forward) has read it
  struct Part;
  std::vector<Part> parts;

  /// Area of the flat face; empty for shapes whose contact area grows with depth.
  std::optional<double> flat_area_m2() const;
  /// Radius of a flat round punch (cylinder), empty for all others.
  std::optional<double> punch_radius_m() const;
  /// "cylinder 1 mm", for tables and messages.
  std::string describe() const;
};

struct Indenter::Part {
  Indenter indenter;
  double x_m = 0;
  double y_m = 0;
  double z_m = 0;
};

/// Radius in "cylinder 1 mm", as describe() names a flat round punch; empty for other shapes.
std::optional<double> described_punch_radius_m(std::string_view described);

/// The `indenter` object of session.json or an event. Checks schema and that the shape's sizes are
/// there and positive.
Result<Indenter> parse_indenter(std::string_view json_text, std::string_view where);

}  // namespace tactelier
