#pragma once
// Where on a fingertip's surface a centre of force lies that an array of rows and columns tells in
// its own plane (docs/theory/forward.md 5): the place whose distances from the array's four corner
// tactels are those that it has in the plane,
//   least sum over corners of (distance(P, P_i) - d_i)^2 .
// Leon, Moisio et al. take chords through the body for distance(P, P_i); measured along the surface
// it is without bias where the array lies on the body as it was bent.
//
// Frame and unit: those of the mesh, S, metres.

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "libcalib/forward/triangle_mesh.hpp"

namespace tactelier {

class FingertipMap {
 public:
  static constexpr std::size_t kCorners = 4;
  using Distances = std::array<double, kCorners>;

  enum class Distance { kGeodesic, kChord };

  struct Place {
    Vector3 at_m{0, 0, 0};
    double miss_m = 0;  // root of the mean square of distance less d_i: how well they agree
  };

  /// The corners are taken to the surface where that is nearest. Fails with kInvalidInput (FW-15)
  /// where one is farther from it than `most_m`, and where the surface between them has gaps.
  static Result<FingertipMap> create(TriangleMesh mesh,
                                     const std::array<Vector3, kCorners>& corners, double most_m);

  Place place(const Distances& from_corners_m, Distance by) const;

 private:
  /// Of one place of the surface to each corner of the mesh: along triangles unfolded into one
  /// plane, where that is straight, else along edges.
  std::vector<double> distances_from(std::size_t triangle, const Vector3& at_m) const;

  TriangleMesh mesh_;
  std::vector<std::vector<std::size_t>> triangles_at_;       // each of the mesh's points
  std::array<Vector3, kCorners> corners_m_{};                // on the surface
  std::array<std::vector<double>, kCorners> geodesics_m_{};  // by point of the mesh
};

/// Of a place in the array's plane, from its corner tactels: first and last of the first row, then
/// of the last. `x_m` along columns, `y_m` along rows, from the first tactel.
FingertipMap::Distances distances_in_plane(const SensorArray& array, double x_m, double y_m);

/// Corner tactels of an array in S, in the same order. Fails with kUsage on arrays without a place
/// for each tactel: a flat array is on no fingertip.
Result<std::array<Vector3, FingertipMap::kCorners>> corner_tactels(const SensorDescription& sensor);

/// Centre of force of an image in the array's own plane: columns and rows times pitches, from the
/// first tactel. Empty where the image sums to nothing.
std::optional<std::array<double, 2>> centre_in_plane(const SensorArray& array,
                                                     std::span<const double> image);

}  // namespace tactelier
