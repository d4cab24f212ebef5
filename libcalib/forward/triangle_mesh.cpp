#include "libcalib/forward/triangle_mesh.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <map>
#include <unordered_map>

#include "libcalib/forward/vector3.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20U;
constexpr double kNoVolume = 1e-9;  // of the cube around the mesh

std::string ending_of(const std::filesystem::path& file) {
  auto ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// Corners at exactly the same place become one: STL has three of its own for each triangle.
class Joiner {
 public:
  Joiner(TriangleMesh& mesh, double unit_m) : mesh_(mesh), unit_m_(unit_m) {}

  std::uint32_t add(const aiVector3D& corner) {
    const std::array<float, 3> key{corner.x + 0.0F, corner.y + 0.0F, corner.z + 0.0F};  // -0 is 0
    const auto [known, fresh] =
        known_.try_emplace(key, static_cast<std::uint32_t>(mesh_.points_m.size()));
    if (fresh) mesh_.points_m.push_back(scaled({key[0], key[1], key[2]}, unit_m_));
    return known->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::array<float, 3>& key) const {
      std::size_t hash = 0;
      for (const float value : key) hash = hash * 1000003U + std::hash<float>{}(value);
      return hash;
    }
  };
  TriangleMesh& mesh_;
  double unit_m_;
  std::unordered_map<std::array<float, 3>, std::uint32_t, Hash> known_;
};

void add_faces(const aiMesh& part, Joiner& joiner, TriangleMesh& mesh) {
  for (unsigned i = 0; i < part.mNumFaces; ++i) {
    const aiFace& face = part.mFaces[i];
    if (face.mNumIndices != 3) continue;
    const auto corner = [&](unsigned k) { return joiner.add(part.mVertices[face.mIndices[k]]); };
    const std::array<std::uint32_t, 3> triangle{corner(0), corner(1), corner(2)};
    const bool line = triangle[0] == triangle[1] || triangle[1] == triangle[2] ||
                      triangle[2] == triangle[0];  // encloses nothing, and its edges cancel
    if (!line) mesh.triangles.push_back(triangle);
  }
}

Result<TriangleMesh> imported(const std::filesystem::path& file, double unit_m) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene =
      importer.ReadFile(file.string(), aiProcess_Triangulate | aiProcess_SortByPType |
                                           aiProcess_PreTransformVertices);
  if (!scene)
    return fail(ErrorCode::kInvalidInput, "FW-13 {}: can't be read as a mesh: {}",
                file.filename().string(), importer.GetErrorString());
  TriangleMesh mesh;
  Joiner joiner(mesh, unit_m);
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) add_faces(*scene->mMeshes[i], joiner, mesh);
  return mesh;
}

struct OpenEdges {
  std::size_t count = 0;
  Vector3 somewhere_m{0, 0, 0};
};

/// Every edge of a closed surface belongs to an even number of triangles.
OpenEdges open_edges(const TriangleMesh& mesh) {
  std::unordered_map<std::uint64_t, bool> odd;
  for (const auto& corners : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t a = corners[k], b = corners[(k + 1) % 3];
      auto& edge = odd[std::min(a, b) << 32U | std::max(a, b)];
      edge = !edge;
    }
  OpenEdges open;
  for (const auto& [edge, is_odd] : odd) {
    if (!is_odd) continue;
    const auto& at_m = mesh.points_m[edge >> 32U];
    if (open.count++ == 0 || at_m < open.somewhere_m) open.somewhere_m = at_m;
  }
  return open;
}

/// Of the box around all corners.
double longest_side_m(const TriangleMesh& mesh) {
  double longest_m = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [least, most] =
        std::minmax_element(mesh.points_m.begin(), mesh.points_m.end(),
                            [&](const auto& a, const auto& b) { return a[axis] < b[axis]; });
    longest_m = std::max(longest_m, (*most)[axis] - (*least)[axis]);
  }
  return longest_m;
}

Result<void> check_places(const TriangleMesh& mesh, const std::string& name) {
  if (mesh.triangles.empty())
    return fail(ErrorCode::kInvalidInput, "FW-09 {}: holds no triangle", name);
  const bool finite = std::all_of(mesh.points_m.begin(), mesh.points_m.end(), [](const auto& at) {
    return std::isfinite(at[0] + at[1] + at[2]);
  });
  if (!finite)
    return fail(ErrorCode::kInvalidInput, "FW-09 {}: a corner's place is no number", name);
  return {};
}

Result<void> check_solid(TriangleMesh& mesh, const std::string& name) {
  if (const auto open = open_edges(mesh); open.count > 0)
    return fail(ErrorCode::kInvalidInput,
                "FW-08 {}: the surface is open at {} of its edges, one at ({:.4g}, {:.4g}, {:.4g}) "
                "mm; close the holes in the program that made it",
                name, open.count, m_to_mm(open.somewhere_m[0]), m_to_mm(open.somewhere_m[1]),
                m_to_mm(open.somewhere_m[2]));
  const double volume_m3 = solid_moments(mesh).volume_m3;
  if (!(std::abs(volume_m3) > kNoVolume * std::pow(longest_side_m(mesh), 3)))
    return fail(ErrorCode::kInvalidInput,
                "FW-09 {}: its {} triangles enclose no volume: a sheet, or halves that face "
                "opposite ways",
                name, mesh.triangles.size());
  if (volume_m3 < 0)
    for (auto& corners : mesh.triangles) std::swap(corners[1], corners[2]);
  return {};
}

}  // namespace

// About a corner of the mesh, so that a mesh far from its origin loses no digits.
SolidMoments solid_moments(const TriangleMesh& mesh) {
  SolidMoments solid;
  if (mesh.points_m.empty()) return solid;
  const auto origin_m = mesh.points_m.front();
  double six_volumes = 0;
  Vector3 first{0, 0, 0}, second{0, 0, 0};
  for (const auto& [i, j, k] : mesh.triangles) {
    const auto a = minus(mesh.points_m[i], origin_m), b = minus(mesh.points_m[j], origin_m),
               c = minus(mesh.points_m[k], origin_m);
    const double six = dot(a, cross(b, c));
    six_volumes += six;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double u = a[axis], v = b[axis], w = c[axis];
      first[axis] += six / 24 * (u + v + w);
      second[axis] += six / 60 * (u * u + v * v + w * w + u * v + v * w + w * u);
    }
  }
  solid.volume_m3 = six_volumes / 6;
  if (solid.volume_m3 == 0) return solid;
  const auto mean_m = scaled(first, 1 / solid.volume_m3);
  for (std::size_t axis = 0; axis < 3; ++axis)
    second[axis] -= solid.volume_m3 * mean_m[axis] * mean_m[axis];
  solid.centre_m = plus(origin_m, mean_m);
  solid.inertia_m5 = {second[1] + second[2], second[2] + second[0], second[0] + second[1]};
  return solid;
}

Result<TriangleMesh> read_surface(const std::filesystem::path& file, double unit_m) {
  const auto ending = ending_of(file);
  if (ending != ".stl" && ending != ".obj")
    return fail(ErrorCode::kInvalidInput, "FW-13 {}: meshes are read from .stl and .obj",
                file.filename().string());
  std::error_code none;
  const auto bytes = std::filesystem::file_size(file, none);
  if (none) return fail(ErrorCode::kIo, "FW-13 {}: {}", file.string(), none.message());
  if (bytes > kMaxBytes)
    return fail(ErrorCode::kInvalidInput, "FW-13 {}: {} MB; meshes up to {} MB are read",
                file.filename().string(), bytes >> 20U, kMaxBytes >> 20U);
  auto mesh = imported(file, unit_m);
  if (!mesh) return mesh;
  if (auto sound = check_places(*mesh, file.filename().string()); !sound)
    return fail(sound.error());
  return mesh;
}

Result<TriangleMesh> read_mesh(const std::filesystem::path& file, double unit_m) {
  auto mesh = read_surface(file, unit_m);
  if (!mesh) return mesh;
  if (auto sound = check_solid(*mesh, file.filename().string()); !sound) return fail(sound.error());
  return mesh;
}

}  // namespace tactelier
