#pragma once
// A mesh as what presses on a sensor: how high its underside stands, and where a ray meets it.
// Embree finds the triangle in single precision; the place on it is computed in double, so that
// results don't depend on which instructions a processor has.
//
// Local axes: as the file's, but with the lowest point at z = 0: that is the tip's height.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "libcalib/forward/triangle_mesh.hpp"
#include "libcalib/sensor/indenter.hpp"

namespace tactelier {

class MeshBody {
 public:
  /// Fails as read_mesh() does.
  static Result<std::shared_ptr<const MeshBody>> read(const std::filesystem::path& file,
                                                      double unit_m);
  explicit MeshBody(TriangleMesh mesh);
  MeshBody(const MeshBody&) = delete;
  MeshBody& operator=(const MeshBody&) = delete;
  ~MeshBody();

  /// Height of the lowest face over the tip at a place; infinite beside the mesh.
  double height_m(double x_m, double y_m) const;
  /// The largest t in [0, range] at which from + t along is in the body, 0 for none; where the
  /// range itself lies in the body, the range.
  double depth_along_m(const Vector3& from_m, const Vector3& along, double range_m) const;

  double reach_m() const { return reach_m_; }    // of its points, from the z axis
  double finest_m() const { return finest_m_; }  // the smaller extent across
  /// Everything that looks down lies at the tip's height.
  bool flat() const { return flat_; }
  const SolidMoments& solid() const { return solid_; }

 private:
  struct Scene;
  /// The triangle that a ray meets first.
  std::optional<std::size_t> first_hit(const Vector3& from_m, const Vector3& along,
                                       double range) const;
  Vector3 normal_of(std::size_t triangle) const;  // outwards, not of length 1

  TriangleMesh mesh_;
  SolidMoments solid_;
  std::unique_ptr<Scene> scene_;
  double reach_m_ = 0, finest_m_ = 0, tall_m_ = 0;
  bool flat_ = true;
};

/// Reads the mesh files that indenters name, each once.
class MeshFiles {
 public:
  /// A file that is not named absolutely is looked for in `folder`.
  explicit MeshFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Gives an indenter and its parts the meshes that they have not yet. Fails as read_mesh() does.
  Result<void> load(Indenter& indenter);

 private:
  std::filesystem::path folder_;
  std::map<std::pair<std::string, double>, std::shared_ptr<const MeshBody>> read_;
};

}  // namespace tactelier
