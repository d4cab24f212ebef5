#pragma once
// A closed surface of triangles from an STL or OBJ file, checked before anything is pressed with
// it: an indenter whose shape no formula has (docs/theory/forward.md 1).

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct TriangleMesh {
  std::vector<Vector3> points_m;                        // corners at the same place are one
  std::vector<std::array<std::uint32_t, 3>> triangles;  // corners turn left as seen from outside
};

/// Volume, centre and second moments of what a closed mesh encloses, for density 1 kg/m^3.
struct SolidMoments {
  double volume_m3 = 0;
  Vector3 centre_m{0, 0, 0};
  Vector3 inertia_m5{0, 0, 0};  // about the centre, along the axes; products left out
};

/// By signed tetrahedra to the origin; the volume is negative where triangles face inwards.
SolidMoments solid_moments(const TriangleMesh& mesh);

/// Lengths in the file times `unit_m`. Triangles that face inwards are turned. Fails with kIo where
/// there is no such file, with kInvalidInput on what is neither STL nor OBJ or damaged (both
/// FW-13), FW-08 on a surface with open edges, FW-09 on one that encloses nothing.
Result<TriangleMesh> read_mesh(const std::filesystem::path& file, double unit_m);

/// The same of a surface that may be open, as it stands.
Result<TriangleMesh> read_surface(const std::filesystem::path& file, double unit_m);

}  // namespace tactelier
